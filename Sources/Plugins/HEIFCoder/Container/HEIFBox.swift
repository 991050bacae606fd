#if HEIF
import Calotype

/// A box: its name, and where in the file it is.
///
/// Source: ISO/IEC 14496-12:2022, section 4.2.
struct HEIFBox: Sendable {
    let type: FourCC
    /// The range of the box, the header included.
    let range: Range<Int>
    /// The range behind the header.
    let body: Range<Int>
    /// Whether the box ends within the file or the box around it.
    let isWhole: Bool

    /// The most boxes in another one: as many as items can have numbers of 16 bits.
    private static let maxCount = 65_536

    /// The box that begins at an offset; nil if no header fits in.
    ///
    /// One that says that it goes on behind `end` goes as far as that.
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

    /// Returns the boxes in a range, of which nothing else may be there.
    /// - Parameter name: The box that they are in, for errors.
    static func all(
        in range: Range<Int>, of file: UnsafeRawBufferPointer, name: FourCC
    ) throws(ImageError) -> [HEIFBox] {
        var boxes: [HEIFBox] = []
        var start = range.lowerBound
        while start < range.upperBound {
            guard let box = HEIFBox(at: start, before: range.upperBound, of: file), box.isWhole else {
                throw .damagedHEIF("a box in '\(name)' is longer than what it is in, or shorter than its own header")
            }
            guard boxes.count < maxCount else { throw .damagedHEIF("there are too many boxes in '\(name)'") }
            boxes.append(box)
            start = box.range.upperBound
        }
        return boxes
    }
}
#endif
