#if PNG
import Foundation

/// Creates zlib streams without a compressor: RFC 1950 and RFC 1951.
enum ZlibStream {
    /// Returns a stream with up to 65,535 bytes in one stored block.
    static func stored(_ data: Data) -> Data {
        head + block(data, isLast: true) + checksum(of: data)
    }

    /// Returns the Adler-32 checksum of inflated data, as at the end of a stream.
    static func checksum(of data: Data) -> Data {
        var (a, b) = (UInt32(1), UInt32(0))
        for byte in data { (a, b) = ((a + UInt32(byte)) % 65521, (b + a + UInt32(byte)) % 65521) }
        return PNGChunk.bigEndian(Int(b << 16 | a))
    }

    /// Returns a stream of `rowByteCount` + 1 = 260 zeros with the length code 286, which has no meaning. libdeflate
    /// takes it for 258.
    static func unusedLength(rowByteCount: Int) -> Data {
        var bits = Bits()
        bits.append(0b011, count: 3)
        for _ in 0..<rowByteCount + 1 - 258 { bits.append(reversed: 0b0011_0000, count: 8) }
        bits.append(reversed: 0b1100_0110, count: 8)
        bits.append(reversed: 0, count: 5)
        bits.append(reversed: 0, count: 7)
        return head + bits.finish() + checksum(of: Data(count: rowByteCount + 1))
    }

    /// Returns a stream of `rowByteCount` + 1 zeros that ends with a match of the distance code 30, which has no
    /// meaning. libdeflate takes it for a distance of 24,577.
    static func unusedDistance(rowByteCount: Int) -> Data {
        var bits = Bits()
        bits.append(0b011, count: 3)
        for _ in 0..<rowByteCount + 1 - 3 { bits.append(reversed: 0b0011_0000, count: 8) }
        // Length 3, which has no extra bits.
        bits.append(reversed: 1, count: 7)
        bits.append(reversed: 30, count: 5)
        bits.append(0, count: 13)
        bits.append(reversed: 0, count: 7)
        return head + bits.finish() + checksum(of: Data(count: rowByteCount + 1))
    }

    /// Returns a stream of zeros that is smaller by a factor of 155. It uses the fixed codes: zeros, and then matches
    /// with the previous byte. The stream ends without the checksum.
    /// - Parameters:
    ///   - start: The data before the zeros.
    ///   - matchCount: The number of matches of 258 zeros. Default: 15 MB in total.
    static func zeros(after start: Data = Data(), matchCount: Int = 60_000) -> Data {
        var bits = Bits()
        bits.append(0b011, count: 3)
        bits.append(reversed: 0b0011_0000, count: 8)
        bits.append(reversed: 0b0011_0000, count: 8)
        for _ in 0..<matchCount {
            // Length 258, which has no extra bits, and distance 1.
            bits.append(reversed: 0b1100_0101, count: 8)
            bits.append(reversed: 0, count: 5)
        }
        bits.append(reversed: 0, count: 7)
        return head + (start.isEmpty ? Data() : block(start, isLast: false)) + bits.finish()
    }

    private static let head = Data([0x78, 0x01])

    private static func block(_ data: Data, isLast: Bool) -> Data {
        let count = UInt16(data.count)
        var block = Data([isLast ? 1 : 0])
        for number in [count, ~count] { block += [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)] }
        return block + data
    }

    /// A sequence of bits. Each byte is filled from its lowest bit.
    private struct Bits {
        private var bytes: [UInt8] = []
        private var rest = 0
        private var restCount = 0

        mutating func append(_ value: Int, count: Int) {
            rest |= value << restCount
            restCount += count
            while restCount >= 8 {
                bytes.append(UInt8(rest & 0xFF))
                rest >>= 8
                restCount -= 8
            }
        }

        /// Appends a code, beginning with its highest bit.
        mutating func append(reversed value: Int, count: Int) {
            append((0..<count).reduce(0) { $0 << 1 | value >> $1 & 1 }, count: count)
        }

        mutating func finish() -> Data {
            append(0, count: 7)
            return Data(bytes)
        }
    }
}
#endif
