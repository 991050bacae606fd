#if GIF
import Calotype

/// The contents of a graphic control extension, which describes the next frame.
///
/// Source: Graphics Interchange Format, version 89a, section 23.
struct GIFControl {
    var duration = Duration.zero
    var disposal = FrameInfo.Disposal.keep
    /// The index of what is transparent; nil for nothing.
    var transparentIndex: Int?

    /// The values of a frame without an extension.
    init() {}

    /// - Parameter body: At least four bytes.
    init(_ body: UnsafeRawBufferPointer.SubSequence) {
        let start = body.startIndex
        let flags = body[start]
        duration = .milliseconds((Int(body[start + 1]) | Int(body[start + 2]) << 8) * 10)
        disposal =
            switch flags >> 2 & 7 {
            case 2: .background
            // Programs have taken the third bit for it, and browsers understand both.
            case 3, 4: .previous
            default: .keep
            }
        transparentIndex = flags & 1 != 0 ? Int(body[start + 3]) : nil
    }
}
#endif
