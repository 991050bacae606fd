/// The memory layout of a pixel with four channels: red, green, blue and straight alpha, in this order. Channels of
/// several bytes are in the machine's byte order.
public enum PixelFormat: String, Sendable, Hashable, CaseIterable {
    /// Eight bits for each channel, 0...255.
    case rgba8
    /// Sixteen bits for each channel, 0...65535.
    case rgba16
    /// 32-bit floating point for each channel; 0 is black, 1 is white, above 1 is brighter than white.
    case rgbaFloat

    /// The number of bytes of one pixel: 4, 8 or 16.
    public var bytesPerPixel: Int {
        switch self {
        case .rgba8: 4
        case .rgba16: 8
        case .rgbaFloat: 16
        }
    }

    /// The number of bits of one channel: 8, 16 or 32.
    public var bitsPerChannel: Int { bytesPerPixel * 2 }
}
