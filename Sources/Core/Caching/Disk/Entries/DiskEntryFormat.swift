import CKernels

/// The format of the file of one entry of a ``DiskCache``.
///
/// The payload comes first, so that any program that supports the image's format opens the file: programs ignore data
/// after the end of an image. A file consists of three parts. All numbers are little-endian.
///
/// | bytes | what |
/// |---|---|
/// | p | payload: the entry's data, or the output of a ``DataTransform`` |
/// | b | body |
/// | 40 | footer |
///
/// The body has no padding. A text is a `UInt64` with the number of its bytes, followed by the bytes in UTF-8:
///
/// | type | what |
/// |---|---|
/// | text | identity of the transform; empty if there is none |
/// | 56 bytes | digests of ``DiskEntryName``: 16 bytes for source, 8 for ``VariantKey/policy``, 32 for entry |
/// | `Float64` | creation, in seconds since 1970 |
/// | `UInt64` | number of tags |
/// | 16 bytes | for each tag, its digest as in ``DiskEntryName``, in ascending order |
/// | record | the record of the entry, unless there is a transform |
///
/// If the creation lies 60 seconds or more in the future, an entry that has an expiration counts as expired.
///
/// The record:
///
/// | type | what |
/// |---|---|
/// | text | source, for display: as the key describes it, without secrets |
/// | text | policy, for display, without secrets |
/// | text | variant, for display, without secrets |
/// | `UInt64` | number of attributes |
/// | text, text | for each attribute, its name and its value, sorted by name |
/// | `UInt64` | number of tags |
/// | text | for each tag, its text, sorted |
/// | `UInt8` | 1 if the entry has extended data, otherwise 0 |
/// | `UInt64`, bytes | the length of the extended data and the data; absent if there is none |
///
/// With a transform, the payload is the transform's output for four parts in a row: the entry's data, the record, the
/// digests of ``DiskEntryName``, and a `UInt64` with the length of the record. The digests must equal those in the
/// body, so that an encrypted entry cannot be put in the place of another one.
///
/// The footer, at the very end of the file:
///
/// | offset | type | what |
/// |---|---|---|
/// | 0 | `UInt64` | p, the length of the payload |
/// | 8 | `UInt64` | b, the length of the body |
/// | 16 | `Float64` | expiration, in seconds since 1970; not a number (NaN) if there is none |
/// | 24 | 8 bytes | `calotype` in ASCII |
/// | 32 | `UInt32` | version of the format, 3 |
/// | 36 | `UInt32` | CRC-32C of all bytes of the file before this field |
///
/// The last 16 bytes have the same layout in every version. The file system stores two more facts about an entry. The
/// modification time of the file is the time from which the age of the entry counts. A file is read-only for its owner
/// if the entry has an expiration, so that a search for expired entries opens only these files.
enum DiskEntryFormat {
    /// The version of the format that is written, and the only one that is read.
    static let version: UInt32 = 3
    /// The length of the footer, in bytes.
    static let footerByteCount = 40
    /// The length of the digest of a tag, in bytes.
    static let tagDigestByteCount = 16
    /// The signature in the footer: the bytes `calotype`, as a little-endian number.
    static let magic: UInt64 = 0x6570_7974_6F6C_6163

    /// The times at which an entry was written and expires.
    struct Dates: Hashable {
        /// The tolerated difference between the clocks of processes that share a directory, in seconds.
        private static let tolerance = 60.0

        /// The time at which the entry was written, in seconds since 1970.
        let creation: Double
        /// The time at which the entry expires, in seconds since 1970; nil for never.
        let expiration: Double?

        /// Returns whether the entry has a meaningless expiration date, set by a clock that was a minute or more ahead.
        /// - Parameter now: The present, in seconds since 1970.
        func areAhead(at now: Double) -> Bool { expiration != nil && !(creation - now < Self.tolerance) }

        /// Returns whether the entry has expired, or has a meaningless expiration date; see ``areAhead(at:)``.
        func areOver(at now: Double) -> Bool { expiration.map { $0 <= now } == true || areAhead(at: now) }
    }

    /// The reason why a file is not a valid entry, or not the expected one.
    enum Defect: String, Error, CustomStringConvertible {
        case truncated = "it is too short for an entry"
        case foreign = "it does not end with the signature of an entry"
        case checksum = "its checksum does not match"
        case version = "it has another version of the format"
        case lengths = "its lengths are inconsistent"
        case body = "its fields are inconsistent"
        case transform = "it was written with another transform"
        case decoding = "the transform cannot decode it"
        case key = "it belongs to another key"

        var description: String { rawValue }
    }

    /// Returns the CRC-32C of bytes.
    /// - Parameter previous: The CRC-32C of preceding bytes that the result includes too; 0 for none.
    static func checksum(of bytes: Data, after previous: UInt32 = 0) -> UInt32 {
        bytes.withUnsafeBytes { (buffer: UnsafeRawBufferPointer) -> UInt32 in
            ck_crc32c(previous, buffer.baseAddress, buffer.count)
        }
    }
}
