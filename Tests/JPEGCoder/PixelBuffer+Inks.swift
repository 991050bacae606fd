#if JPEG
import Calotype
import CoderKit

extension PixelBuffer {
    /// Returns the colors of pixels that hold inks: the light that each of three inks and black, the fourth channel,
    /// let through.
    func printed() throws -> PixelBuffer {
        let inks = samples
        var colors: [UInt8] = []
        for pixel in stride(from: 0, to: inks.count, by: 4) {
            let light = 255 - Double(inks[pixel + 3])
            for channel in pixel..<pixel + 3 {
                colors.append(UInt8(((255 - Double(inks[channel])) * light / 255).rounded()))
            }
            colors.append(255)
        }
        return try Image.of(colors, size).pixels
    }
}
#endif
