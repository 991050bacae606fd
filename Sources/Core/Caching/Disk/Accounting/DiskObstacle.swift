/// An item in the directory of a ``DiskCache`` that must not be used: it has a name of the cache's but another kind, or
/// it is a shard that belongs to another user.
///
/// Examples are a link in the place of a directory, and a directory in the place of an entry or of the secret.
struct DiskObstacle: Sendable {
    let path: String
    let kind: FileAttributes.Kind
    /// The reason why the item must not be used.
    let reason: String
    /// The owner, if the item is an obstacle only because of its owner; otherwise nil.
    private(set) var ownerID: UInt32?

    /// The advice if the item cannot be removed; nil for none.
    var advice: String? {
        ownerID == nil ? nil : "change its owner to the user of the cache with `chown -R`, or remove it"
    }

    /// Creates an obstacle in the place of a shard. Returns nil for a directory that may be used, and for a file: the
    /// owner of the directory must remove it, since nothing in the cache can have put it there.
    /// - Parameter isTrusted: Whether directories of this owner are used.
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

    /// Returns whether an item that exists now is the obstacle that was found.
    func isSame(as present: FileAttributes) -> Bool {
        present.kind == kind && (ownerID == nil || present.ownerID == ownerID)
    }

    /// Creates an obstacle in the place of the file with the directory's secret. Returns nil for a file, and for
    /// another name.
    init?(inPlaceOfSecret item: (name: String, attributes: FileAttributes), in root: String) {
        guard item.attributes.kind != .file, item.name == DiskEntryName.secret else { return nil }
        self.init(item, in: root, "it is in place of the directory's secret, but is not a regular file")
    }

    /// Creates an obstacle in the place of the directory of a source or of tags. Returns nil for a directory, and for
    /// another name.
    init?(inPlaceOfDirectory item: (name: String, attributes: FileAttributes), in shard: String) {
        guard item.attributes.kind != .directory,
            DiskEntryName.isDigest(item.name) || item.name == DiskEntryName.tags
        else { return nil }
        self.init(item, in: shard, "it is a link or a file in place of a directory")
    }

    /// Creates a directory in the place of an entry. Returns nil for any other kind, and for another name.
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
