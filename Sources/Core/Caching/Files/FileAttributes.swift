/// The facts about a file that a ``FileSystem`` knows without opening it.
public struct FileAttributes: Sendable, Hashable {
    /// The kind of an item in a file system.
    public enum Kind: Sendable, Hashable {
        /// A regular file.
        case file
        /// A directory.
        case directory
        /// Anything else, such as a symbolic link, a pipe or a device.
        case other
    }

    /// The kind of the file.
    public var kind: Kind
    /// The length of the content, in bytes.
    public var byteCount: Int
    /// The time of the last modification, in seconds since 1970.
    public var modificationTime: Double
    /// Whether the owner may not write to the file.
    public var isReadOnly: Bool
    /// The ID of the user who owns the file; nil if the file system does not report an owner.
    public var ownerID: UInt32?

    /// Creates attributes. The defaults describe a regular file that its owner may write to, and whose owner is not
    /// known.
    public init(
        kind: Kind = .file, byteCount: Int, modificationTime: Double, isReadOnly: Bool = false, ownerID: UInt32? = nil
    ) {
        self.kind = kind
        self.byteCount = byteCount
        self.modificationTime = modificationTime
        self.isReadOnly = isReadOnly
        self.ownerID = ownerID
    }
}
