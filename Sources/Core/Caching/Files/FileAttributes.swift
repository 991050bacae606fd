/// The facts about a file that a ``FileSystem`` knows without reading it.
public struct FileAttributes: Sendable, Hashable {
    /// The kind of thing that a path leads to.
    public enum Kind: Sendable, Hashable {
        /// A regular file.
        case file
        /// A directory.
        case directory
        /// A symbolic link, a pipe, a device.
        case other
    }

    /// The kind of the file.
    public var kind: Kind
    /// The length of its content in bytes.
    public var byteCount: Int
    /// The time of the last modification, in seconds since 1970.
    public var modificationTime: Double
    /// Whether its owner may not write to it.
    public var isReadOnly: Bool
    /// The number of the user who owns it; nil if owners are not known.
    public var ownerID: UInt32?

    /// Attributes; those of a file that can be written unless told otherwise.
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
