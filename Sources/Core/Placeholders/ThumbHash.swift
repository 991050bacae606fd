/// A picture in about 25 bytes: its shape, its mean color and alpha, and a few waves, which can be drawn as a blur.
///
/// ```swift
/// let blur = try ThumbHash("0lkKHZJAWVqCiIiHiHh4hxBxB+R4").image()
/// ```
///
/// Source: evanw/thumbhash. There are three channels of color (luminance, yellow against blue, red against green), and
/// one of alpha if the picture has transparent parts. The height of a channel is the maximum amplitude of its waves.
/// The fields, least significant bits first, are: 24 bits for the means of the colors, the height of luminance and the
/// presence of alpha; 16 bits for the shape and the heights of the other colors; 8 bits for the mean and the height of
/// alpha, if present; and 4 bits for each wave.
public struct ThumbHash: Hashable, Sendable {
    /// The bytes of the hash.
    public let data: Data
    /// Whether the picture has transparent parts.
    public let hasAlpha: Bool
    /// The approximate ratio of the picture's width to its height, from 1:7 to 7:1.
    public let aspectRatio: Double

    /// The waves of luminance, yellow against blue, red against green, and alpha.
    private let waves: CosineWaves

    /// Creates a hash from its bytes. Throws `badData` if the bytes are not a ThumbHash.
    public init(_ data: Data) throws(ImageError) {
        guard data.count >= 5, data.count <= Self.mostBytes else {
            throw Self.damaged("it has \(data.count) bytes")
        }
        let bytes = data.map { Int($0) }
        let first = bytes[0] | bytes[1] << 8 | bytes[2] << 16
        let second = bytes[3] | bytes[4] << 8
        let hasAlpha = first >> 23 == 1
        let shape = Shape(hasAlpha: hasAlpha, isLandscape: second >> 15 == 1, shorter: second & 7)
        guard shape.columns > 0, shape.rows > 0 else {
            throw Self.damaged("its header describes a picture without a shape")
        }
        let channels = shape.channels
        let waveCount = channels.reduce(0) { $0 + $1.waves.count }
        let headerCount = hasAlpha ? 6 : 5
        let byteCount = headerCount + (waveCount + 1) / 2
        guard data.count == byteCount else {
            throw Self.damaged("it has \(data.count) bytes; its header requires \(byteCount)")
        }
        func part(_ word: Int, from bit: Int, count: Int) -> Double {
            let full = (1 << count) - 1
            return Double(word >> bit & full) / Double(full)
        }
        var waves = shape.waves
        var heights = [part(first, from: 18, count: 5)]
        // Colors are drawn a little stronger than they are stored, since small amplitudes are lost.
        for bit in [3, 9] { heights.append(part(second, from: bit, count: 6) * 1.25) }
        waves[0, 0] = SIMD4(
            part(first, from: 0, count: 6), 2 * part(first, from: 6, count: 6) - 1,
            2 * part(first, from: 12, count: 6) - 1, 1)
        if hasAlpha {
            waves[0, 0].w = part(bytes[5], from: 0, count: 4)
            heights.append(part(bytes[5], from: 4, count: 4))
        }
        var index = 0
        for (lane, channel) in channels.enumerated() {
            for wave in channel.waves {
                let step = part(bytes[headerCount + index / 2], from: index % 2 * 4, count: 4)
                waves[wave.column, wave.row][lane] = (2 * step - 1) * heights[lane] * 2
                index += 1
            }
        }
        self.data = data
        self.hasAlpha = hasAlpha
        self.waves = waves
        aspectRatio = Double(shape.columns) / Double(shape.rows)
    }

    /// Creates a hash from its bytes in base64, with or without padding. Throws `badData` if the text is not a
    /// ThumbHash.
    public init(_ text: String) throws(ImageError) {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard text.utf8.count <= 2 * Self.mostBytes, let data = Data(base64Encoded: text + padding) else {
            throw Self.damaged("its \(text.utf8.count) characters are not the Base64 of a hash")
        }
        try self.init(data)
    }

