/// The owner of a directory, and whether every user may write to it.
public struct DirectoryOwnership: Sendable, Hashable {
    /// The ID of the user who owns the directory.
    public var ownerID: UInt32
    /// The ID of the user with whose permissions this process accesses files.
    public var userID: UInt32
    /// Whether every user may write to the directory, because its permissions contain `o+w`.
    public var isWritableByAll: Bool

    /// Creates the ownership of a directory. By default, not every user may write to the directory.
    public init(ownerID: UInt32, userID: UInt32, isWritableByAll: Bool = false) {
        self.ownerID = ownerID
        self.userID = userID
        self.isWritableByAll = isWritableByAll
    }
}

extension DirectoryOwnership {
    private static let rootID: UInt32 = 0

    /// Whether the owner of the directory is neither the user of this process nor root, which can change any file.
    var isForeign: Bool { ownerID != userID && ownerID != Self.rootID }

    /// The reason why the directory is not trusted, as a message; nil if it is trusted.
    ///
    /// A directory that every user may write to is not trusted. One that a group may write to is trusted, because its
    /// owner chose these permissions. The owner must be the user of this process or root. A process that runs as root
    /// accepts any owner, because the volume of a container often belongs to another user.
    var objection: String? {
        if isWritableByAll { return "every user may write to the directory" }
        guard isForeign, userID != Self.rootID else { return nil }
        return "the directory belongs to user \(ownerID), but this process runs as user \(userID)"
    }
}
