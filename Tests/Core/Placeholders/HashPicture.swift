import Calotype

/// Pictures to hash, and conversions of pixels from another implementation.
enum HashPicture {
    /// Returns a picture that contains all waves, so that its hashes do not depend on the rounding of sums.
    static func image(_ size: PixelSize, isFading: Bool = false) throws -> Image {
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: size))
        let (right, bottom) = (size.width - 1, size.height - 1)
        for y in 0...bottom {
            builder.withRow(y) { (row: inout MutableRawSpan) -> Void in
                for x in 0...right {
                    let red = x * x * 255 / (right * right)
                    let green = y * (x + y) * 255 / (bottom * (right + bottom))
                    let blue = 255 - x * y * 255 / (right * bottom)
                    let alpha = isFading ? 255 - x * y * y * 255 / (right * bottom * bottom) : 255
                    for (channel, level) in [red, green, blue, alpha].enumerated() {
                        row.storeBytes(of: UInt8(level), toByteOffset: x * 4 + channel, as: UInt8.self)
                    }
                }
            }
        }
        return Image(pixels: builder.finish(isOpaque: !isFading))
    }

    /// Returns a picture of one color.
    static func flat(_ size: PixelSize, _ color: [UInt8]) throws -> Image {
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: size))
        for y in 0..<size.height {
            builder.withRow(y) { (row: inout MutableRawSpan) -> Void in
                for index in 0..<size.width * 4 {
                    row.storeBytes(of: color[index % 4], toByteOffset: index, as: UInt8.self)
                }
            }
        }
        return Image(pixels: builder.finish())
    }

    /// Returns the levels of pixels written as `rrggbb` or `rrggbbaa`.
    static func levels(_ text: String) -> [Double] {
        let pixels: [Substring] = text.split(whereSeparator: \.isWhitespace)
        return pixels.flatMap { (pixel: Substring) -> [Double] in
            let digits: [Int] = pixel.compactMap(\.hexDigitValue)
            let places: StrideTo<Int> = stride(from: 0, to: digits.count, by: 2)
            let levels = places.map { (place: Int) -> Double in Double(digits[place] * 16 + digits[place + 1]) }
            return levels.count == 3 ? levels + [255] : levels
        }
    }

    /// Returns the levels of 4 by 4 pixels of an image, including those of its corners.
    static func samples(_ image: Image) -> [Double] {
        let levels = image.pixels.levels
        return (0..<16).flatMap { index -> ArraySlice<Double> in
            let (x, y) = (index % 4 * (image.width - 1) / 3, index / 4 * (image.height - 1) / 3)
            let start = (y * image.width + x) * 4
            return levels[start..<start + 4]
        }
    }

    /// Returns the largest difference between two lists of levels.
    static func difference(_ one: [Double], _ other: [Double]) -> Double {
        guard one.count == other.count else { return .infinity }
        return zip(one, other).map { abs($0 - $1) }.max() ?? 0
    }
}
