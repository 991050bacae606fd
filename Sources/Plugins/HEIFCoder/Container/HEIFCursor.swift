#if HEIF
import Calotype

/// A reader of the numbers and texts in a box. Numbers are big-endian. The throwing methods throw `badData` if the box
/// ends too early.
struct HEIFCursor {
    private let file: UnsafeRawBufferPointer
    /// The type of the box, for error messages.
    private let box: FourCC
    /// The range in the file of the bytes that have not been read yet.
    private(set) var rest: Range<Int>

    init(_ box: HEIFBox, of file: UnsafeRawBufferPointer) {
        (self.box, self.file, rest) = (box.type, file, box.body)
    }

    /// Reads a number of `byteCount` bytes, at most eight. Also throws `badData` if the number exceeds `Int.max`.
    mutating func number(bytes byteCount: Int) throws(ImageError) -> Int {
        var number: UInt64 = 0
        for index in try take(byteCount) { number = number << 8 | UInt64(file[index]) }
        guard let number = Int(exactly: number) else { throw .damagedHEIF("a number in '\(box)' is out of range") }
        return number
    }

    /// Reads a signed number of four bytes.
    mutating func signedNumber() throws(ImageError) -> Int {
        Int(Int32(truncatingIfNeeded: try number(bytes: 4)))
    }

    mutating func fourCC() throws(ImageError) -> FourCC {
        FourCC(code: UInt32(try number(bytes: 4)))
    }

    /// Reads the version and the flags at the beginning of a full box.
    mutating func versionAndFlags() throws(ImageError) -> (version: Int, flags: Int) {
        (try number(bytes: 1), try number(bytes: 3))
    }

    /// Reads a text that ends with a zero byte or with the end of the box. If the text is longer than `maxByteCount`
    /// bytes, returns an empty text and skips the rest of the box.
    mutating func text(maxByteCount: Int = .max) -> String {
        let end = rest.prefix(maxByteCount).first { file[$0] == 0 } ?? rest.upperBound
        defer { rest = min(end + 1, rest.upperBound)..<rest.upperBound }
        guard end - rest.lowerBound <= maxByteCount else { return "" }
        return String(decoding: file[rest.lowerBound..<end], as: UTF8.self)
    }

    /// Skips a number of bytes and returns their range in the file.
    mutating func take(_ count: Int) throws(ImageError) -> Range<Int> {
        guard count <= rest.count else { throw .damagedHEIF("the box '\(box)' is truncated") }
        defer { rest = rest.lowerBound + count..<rest.upperBound }
        return rest.lowerBound..<rest.lowerBound + count
    }
}
#endif
