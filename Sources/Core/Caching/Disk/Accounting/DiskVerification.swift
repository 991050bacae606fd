/// The result of reading and checking every entry of a ``DiskCache``.
public struct DiskVerification: Sendable, Hashable {
    /// Something that was wrong.
    public struct Finding: Sendable, Hashable {
        /// The file.
        public let path: String
        /// The reason why the entry is invalid.
        public let reason: String
        /// Whether that is mended: the file is removed, the one that was missing is there, or its time is corrected.
        public let isMended: Bool
    }

    /// The fraction of the entries that have been checked, 0...1.
    public internal(set) var fraction = 0.0
    /// The entries that are whole.
    public internal(set) var entryCount = 0
    /// The bytes of their files.
    public internal(set) var byteCount = 0
    /// The entries that others alone can read: with another transform, another version of the format, or a larger
    /// `byteLimit`. They stay.
    public internal(set) var foreignCount = 0
    /// Files left behind by processes that were killed, which were removed. No damage.
    public internal(set) var leftoverCount = 0
    /// The entries that are invalid.
    public internal(set) var findings: [Finding] = []
}

extension DiskVerification.Finding: CustomStringConvertible {
    /// A line of text, for example `/path: its checksum does not match; mended`.
    public var description: String { "\(path): \(reason); \(isMended ? "mended" : "could not be mended")" }
}
