/// The owner of a directory, and whether every user may write to it.
public struct DirectoryOwnership: Sendable, Hashable {
    /// The ID of the user who owns the directory.
    public var ownerID: UInt32
    /// The ID of the user with whose permissions this process opens files.
    public var userID: UInt32
    /// Whether every user may write to the directory: its permissions contain `o+w`.
    public var isWritableByAll: Bool

    /// Creates the ownership of a directory. By default, only its owner, and perhaps a group, may write to it.
    public init(ownerID: UInt32, userID: UInt32, isWritableByAll: Bool = false) {
        self.ownerID = ownerID
        self.userID = userID
        self.isWritableByAll = isWritableByAll
    }
}

extension DirectoryOwnership {
    private static let rootID: UInt32 = 0

    /// Whether the directory belongs to a user other than this one and root. Root may change everything in any case.
    var isForeign: Bool { ownerID != userID && ownerID != Self.rootID }

    /// The reason not to trust the directory: users who cannot change other files of this user can change those in the
    /// directory. Nil if there is no reason.
    ///
    /// Group permissions are the choice of the owner. Root may use the directory of any user: the volume of a container
    /// often belongs to another user.
    var objection: String? {
        if isWritableByAll { return "every user may write to the directory" }
        guard isForeign, userID != Self.rootID else { return nil }
        return "the directory belongs to user \(ownerID), but this process runs as user \(userID)"
    }
}
