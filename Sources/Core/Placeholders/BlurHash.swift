/// A picture in about thirty characters: its mean color and a few waves of light, which can be drawn as a blur.
///
/// ```swift
/// let blur = try BlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj").image(size: PixelSize(32, 24))
/// ```
///
/// Source: woltapp/blurhash, Algorithm.md. The components of a hash are the mean color and the waves, arranged in a
/// grid. The hash consists of digits in base 83: one for the numbers of columns and rows of the grid, one for the
/// maximum amplitude of the waves, four for the mean color, and two for each wave.
public struct BlurHash: Hashable, Sendable {
    /// The hash as text.
    public let text: String
    /// The mean color of the picture.
    public let averageColor: PixelColor

    /// The waves, in linear light.
    private let waves: CosineWaves

    /// The possible numbers of columns and rows of components.
    static let componentCounts = 1...9
    /// The digits of base 83, in the order of their values.
    static let digits = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)
    private static let digitValues = Dictionary(
        uniqueKeysWithValues: digits.enumerated().map { (key: $0.element, value: $0.offset) })

    /// Returns the number of characters of a hash with these numbers of columns and rows.
    static func characterCount(columns: Int, rows: Int) -> Int { 4 + 2 * columns * rows }

    /// Creates a hash from its text. Throws `badData` if the text is not a BlurHash.
    public init(_ text: String) throws(ImageError) {
        let most = Self.characterCount(
            columns: Self.componentCounts.upperBound, rows: Self.componentCounts.upperBound)
        let length = text.utf8.count
        guard length > 0, length <= most else { throw Self.damaged(text, "has \(length) characters") }
        var values: [Int] = []
        for character in text.utf8 {
            guard let value = Self.digitValues[character] else {
                throw Self.damaged(text, "has a character outside the base-83 alphabet")
            }
            values.append(value)
        }
        let (columns, rows) = (values[0] % 9 + 1, values[0] / 9 + 1)
        guard Self.componentCounts.contains(rows) else {
            throw Self.damaged(text, "has \(rows) rows of components; at most 9 are allowed")
        }
        let count = Self.characterCount(columns: columns, rows: rows)
        guard length == count else {
            throw Self.damaged(text, "has \(length) characters; \(columns)x\(rows) components require \(count)")
        }
        func number(_ digits: Range<Int>) -> Int { values[digits].reduce(0) { $0 * 83 + $1 } }
        let mean = number(2..<6)
        guard mean <= 0xFF_FFFF else { throw Self.damaged(text, "has an average color of more than 24 bits") }
        let levels = [mean >> 16, mean >> 8 & 255, mean & 255].map { Double($0) / 255 }
        var waves = CosineWaves(columns: columns, rows: rows, phase: 0)
        waves[0, 0] = SIMD4(
            SRGBCurve.light(levels[0]), SRGBCurve.light(levels[1]), SRGBCurve.light(levels[2]), 0)
        let height = Double(values[1] + 1) / 166
        for index in 1..<columns * rows {
            let value = number(4 + 2 * index..<6 + 2 * index)
            guard value < 19 * 19 * 19 else { throw Self.damaged(text, "has a component that is out of range") }
            let amplitude = SIMD4(
                Self.amplitude(value / 361), Self.amplitude(value / 19 % 19), Self.amplitude(value % 19), 0)
            waves[index % columns, index / columns] = amplitude * height
        }
        self.text = text
        self.waves = waves
        averageColor = PixelColor(red: levels[0], green: levels[1], blue: levels[2])
    }

    /// Returns the amplitude, from -1 to 1, for a quantized value from 0 to 18.
    private static func amplitude(_ step: Int) -> Double {
        let part = Double(step - 9) / 9
        return part * abs(part)
    }

    /// Returns the blur as an image. Throws `limitExceeded` if a side is out of range, and `outOfMemory` if memory is
    /// short.
    /// - Parameters:
    ///   - size: The size in pixels, with sides from 1 to 1024. The hash does not contain the picture's aspect ratio.
    ///   - punch: The factor by which contrast is strengthened. Default: 1.
    public func image(size: PixelSize, punch: Double = 1) throws(ImageError) -> Image {
        let sides = 1...1024
        guard sides.contains(size.width), sides.contains(size.height) else {
            throw ImageError(
                .limitExceeded, stage: .decode, component: "BlurHash", subject: text,
                message: "cannot be drawn at \(size) pixels",
                advice: "pass sides from \(sides.lowerBound) to \(sides.upperBound) pixels")
        }
        var waves = waves
        for row in 0..<waves.rows {
            for column in 0..<waves.columns where (column, row) != (0, 0) { waves[column, row] *= punch }
        }
        return try waves.image(size: size, isOpaque: true) { light in
            SIMD4(Self.level(light.x), Self.level(light.y), Self.level(light.z), 255)
        }
    }

    /// Returns the nearest sRGB level, from 0 to 255, for an amount of light, from 0 (black) to 1 (white). NaN, which
    /// an infinite `punch` produces, becomes black.
    static func level(_ light: Double) -> UInt8 { UInt8(SRGBCurve.level(min(1, max(0, light))) * 255 + 0.5) }

    /// Returns the blur as a placeholder whose longer side has 32 pixels.
    /// - Parameter shape: A size with the wanted aspect ratio; nil or empty for that of the grid of components.
    func placeholder(shape: PixelSize?) throws(ImageError) -> Image {
        let shape = shape.flatMap { $0.isEmpty ? nil : $0 } ?? PixelSize(waves.columns, waves.rows)
        let side = CosineWaves.drawnSide
        return try image(size: shape.fitting(PixelSize(side, side), enlarging: true))
    }

    private static func damaged(_ text: String, _ message: String) -> ImageError {
        ImageError(
            .badData, stage: .decode, component: "BlurHash",
            subject: String(decoding: text.utf8.prefix(40), as: UTF8.self),
            message: "is not a valid BlurHash: it \(message)",
            advice: "check that the text was copied completely")
    }
}
