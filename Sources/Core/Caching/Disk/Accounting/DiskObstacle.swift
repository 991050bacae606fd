/// An item in the directory of a ``DiskCache`` that the cache must not use: an item of the wrong kind under a name that
/// the cache uses, or a shard that belongs to an untrusted user.
///
/// Examples are a link in the place of a directory, and a directory in the place of an entry or of the secret.
struct DiskObstacle: Sendable {
    /// The path of the item.
    let path: String
    /// The kind of the item when it was found.
    let kind: FileAttributes.Kind
    /// The reason why the item must not be used.
    let reason: String
    /// The user ID of the item's owner, if the item is an obstacle only because of its owner; otherwise nil.
    private(set) var ownerID: UInt32?

    /// The advice to report if the item cannot be removed; nil to report the advice of the error that the removal
    /// throws.
    var advice: String? {
        ownerID == nil ? nil : "change its owner to the user of the cache with `chown -R`, or remove it"
    }

    /// Creates an obstacle if an item in the place of a shard is a directory of an untrusted owner, or is neither a
    /// directory nor a regular file. Returns nil otherwise.
    ///
    /// The cache removes obstacles. A regular file in the place of a shard is not an obstacle: it does not come from
    /// the cache, so only the owner of the directory may decide to remove it.
    /// - Parameters:
    ///   - item: The item, whose name is that of a shard.
    ///   - root: The path of the directory that contains the item.
    ///   - isTrusted: Whether the owner of the item is trusted.
    init?(inPlaceOfShard item: (name: String, attributes: FileAttributes), in root: String, isTrusted: Bool) {
        switch item.attributes.kind {
        case .other:
            self.init(item, in: root, "it is a link in place of a directory")
        case .directory where !isTrusted:
            let owner = item.attributes.ownerID.map { "user \($0)" } ?? "another user"
            self.init(item, in: root, "it belongs to \(owner), so it is not used")
            ownerID = item.attributes.ownerID
        case .directory, .file:
            return nil
        }
    }

    /// Returns whether the item that is at the path now is still the obstacle that was found.
    /// - Parameter present: The attributes of the item at the path now.
    func isSame(as present: FileAttributes) -> Bool {
        present.kind == kind && (ownerID == nil || present.ownerID == ownerID)
    }

    /// Creates an obstacle if an item has the name of the file that contains the ``DirectorySecret``, but is not a
    /// regular file. Returns nil otherwise.
    init?(inPlaceOfSecret item: (name: String, attributes: FileAttributes), in root: String) {
        guard item.attributes.kind != .file, item.name == DiskEntryName.secret else { return nil }
        self.init(item, in: root, "it is in place of the directory's secret, but is not a regular file")
    }

    /// Creates an obstacle if an item has the name of a source's directory, of a tag's directory or of the directory
    /// for tags, but is not a directory. Returns nil otherwise.
    init?(inPlaceOfDirectory item: (name: String, attributes: FileAttributes), in shard: String) {
        guard item.attributes.kind != .directory,
            DiskEntryName.isDigest(item.name) || item.name == DiskEntryName.tags
        else { return nil }
        self.init(item, in: shard, "it is a link or a file in place of a directory")
    }

    /// Creates an obstacle if an item has the name of an entry, but is a directory. Returns nil otherwise.
    init?(inPlaceOfEntry item: (name: String, attributes: FileAttributes), in directory: String) {
        guard item.attributes.kind == .directory, DiskEntryName.isDigest(item.name) else { return nil }
        self.init(item, in: directory, "it is a directory in place of an entry")
    }

    private init(_ item: (name: String, attributes: FileAttributes), in directory: String, _ reason: String) {
        path = "\(directory)/\(item.name)"
        kind = item.attributes.kind
        self.reason = reason
    }
}
