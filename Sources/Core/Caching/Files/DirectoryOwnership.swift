/// The owner of a directory, and whether every user may write to it.
public struct DirectoryOwnership: Sendable, Hashable {
    /// The number of the user who owns the directory.
    public var ownerID: UInt32
    /// The number of the user as whom this process opens files.
    public var userID: UInt32
    /// Whether every user may write to the directory: its permissions contain `o+w`.
    public var isWritableByAll: Bool

    /// Creates the ownership of a directory; by default one that only its owner, and perhaps a group, may write to.
    public init(ownerID: UInt32, userID: UInt32, isWritableByAll: Bool = false) {
        self.ownerID = ownerID
        self.userID = userID
        self.isWritableByAll = isWritableByAll
    }
}

extension DirectoryOwnership {
    private static let rootID: UInt32 = 0

    /// Whether the directory belongs to a user other than this one and root. Root can change everything in any case.
    var isForeign: Bool { ownerID != userID && ownerID != Self.rootID }

    /// The reason why users who cannot change other files of this user can change those in the directory; nil when
    /// there is none.
    ///
    /// The permissions of a group are its owner's choice. Root may use any user's directory: the volume of a container
    /// often belongs to somebody else.
    var objection: String? {
        if isWritableByAll { return "every user may write to the directory" }
        guard isForeign, userID != Self.rootID else { return nil }
        return "the directory belongs to user \(ownerID), and this process runs as user \(userID)"
    }
}
