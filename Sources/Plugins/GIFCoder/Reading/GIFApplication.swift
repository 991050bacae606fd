#if GIF
import Calotype

/// The supported application extensions. The raw value is the identifier at the beginning of an extension.
enum GIFApplication: String {
    /// The Netscape extension, which contains the number of times that the animation plays.
    case netscapeLoops = "NETSCAPE2.0"
    /// The ANIMEXTS extension, which has the same contents as the Netscape extension (``netscapeLoops``).
    case animationLoops = "ANIMEXTS1.0"
    /// The extension that contains the color profile, in sub-blocks. Source: ICC.1:2022, annex B.5.
    case profile = "ICCRGBG1012"
    /// The extension that contains the XMP packet, without sub-blocks. Source: XMP specification, part 3, section
    /// 1.1.2.
    case xmp = "XMP DataXMP"

    /// The length of an identifier in bytes.
    static let byteCount = 11
}
#endif
