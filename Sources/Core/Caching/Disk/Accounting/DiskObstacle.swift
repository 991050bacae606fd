/// An item in the directory of a ``DiskCache`` that must not be used, such as a link in the place of a directory, or a
/// shard that belongs to an untrusted user.
struct DiskObstacle: Sendable {
    /// The path of the item.
    let path: String
    /// The kind of the item when it was found.
    let kind: FileAttributes.Kind
    /// The reason why the item must not be used.
    let reason: String
    /// The user ID of the item's owner, if the item is an obstacle only because of its owner; otherwise nil.
    private(set) var ownerID: UInt32?

    /// The advice to report if the item cannot be removed; nil to report the error's own advice.
    var advice: String? {
        ownerID == nil ? nil : "change its owner to the user of the cache with `chown -R`, or remove it"
    }

    /// Creates an obstacle from an item with the name of a shard. Returns nil if the item is not an obstacle.
    ///
    /// The cache removes obstacles. A regular file is not one: it does not come from the cache, and only the owner of
    /// the directory may decide to remove it.
    /// - Parameters:
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

    /// Returns whether the item that is at the path now, with the given attributes, is still this obstacle.
    func isSame(as present: FileAttributes) -> Bool {
        present.kind == kind && (ownerID == nil || present.ownerID == ownerID)
    }

    /// Creates an obstacle if an item has the name of the file with the ``DirectorySecret``, but is not a regular file.
    init?(inPlaceOfSecret item: (name: String, attributes: FileAttributes), in root: String) {
        guard item.attributes.kind != .file, item.name == DiskEntryName.secret else { return nil }
        self.init(item, in: root, "it is in place of the directory's secret, but is not a regular file")
    }

    /// Creates an obstacle if an item has the name of a directory of the cache, but is not a directory.
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
