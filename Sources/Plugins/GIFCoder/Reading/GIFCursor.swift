#if GIF
import Calotype

/// Reads the blocks of a file from front to back.
///
/// Source: Graphics Interchange Format, version 89a, sections 15 to 27.
struct GIFCursor {
    private let bytes: UnsafeRawBufferPointer
    /// The offset of the next byte.
    private(set) var offset: Int

    init(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0) {
        (self.bytes, self.offset) = (bytes, offset)
    }

    /// Whether there are no more bytes.
    var isAtEnd: Bool { offset >= bytes.count }

    /// The next byte; nil when there is none.
    mutating func byte() -> UInt8? {
        guard offset < bytes.count else { return nil }
        defer { offset += 1 }
        return bytes[offset]
    }

    /// The next number of 16 bits; nil when it is not all there.
    mutating func number() -> Int? {
        guard let place = take(2) else { return nil }
        return Int(bytes[place.lowerBound]) | Int(bytes[place.lowerBound + 1]) << 8
    }

    /// Returns the range of the next `count` bytes; nil when they are not all there.
    mutating func take(_ count: Int) -> Range<Int>? {
        guard count <= bytes.count - offset else { return nil }
        defer { offset += count }
        return offset..<offset + count
    }

    /// Returns the range of the next sub-block's body, empty for the terminator; nil when it is not all there.
    mutating func subBlock() -> Range<Int>? {
        guard let count = byte() else { return nil }
        return take(Int(count))
    }

    /// Passes over sub-blocks, the one that ends the list included.
    /// - Returns: Where the body of the one is that is not all there; nil when all are.
    mutating func skipSubBlocks() -> Range<Int>? {
        while let count = byte() {
            if count == 0 { return nil }
            guard take(Int(count)) != nil else {
                // Its length is no part of those that are whole.
                offset -= 1
                return offset + 1..<bytes.count
            }
        }
        return bytes.count..<bytes.count
    }
}
#endif