    /// The mean color of the picture, with the mean alpha.
    public var averageColor: PixelColor {
        let color = Self.color(waves[0, 0])
        return PixelColor(red: color.x, green: color.y, blue: color.z, alpha: color.w)
    }

    /// Returns the blur as an image with the aspect ratio of the picture. Its longer side has 32 pixels. Throws
    /// `outOfMemory` if memory is short.
    public func image() throws(ImageError) -> Image {
        let side = Double(CosineWaves.drawnSide)
        let (width, height) = (min(side, side * aspectRatio).rounded(), min(side, side / aspectRatio).rounded())
        return try waves.image(size: PixelSize(Int(width), Int(height)), isOpaque: !hasAlpha) { value in
            // Rounded down, as the algorithm specifies.
            let levels = Self.color(value) * 255
            return SIMD4(UInt8(levels.x), UInt8(levels.y), UInt8(levels.z), UInt8(levels.w))
        }
    }

    /// Converts a color of a hash to red, green, blue and alpha, each from 0 to 1.
    /// - Parameter value: The luminance, yellow minus blue, red minus green, and alpha.
    private static func color(_ value: SIMD4<Double>) -> SIMD4<Double> {
        let blue = value.x - 2 / 3 * value.y
        let red = (3 * value.x - blue + value.z) / 2
        return SIMD4(red, red - value.z, blue, value.w).clamped(
            lowerBound: .zero, upperBound: SIMD4(repeating: 1))
    }

    /// An upper bound on the number of bytes of a hash.
    private static let mostBytes = 32

    private static func damaged(_ message: String) -> ImageError {
        ImageError(
            .badData, stage: .decode, component: "ThumbHash", message: "is not a valid ThumbHash: \(message)",
            advice: "check that it was copied completely")
    }
}

extension ThumbHash {
    /// The shape of a hashed picture, which determines the waves that the hash contains.
    struct Shape {
        /// The number of horizontal luminance waves, as stored in the hash. A number below 3 counts as 3.
        let columns: Int
        /// The number of vertical luminance waves, as stored in the hash. A number below 3 counts as 3.
        let rows: Int
        private let hasAlpha: Bool

        /// Creates the shape from the fields of a hash.
        /// - Parameter shorter: The number of luminance waves along the shorter side.
        init(hasAlpha: Bool, isLandscape: Bool, shorter: Int) {
            let longer = Self.longerSide(hasAlpha: hasAlpha)
            (columns, rows) = isLandscape ? (longer, shorter) : (shorter, longer)
            self.hasAlpha = hasAlpha
        }

        /// Returns the number of luminance waves along the longer side: 7, or 5 for a picture with alpha.
        static func longerSide(hasAlpha: Bool) -> Int { hasAlpha ? 5 : 7 }

        /// All channels, in the order of the hash.
        var channels: [Channel] {
            let luminance = Channel(columns: max(3, columns), rows: max(3, rows))
            let color = Channel(columns: 3, rows: 3)
            return [luminance, color, color] + (hasAlpha ? [Channel(columns: 5, rows: 5)] : [])
        }

        /// A grid of waves that is large enough for all channels. All amplitudes are zero.
        var waves: CosineWaves {
            let channels = channels
            return CosineWaves(
                columns: channels.map(\.columns).max() ?? 1, rows: channels.map(\.rows).max() ?? 1,
                phase: ThumbHash.phase)
        }
    }

    /// A channel of a hash.
    struct Channel {
        let columns: Int
        let rows: Int

        /// The waves other than the mean, in the order of the hash. They form a triangle in the grid of waves.
        var waves: [(column: Int, row: Int)] {
            (0..<rows).flatMap { row in
                (0..<columns)
                    .filter { $0 * rows < columns * (rows - row) && ($0, row) != (0, 0) }
                    .map { (column: $0, row: row) }
            }
        }
    }

    /// The point of a pixel at which waves are sampled: its center.
    static let phase = 0.5
}
