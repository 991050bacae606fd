/// The part of a file's content that a ``FileSystem`` can give without waiting.
public enum ImmediateContents: Sendable, Hashable {
    /// The whole content, and the attributes of the file that was read.
    case file(Data, FileAttributes)
    /// There is no such file.
    case absent
    /// The content is not known without waiting, or needs a closer look.
    case unknown
}
