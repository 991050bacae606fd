#if GIF
import Calotype

/// The contents of a graphic control extension, which describes the next frame.
///
/// Source: Graphics Interchange Format, version 89a, section 23.
struct GIFControl {
    var duration = Duration.zero
    var disposal = FrameInfo.Disposal.keep
    /// The index of transparent pixels; nil for none.
    var transparentIndex: Int?

    /// Creates the values of a frame that has no graphic control extension.
    init() {}

    /// Reads the values from the body of an extension, which must have at least four bytes.
    init(_ body: UnsafeRawBufferPointer.SubSequence) {
        let start = body.startIndex
        let flags = body[start]
        duration = .milliseconds((Int(body[start + 1]) | Int(body[start + 2]) << 8) * 10)
        disposal =
            switch flags >> 2 & 7 {
            case 2: .background
            // Some programs write 4 instead of 3, and browsers accept both values.
            case 3, 4: .previous
            default: .keep
            }
        transparentIndex = flags & 1 != 0 ? Int(body[start + 3]) : nil
    }
}
#endif
