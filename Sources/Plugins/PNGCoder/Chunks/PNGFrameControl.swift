#if PNG
import Calotype

/// The contents of an fcTL chunk, which describes a frame.
///
/// Source: W3C PNG, third edition, section 11.3.6.2.
struct PNGFrameControl {
    /// The number of bytes in the body of an fcTL chunk.
    static let byteCount = 26

    let sequenceNumber: Int
    let info: FrameInfo

    /// Creates the description of a frame from the 26 bytes of an fcTL chunk. Returns nil if the description is
    /// invalid, for example if the region of the frame is empty or extends beyond the canvas.
    init?(_ body: Data, canvas: PixelSize) {
        let size = PixelSize(width: body.bigEndian(at: 4, count: 4), height: body.bigEndian(at: 8, count: 4))
        let region = PixelRegion(x: body.bigEndian(at: 12, count: 4), y: body.bigEndian(at: 16, count: 4), size: size)
        guard !size.isEmpty, region.isInside(canvas) else { return nil }
        let disposal: FrameInfo.Disposal
        switch body.bigEndian(at: 24, count: 1) {
        case 0: disposal = .keep
        case 1: disposal = .background
        case 2: disposal = .previous
        default: return nil
        }
        let blend: FrameInfo.Blend
        switch body.bigEndian(at: 25, count: 1) {
        case 0: blend = .source
        case 1: blend = .over
        default: return nil
        }
        sequenceNumber = body.bigEndian(at: 0, count: 4)
        info = FrameInfo(
            duration: Self.duration(body.bigEndian(at: 20, count: 2), over: body.bigEndian(at: 22, count: 2)),
            region: region, blend: blend, disposal: disposal)
    }

    /// Returns the duration for a fraction of a second, rounded down to nanoseconds. A denominator of 0 means 100.
    private static func duration(_ numerator: Int, over denominator: Int) -> Duration {
        .nanoseconds(numerator * 1_000_000_000 / (denominator == 0 ? 100 : denominator))
    }
}
#endif
