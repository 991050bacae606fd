#if HEIF
import Calotype

/// A reader of numbers that need not begin or end at a byte boundary. The highest bit comes first. The methods throw
/// `badData` if the bytes end too early.
struct BitReader {
    private let bytes: [UInt8]
    /// The number of bits that were read or skipped.
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads a number of `count` bits, at most 32.
    mutating func bits(_ count: Int) throws(ImageError) -> Int {
        guard position + count <= bytes.count * 8 else { throw .damagedHEIF("the header of a stream is truncated") }
        var number = 0
        for _ in 0..<count {
            number = number << 1 | Int(bytes[position >> 3] >> (7 - UInt8(position & 7)) & 1)
            position += 1
        }
        return number
    }

    mutating func flag() throws(ImageError) -> Bool { try bits(1) == 1 }

    mutating func skip(_ count: Int) throws(ImageError) {
        guard count <= bytes.count * 8 - position else { throw .damagedHEIF("the header of a stream is truncated") }
        position += count
    }

    /// Reads a number in unsigned Exp-Golomb code. Throws `badData` if the number is larger than 4,294,967,294.
    ///
    /// Source: ITU-T H.265 (08/2021), section 9.2.
    mutating func golomb() throws(ImageError) -> Int {
        var zeroCount = 0
        while try !flag() {
            zeroCount += 1
            guard zeroCount < 32 else { throw .damagedHEIF("a number in the header of a stream is too large") }
        }
        return (1 << zeroCount) - 1 + (try bits(zeroCount))
    }
}
#endif
