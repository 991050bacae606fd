extension ThumbHash {
    /// Creates the hash of an image. An animation is hashed by its first frame.
    ///
    /// Blocks while it reads the pixels. Throws `outOfMemory` if memory is short.
    public init(of image: Image) throws(ImageError) {
        let (size, colors) = try image.pixelsForHashing(isLinear: false)
        // Pixels are weighted by their alpha in the mean color.
        let sum = colors.reduce(into: SIMD4<Double>.zero) { $0 += $1.weighted }
        let mean = sum.w > 0 ? sum / sum.w : SIMD4<Double>.zero
        let hasAlpha = sum.w < Double(size.area)
        let isLandscape = size.width > size.height
        let longer = Self.Shape.longerSide(hasAlpha: hasAlpha)
        let exact = Double(longer * min(size.width, size.height)) / Double(max(size.width, size.height))
        let shorter = max(1, Int(exact.rounded()))
        let shape = Shape(hasAlpha: hasAlpha, isLandscape: isLandscape, shorter: shorter)

        // Transparent parts get the mean color, so that they add no waves.
        let values = colors.map { color -> SIMD4<Double> in
            let seen = color.weighted + mean * (1 - color.w)
            let luminance = (seen.x + seen.y + seen.z) / 3
            let yellow = (seen.x + seen.y) / 2 - seen.z
            return SIMD4(luminance, yellow, seen.x - seen.y, color.w)
        }
        let empty = shape.waves
        let waves = CosineWaves(
            of: values, size: size, columns: empty.columns, rows: empty.rows, phase: Self.phase)
        let means = waves[0, 0]
        let channels = shape.channels.enumerated().map { lane, channel -> [Double] in
            channel.waves.map { waves[$0.column, $0.row][lane] }
        }
        let heights = channels.map { channel -> Double in channel.reduce(0) { max($0, abs($1)) } }

        func steps(_ value: Double, of count: Double) -> Int { Int((value * count).rounded()) }
        var first = steps(means.x, of: 63)
        first |= steps((means.y + 1) / 2, of: 63) << 6
        first |= steps((means.z + 1) / 2, of: 63) << 12
        first |= steps(heights[0], of: 31) << 18
        if hasAlpha { first |= 1 << 23 }
        var second = shorter
        second |= steps(heights[1], of: 63) << 3
        second |= steps(heights[2], of: 63) << 9
        if isLandscape { second |= 1 << 15 }
        var bytes = [first & 255, first >> 8 & 255, first >> 16, second & 255, second >> 8]
        if hasAlpha { bytes.append(steps(means.w, of: 15) | steps(heights[3], of: 15) << 4) }
        // If all waves of a channel are zero, each is written as step 0; the height of the channel is zero.
        let written = zip(channels, heights).flatMap { channel, height -> [Int] in
            channel.map { height > 0 ? steps(0.5 + 0.5 / height * $0, of: 15) : 0 }
        }
        for index in stride(from: 0, to: written.count, by: 2) {
            let next = index + 1 < written.count ? written[index + 1] : 0
            bytes.append(written[index] | next << 4)
        }
        try self.init(Data(bytes.map { UInt8($0) }))
    }
}

extension SIMD4<Double> {
    /// The color with red, green and blue multiplied by alpha. Alpha is unchanged.
    fileprivate var weighted: SIMD4 { SIMD4(x * w, y * w, z * w, w) }
}
