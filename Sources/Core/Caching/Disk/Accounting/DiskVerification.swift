/// The result of reading and checking every entry of a ``DiskCache``.
public struct DiskVerification: Sendable, Hashable {
    /// A problem that was found.
    public struct Finding: Sendable, Hashable {
        /// The path of the file or directory with the problem.
        public let path: String
        /// The description of the problem.
        public let reason: String
        /// Whether the problem is mended: the file or directory was removed, the missing file was written, or the
        /// modification time was corrected.
        public let isMended: Bool
    }

    /// The fraction of the directory that has been checked, from 0 to 1.
    public internal(set) var fraction = 0.0
    /// The number of valid entries.
    public internal(set) var entryCount = 0
    /// The total size of the files of the valid entries, in bytes.
    public internal(set) var byteCount = 0
    /// The number of entries that this cache cannot read, because they were written with another transform or in
    /// another version of the format, or exceed the cache's `byteLimit`. These entries remain in the directory.
    public internal(set) var foreignCount = 0
    /// The number of leftovers that were removed. A leftover is a temporary file that was left behind, for example by a
    /// killed process, or a file that marks an entry with a tag although the entry does not exist. Leftovers do not
    /// count as damage.
    public internal(set) var leftoverCount = 0
    /// The problems that were found.
    public internal(set) var findings: [Finding] = []
}

extension DiskVerification.Finding: CustomStringConvertible {
    /// A line of text, such as `/path: its checksum does not match; mended`.
    public var description: String { "\(path): \(reason); \(isMended ? "mended" : "could not be mended")" }
}
