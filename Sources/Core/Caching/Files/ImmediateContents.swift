/// The content of a file, if a ``FileSystem`` can return it without waiting.
public enum ImmediateContents: Sendable, Hashable {
    /// The whole content, and the attributes of the file that was read.
    case file(Data, FileAttributes)
    /// No such file exists.
    case absent
    /// Only a read that may wait can determine the content, or whether the file is valid.
    case unknown
}
