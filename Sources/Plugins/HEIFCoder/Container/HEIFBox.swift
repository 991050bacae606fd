#if HEIF
import Calotype

/// A box: its type and its range in the file.
///
/// Source: ISO/IEC 14496-12:2022, section 4.2.
struct HEIFBox: Sendable {
    let type: FourCC
    /// The range of the box in the file, including its header.
    let range: Range<Int>
    /// The range in the file of the contents of the box, without its header.
    let body: Range<Int>
    /// Whether the length in the header fits into the enclosing box, or into the file if there is no enclosing box.
    let isWhole: Bool

    /// The maximum number of boxes within a box. It equals the number of items that a 16-bit number can identify.
    private static let maxCount = 65_536

    /// Creates the box that begins at an offset. Returns nil if its header is invalid or incomplete. The range of a box
    /// that extends beyond `end` stops there.
    init?(at start: Int, before end: Int, of file: UnsafeRawBufferPointer) {
        func number(_ range: Range<Int>) -> UInt64 { range.reduce(0) { $0 << 8 | UInt64(file[$1]) } }
        guard end - start >= 8 else { return nil }
        var headerByteCount = 8
        var byteCount = number(start..<start + 4)
        switch byteCount {
        case 0:
            byteCount = UInt64(end - start)
        case 1:
            headerByteCount = 16
            guard end - start >= headerByteCount else { return nil }
            byteCount = number(start + 8..<start + 16)
        default: break
        }
        guard byteCount >= headerByteCount else { return nil }
        type = FourCC(code: UInt32(number(start + 4..<start + 8)))
        range = start..<start + Int(min(byteCount, UInt64(end - start)))
        body = start + headerByteCount..<range.upperBound
        isWhole = byteCount <= end - start
    }

    /// Returns the boxes in a range. Throws `badData` if one is invalid or incomplete, or if there are too many.
    /// - Parameter name: The type of the enclosing box, for error messages.
    static func all(
        in range: Range<Int>, of file: UnsafeRawBufferPointer, name: FourCC
    ) throws(ImageError) -> [HEIFBox] {
        var boxes: [HEIFBox] = []
        var start = range.lowerBound
        while start < range.upperBound {
            guard let box = HEIFBox(at: start, before: range.upperBound, of: file), box.isWhole else {
                throw .damagedHEIF("a box in '\(name)' is longer than '\(name)', or shorter than its own header")
            }
            guard boxes.count < maxCount else { throw .damagedHEIF("there are too many boxes in '\(name)'") }
            boxes.append(box)
            start = box.range.upperBound
        }
        return boxes
    }
}
#endif
