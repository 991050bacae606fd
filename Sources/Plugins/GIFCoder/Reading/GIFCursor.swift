#if GIF
import Calotype

/// A reader of the blocks of a file, from beginning to end.
///
/// Source: Graphics Interchange Format, version 89a, sections 15 to 27.
struct GIFCursor {
    private let bytes: UnsafeRawBufferPointer
    /// The offset of the next byte.
    private(set) var offset: Int

    init(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0) {
        (self.bytes, self.offset) = (bytes, offset)
    }

    /// Whether all bytes have been read.
    var isAtEnd: Bool { offset >= bytes.count }

    /// Returns the next byte, or nil if there is none.
    mutating func byte() -> UInt8? {
        guard offset < bytes.count else { return nil }
        defer { offset += 1 }
        return bytes[offset]
    }

    /// Returns the next 16-bit number, or nil if fewer than two bytes follow.
    mutating func number() -> Int? {
        guard let place = take(2) else { return nil }
        return Int(bytes[place.lowerBound]) | Int(bytes[place.lowerBound + 1]) << 8
    }

    /// Returns the range of the next `count` bytes, or nil if fewer bytes follow.
    mutating func take(_ count: Int) -> Range<Int>? {
        guard count <= bytes.count - offset else { return nil }
        defer { offset += count }
        return offset..<offset + count
    }

    /// Returns the range of the next sub-block's body: empty for the terminator, nil if the sub-block is incomplete.
    mutating func subBlock() -> Range<Int>? {
        guard let count = byte() else { return nil }
        return take(Int(count))
    }

    /// Skips all sub-blocks up to and including the terminator. Returns nil if the terminator was reached.
    /// - Returns: The range of the body of an incomplete sub-block. It is empty if the file ends between sub-blocks.
    mutating func skipSubBlocks() -> Range<Int>? {
        while let count = byte() {
            if count == 0 { return nil }
            guard take(Int(count)) != nil else {
                // The offset moves back to the length, so that only complete sub-blocks precede it.
                offset -= 1
                return offset + 1..<bytes.count
            }
        }
        return bytes.count..<bytes.count
    }
}
#endif
