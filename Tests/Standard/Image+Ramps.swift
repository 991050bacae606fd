#if COLOR && PNG && JPEG
import CalotypeStandard

extension Image {
    /// Returns a picture of 160 x 120 pixels with slow gradients, in the colors of a profile. If the profile is Display
    /// P3, all of them are within sRGB.
    static func ramps(in profile: Data) throws -> Image {
        let size = PixelSize(160, 120)
        let samples = (0..<size.height).flatMap { y in
            (0..<size.width).flatMap { x -> [Int] in
                [100 + x * 100 / 160, 190 - y * 90 / 120, 110 + (x + y) * 70 / 280, 255]
            }
        }
        return Image(pixels: try .of(samples, size), attributes: Attributes(profile: .icc(profile)))
    }
}
#endif
