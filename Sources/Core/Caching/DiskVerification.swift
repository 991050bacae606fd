/// What was found when every entry of a ``DiskCache`` was read and checked.
public struct DiskVerification: Sendable, Hashable {
    /// Something that was wrong.
    public struct Finding: Sendable, Hashable {
        /// The file.
        public let path: String
        /// What was wrong with it.
        public let reason: String
        /// Whether that is mended: the file is removed, the one that was missing is there, or its time is corrected.
        public let isMended: Bool
    }

    /// How far it is, from 0 to 1.
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
    /// What was wrong.
    public internal(set) var findings: [Finding] = []
}

extension DiskVerification.Finding: CustomStringConvertible {
    /// For example `/path: its checksum does not match; mended`.
    public var description: String { "\(path): \(reason); \(isMended ? "mended" : "could not be mended")" }
}
