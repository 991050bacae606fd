extension BlurHash {
    /// Creates the hash of an image. An animation is hashed by its first frame; transparent parts count as white.
    ///
    /// Blocks while it reads the pixels. Throws `encodeFailed` if the number of columns or rows is out of range. Throws
    /// `outOfMemory` if memory is short.
    /// - Parameters:
    ///   - image: The image.
    ///   - columns: The number of components across, from 1 to 9. Default: 4.
    ///   - rows: The number of components down, from 1 to 9. Default: 3.
    public init(of image: Image, columns: Int = 4, rows: Int = 3) throws(ImageError) {
        guard Self.componentCounts.contains(columns), Self.componentCounts.contains(rows) else {
            throw ImageError(
                .encodeFailed, stage: .encode, component: "BlurHash",
                message: "cannot create a BlurHash with \(columns)x\(rows) components",
                advice: "use 1 to 9 components in each direction")
        }
        let (size, colors) = try image.pixelsForHashing(isLinear: true)
        let light = colors.map { color -> SIMD4<Double> in
            let levels = color * color.w + SIMD4(repeating: 1 - color.w)
            return SIMD4(SRGBCurve.light(levels.x), SRGBCurve.light(levels.y), SRGBCurve.light(levels.z), 0)
        }
        let waves = CosineWaves(of: light, size: size, columns: columns, rows: rows, phase: 0)
        let components = (1..<columns * rows).map { waves[$0 % columns, $0 / columns] * 2 }
        let highest = components.reduce(0.0) { max($0, $1.max(), -$1.min()) }
        let step = Int(min(82, max(0, (highest * 166 - 0.5).rounded(.down))))
        let height = Double(step + 1) / 166

        var characters: [UInt8] = []
        func write(_ number: Int, digitCount: Int) {
            var rest = number
            var written: [UInt8] = []
            for _ in 0..<digitCount {
                written.append(Self.digits[rest % 83])
                rest /= 83
            }
            characters += written.reversed()
        }
        write(columns - 1 + (rows - 1) * 9, digitCount: 1)
        write(step, digitCount: 1)
        let mean = waves[0, 0]
        let levels = (Int(Self.level(mean.x)), Int(Self.level(mean.y)), Int(Self.level(mean.z)))
        write(levels.0 << 16 | levels.1 << 8 | levels.2, digitCount: 4)
        for component in components {
            let steps = component / height
            write(Self.step(steps.x) * 361 + Self.step(steps.y) * 19 + Self.step(steps.z), digitCount: 2)
        }
        try self.init(String(decoding: characters, as: UTF8.self))
    }

    /// Returns the quantized value, from 0 to 18, of an amplitude from -1 to 1.
    private static func step(_ amplitude: Double) -> Int {
        let part = abs(amplitude).squareRoot() * (amplitude < 0 ? -9 : 9)
        return Int(min(18, max(0, (part + 9.5).rounded(.down))))
    }
}
