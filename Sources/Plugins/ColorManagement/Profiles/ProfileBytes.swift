#if COLOR
import Calotype

/// The bytes of an ICC profile, or of one of its tags, with bounds checks.
///
/// Numbers are big-endian. Source: ICC.1:2022, section 4.
struct ProfileBytes {
    private let data: Data
    /// The name of the data, for errors.
    private let subject: String

    /// Creates bytes with a name for errors, such as "the header".
    init(_ data: Data, subject: String) {
        self.data = data
        self.subject = subject
    }

    var count: Int { data.count }

    /// Returns `count` bytes from `start` on. Throws `badData` if there are fewer.
    func bytes(at start: Int, count: Int) throws(ImageError) -> Data {
        guard start >= 0, count >= 0, start <= data.count, count <= data.count - start else {
            throw .unusableProfile("is damaged; \(subject) is shorter than its contents")
        }
        return data[(data.startIndex + start)..<(data.startIndex + start + count)]
    }

    /// Returns the unsigned number in the bytes from `start` on. `byteCount` is at most 4.
    func number(at start: Int, byteCount: Int) throws(ImageError) -> Int {
        try bytes(at: start, count: byteCount).reduce(0) { $0 << 8 | Int($1) }
    }

    /// Returns the signature at `start`: four bytes, which usually are letters.
    func signature(at start: Int) throws(ImageError) -> ProfileSignature {
        ProfileSignature(rawValue: UInt32(try number(at: start, byteCount: 4)))
    }
}
#endif
