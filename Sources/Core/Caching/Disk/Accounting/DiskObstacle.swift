/// Something in the directory of a ``DiskCache`` that bears a name of the cache's but is of another kind: a link in the
/// place of a directory, or a directory in the place of an entry or of the secret. Or a shard that belongs to another
/// user.
struct DiskObstacle: Sendable {
    let path: String
    let kind: FileAttributes.Kind
    /// The reason why it does not belong there.
    let reason: String
    /// The user whose directory it is; nil for what does not belong there, whatever its owner.
    private(set) var ownerID: UInt32?

    /// The advice where it cannot be removed; nil for none.
    var advice: String? {
        ownerID == nil ? nil : "give it to the user whose cache this is with `chown -R`, or remove it"
    }

    /// Something in the place of a shard; nil for a directory. A file is for its owner to remove: nothing of the cache
    /// can have put it there.
    /// - Parameter isTrusted: Whether a directory of its owner's is used.
    init?(inPlaceOfShard item: (name: String, attributes: FileAttributes), in root: String, isTrusted: Bool) {
        switch item.attributes.kind {
        case .other:
            self.init(item, in: root, "it is a link in the place of a directory")
        case .directory where !isTrusted:
            let owner = item.attributes.ownerID.map { "user \($0)" } ?? "another user"
            self.init(item, in: root, "it belongs to \(owner), and is not used")
            ownerID = item.attributes.ownerID
        case .directory, .file:
            return nil
        }
    }

    /// Whether something that is there now is what was found.
    func isSame(as present: FileAttributes) -> Bool {
        present.kind == kind && (ownerID == nil || present.ownerID == ownerID)
    }

    /// Something in the place of the file for the directory's secret; nil for a file, and for another name.
    init?(inPlaceOfSecret item: (name: String, attributes: FileAttributes), in root: String) {
        guard item.attributes.kind != .file, item.name == DiskEntryName.secret else { return nil }
        self.init(item, in: root, "it is no file in the place of the directory's secret")
    }

    /// Something in the place of a source's directory or of that for tags; nil for a directory, and for another name.
    init?(inPlaceOfDirectory item: (name: String, attributes: FileAttributes), in shard: String) {
        guard item.attributes.kind != .directory,
            DiskEntryName.isDigest(item.name) || item.name == DiskEntryName.tags
        else { return nil }
        self.init(item, in: shard, "it is a link or a file in the place of a directory")
    }

    /// A directory in the place of an entry; nil for all else, and for another name.
    init?(inPlaceOfEntry item: (name: String, attributes: FileAttributes), in directory: String) {
        guard item.attributes.kind == .directory, DiskEntryName.isDigest(item.name) else { return nil }
        self.init(item, in: directory, "it is a directory in the place of an entry")
    }

    private init(_ item: (name: String, attributes: FileAttributes), in directory: String, _ reason: String) {
        path = "\(directory)/\(item.name)"
        kind = item.attributes.kind
        self.reason = reason
    }
}
