/// The content of a file, if a ``FileSystem`` can return it without waiting.
public enum ImmediateContents: Sendable, Hashable {
    /// The whole content, and the attributes of the file that was read.
    case file(Data, FileAttributes)
    /// No such file exists.
    case absent
    /// The answer requires a read that may wait, such as ``FileSystem/contents(of:in:byteLimit:)``.
    case unknown
}
