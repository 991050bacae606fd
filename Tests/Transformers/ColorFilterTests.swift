import Calotype
import CalotypeTesting
import CalotypeTransformers
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The filters are compared with the formulas of W3C, Filter Effects Module Level 1, in double precision.
@Suite(.timeLimit(.minutes(5)))
struct ColorFilterTests {
    struct Sample: Sendable, CustomStringConvertible {
        let filter: any ColorFilter
        /// Returns red, green and blue of the result.
        let formula: @Sendable (_ red: Double, _ green: Double, _ blue: Double) -> [Double]
        var description: String { filter.key }
    }

    /// Returns a sample of a filter that treats each channel for itself.
    private static func each(_ filter: any ColorFilter, _ formula: @escaping @Sendable (Double) -> Double) -> Sample {
        Sample(filter: filter) { [$0, $1, $2].map(formula) }
    }

    private static func gray(_ red: Double, _ green: Double, _ blue: Double) -> Double {
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    static let samples: [Sample] = [
        Sample(filter: GrayscaleTransformer()) { red, green, blue in
            Array(repeating: gray(red, green, blue), count: 3)
        },
        Sample(filter: GrayscaleTransformer(0.25)) { red, green, blue in
            [red, green, blue].map { 0.75 * $0 + 0.25 * gray(red, green, blue) }
        },
        Sample(filter: SepiaTransformer()) { red, green, blue in
            [
                0.393 * red + 0.769 * green + 0.189 * blue, 0.349 * red + 0.686 * green + 0.168 * blue,
                0.272 * red + 0.534 * green + 0.131 * blue,
            ]
        },
        each(SepiaTransformer(0)) { $0 },
        each(InvertTransformer()) { 1 - $0 }, each(InvertTransformer(0.25)) { 0.25 + 0.5 * $0 },
        each(BrightnessTransformer(0.5)) { 0.5 * $0 }, each(BrightnessTransformer(3)) { 3 * $0 },
        each(ContrastTransformer(0)) { _ in 0.5 }, each(ContrastTransformer(2)) { 2 * $0 - 0.5 },
        Sample(filter: SaturationTransformer(0)) { red, green, blue in
            Array(repeating: 0.213 * red + 0.715 * green + 0.072 * blue, count: 3)
        },
        Sample(filter: SaturationTransformer(1.5)) { red, green, blue in
            let luma = 0.213 * red + 0.715 * green + 0.072 * blue
            return [red, green, blue].map { luma + 1.5 * ($0 - luma) }
        },
        each(HueTransformer(degrees: 0)) { $0 }, each(HueTransformer(degrees: 360)) { $0 },
        // For a turn by 90 degrees, the cosine is 0 and the sine is 1.
        Sample(filter: HueTransformer(degrees: 90)) { red, green, blue in
            [
                0 * red + 0 * green + 1 * blue, 0.356 * red + 0.855 * green - 0.211 * blue,
                -0.574 * red + 1.43 * green + 0.144 * blue,
            ]
        },
        Sample(filter: DuotoneTransformer(dark: PixelColor(red: 0.2, green: 0, blue: 0.4), light: .white)) {
            let luma = gray($0, $1, $2)
            return [0.2 + 0.8 * luma, luma, 0.4 + 0.6 * luma]
        },
    ]

    private static let levels = [0, 51, 102, 128, 204, 255]

    private static func pixels(_ format: PixelFormat) throws -> PixelBuffer {
        try PixelBuffer.drawn(PixelSize(36, 6), format) { x, y in
            PixelColor(
                red: Double(levels[x % 6]) / 255, green: Double(levels[x / 6]) / 255, blue: Double(levels[y]) / 255,
                alpha: Double(levels[(x + y) % 6]) / 255)
        }
    }

    @Test(arguments: ColorFilterTests.samples, PixelFormat.allCases)
    func `a filter computes its formula`(sample: Sample, format: PixelFormat) throws {
        let source = try Self.pixels(format)
        let made = try sample.filter.transform(Image(pixels: source), context: TransformContext()).pixels
        #expect(made.format == format)
        let tolerance = format == .rgba8 ? 0.5001 / 255 : format == .rgba16 ? 0.51 / 65_535 : 1e-5
        for y in 0..<made.height {
            for x in 0..<made.width {
                let (before, after) = (source.color(x: x, y: y), made.color(x: x, y: y))
                #expect(after.alpha == before.alpha)
                let exact = sample.formula(before.red, before.green, before.blue)
                let expected = format == .rgbaFloat ? exact : exact.map { min(max($0, 0), 1) }
                for (channel, value) in zip(after.channels, expected) {
                    #expect(abs(channel - value) <= tolerance, "\(x), \(y)")
                }
            }
        }
    }

    @Test(arguments: ColorFilterTests.samples, PixelFormat.allCases)
    func `claims stay true, and gray pixels stay gray if the filter has no color of its own`(
        sample: Sample, format: PixelFormat
    ) throws {
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(256, 1), format: format))
        for x in 0..<256 {
            let level = Double(x) / 255
            try builder.fill(
                PixelColor(red: level, green: level, blue: level), in: PixelRegion(x: x, size: PixelSize(1, 1)))
        }
        let source = builder.finish(isOpaque: true, isGray: true)
        let made = try sample.filter.transform(Image(pixels: source), context: TransformContext()).pixels
        let colors = (0..<256).map { made.color(x: $0, y: 0) }
        #expect(made.isOpaque)
        #expect(colors.allSatisfy { $0.alpha == 1 })
        let isGray = colors.allSatisfy { $0.red == $0.green && $0.green == $0.blue }
        #expect(made.isGray == isGray)
        let isColoring = sample.filter is DuotoneTransformer || sample.filter is SepiaTransformer
        #expect(isGray || isColoring)
    }

    @Test func `matrices are multiplied in the order of their application`() {
        let brightThenInverted = BrightnessTransformer(0.5).matrix.followed(by: InvertTransformer().matrix)
        #expect(
            brightThenInverted
                == ColorMatrix(red: [-0.5, 0, 0, 0, 1], green: [0, -0.5, 0, 0, 1], blue: [0, 0, -0.5, 0, 1]))
        #expect(ColorMatrix.identity.followed(by: brightThenInverted) == brightThenInverted)
        #expect(brightThenInverted.followed(by: .identity) == brightThenInverted)
    }

    @Test func `a matrix can compute alpha`() throws {
        // Alpha becomes the green level, and all colors become white.
        let matrix = ColorMatrix([0, 0, 0, 0, 1] + [0, 0, 0, 0, 1] + [0, 0, 0, 0, 1] + [0, 1, 0, 0, 0])
        let source = try PixelBuffer.places(PixelSize(3, 200))
        let made = try ColorMatrixTransformer(matrix).transform(Image(pixels: source), context: TransformContext())
            .pixels
        #expect(made.isGray)
        #expect(!made.isOpaque)
        #expect(made.color(x: 1, y: 77) == PixelColor(red: 1, green: 1, blue: 1, alpha: 77.0 / 255))
    }

    @Test(arguments: PixelFormat.allCases)
    func `absurd coefficients and levels give numbers, and leave other channels alone`(format: PixelFormat) throws {
        let values = [Double.nan, .infinity, -.infinity, 1e300, -1e300, 0]
        for value in values {
            let matrix = ColorMatrix(
                red: Array(repeating: value, count: 5), green: [0, 1, 0, 0, 0], blue: [0, 0, 1, 0, 0])
            let source = try Self.pixels(format)
            let made = try ColorMatrixTransformer(matrix)
                .transform(Image(pixels: source), context: TransformContext()).pixels
            for x in 0..<36 {
                let (before, after) = (source.color(x: x, y: 2), made.color(x: x, y: 2))
                #expect(after.red.isFinite)
                #expect(Array(after.channels.dropFirst()) == Array(before.channels.dropFirst()))
            }
        }
    }

    @Test func `an infinite highlight does not spoil the other channels`() throws {
        for level in [Float.infinity, -.infinity, .nan] {
            var builder = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(1, 1), format: .rgbaFloat))
            builder.withUnsafeMutableBytes { memory in
                memory.storeBytes(of: SIMD4(level, 0.25, 0.5, 0.75), as: SIMD4<Float>.self)
            }
            let image = Image(pixels: builder.finish())
            let made = try BrightnessTransformer(0.5).transform(image, context: TransformContext()).pixels
            #expect(Array(made.color(x: 0, y: 0).channels.dropFirst()) == [0.125, 0.25, 0.75])
            #expect(made.color(x: 0, y: 0).red.isFinite)
        }
    }

    // MARK: Curves

    @Test(arguments: PixelFormat.allCases)
    func `a curve maps levels, and keeps alpha and claims`(format: PixelFormat) throws {
        let curves: [(any Transformer, (Double) -> Double)] = [
            (.gamma(2.2), { pow($0, 1 / 2.2) }), (.gamma(0.01), { pow($0, 100) }), (.gamma(1), { $0 }),
            (.exposure(stops: 1), { SRGB.level(2 * SRGB.light($0)) }),
            (.exposure(stops: -20), { SRGB.level(SRGB.light($0) / 1_048_576) }),
        ]
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(256, 1), format: format))
        for x in 0..<256 {
            let level = Double(x) / 255
            try builder.fill(
                PixelColor(red: level, green: level, blue: level, alpha: x == 7 ? 0.4 : 1),
                in: PixelRegion(x: x, size: PixelSize(1, 1)))
        }
        let source = builder.finish(isGray: true)
        for (transformer, formula) in curves {
            let made = try transformer.transform(Image(pixels: source), context: TransformContext()).pixels
            #expect(made.format == format && made.isGray)
            let tolerance = format == .rgba8 ? 0.5001 / 255 : format == .rgba16 ? 0.5001 / 65_535 : 1e-5
            for x in 0..<256 {
                let (before, after) = (source.color(x: x, y: 0), made.color(x: x, y: 0))
                #expect(after.alpha == before.alpha)
                let exact = formula(before.red)
                let expected = format == .rgbaFloat ? exact : min(exact, 1)
                #expect(abs(after.red - expected) <= tolerance, "\(transformer.key), \(x)")
                #expect(after.green == after.red && after.blue == after.red)
            }
        }
    }

    /// The curve of sRGB. Source: IEC 61966-2-1.
    private enum SRGB {
        static func light(_ level: Double) -> Double {
            level <= 0.04045 ? level / 12.92 : pow((level + 0.055) / 1.055, 2.4)
        }
        static func level(_ light: Double) -> Double {
            light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
        }
    }

    // MARK: Drawing

    @Test(arguments: PixelFormat.allCases)
    func `tinting gives visible pixels the color`(format: PixelFormat) throws {
        let source = try PixelBuffer.drawn(PixelSize(5, 2), format) { x, _ in
            PixelColor(red: 0.2, green: 0.4, blue: 0.6, alpha: Double(x) / 5)
        }
        let color = PixelColor(red: 1, green: 0, blue: 0)
        let made = try TintTransformer(color).transform(Image(pixels: source), context: TransformContext()).pixels
        for x in 1..<5 {
            let tinted = made.color(x: x, y: 1)
            #expect(tinted.red == 1 && tinted.green == 0 && tinted.blue == 0)
            #expect(abs(tinted.alpha - source.color(x: x, y: 1).alpha) < 1e-6)
        }
        #expect(made.color(x: 0, y: 0).alpha == 0)
        let multiplied = try TintTransformer(color, mode: .multiply)
            .transform(Image(pixels: source), context: TransformContext()).pixels.color(x: 4, y: 0)
        #expect(multiplied.green < 0.1)
    }

    @Test(arguments: BlendMode.allCases, PixelFormat.allCases)
    func `tinting keeps opaque and gray only if all pixels are`(mode: BlendMode, format: PixelFormat) throws {
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(8, 1), format: format))
        for x in 0..<8 {
            let level = Double(x) / 7
            try builder.fill(
                PixelColor(red: level, green: level, blue: level), in: PixelRegion(x: x, size: PixelSize(1, 1)))
        }
        let image = Image(pixels: builder.finish(isOpaque: true, isGray: true))
        for color in [
            PixelColor(red: 0.4, green: 0.4, blue: 0.4), PixelColor(red: 0.4, green: 0.4, blue: 0.4, alpha: 0.6),
        ] {
            let made = try TintTransformer(color, mode: mode).transform(image, context: TransformContext()).pixels
            let colors = (0..<8).map { made.color(x: $0, y: 0) }
            #expect(made.isOpaque == colors.allSatisfy { $0.alpha == 1 }, "\(color.alpha)")
            #expect(made.isGray)
            #expect(colors.allSatisfy { $0.red == $0.green && $0.green == $0.blue })
        }
    }

    @Test func `a transparent tint changes nothing`() throws {
        let image = Image(pixels: try PixelBuffer.places(PixelSize(3, 3)))
        let made = try TintTransformer(.clear, mode: .copy).transform(image, context: TransformContext())
        #expect(made.isIdentical(to: image))
    }

    @Test(arguments: PixelFormat.allCases)
    func `flattening makes pixels opaque`(format: PixelFormat) throws {
        let source = try PixelBuffer.drawn(PixelSize(6, 1), format) { x, _ in
            PixelColor(red: 1, green: 0, blue: 0, alpha: Double(x) / 5)
        }
        let made = try FlattenTransformer().transform(Image(pixels: source), context: TransformContext()).pixels
        #expect(made.isOpaque)
        for x in 0..<6 {
            let (color, rest) = (made.color(x: x, y: 0), 1 - source.color(x: x, y: 0).alpha)
            #expect(color.red == 1 && color.alpha == 1)
            #expect(abs(color.green - rest) <= (format == .rgba8 ? 0.5001 / 255 : 1e-5))
        }
        let opaque = Image(pixels: made)
        #expect(try FlattenTransformer().transform(opaque, context: TransformContext()).isIdentical(to: opaque))
    }

    // MARK: One pass

    private static let chain: [any Transformer] = [
        .brightness(2), .contrast(0.5), .saturation(0.3), .sepia(), .hue(degrees: 70), .invert(),
    ]

    @Test(arguments: PixelFormat.allCases, [false, true])
    func `filters in a row make the same pixels in one pass`(format: PixelFormat, isGray: Bool) async throws {
        let drawn = try PixelBuffer.drawn(PixelSize(64, 16), format) { x, y in
            let red = Double(x) / 63
            return PixelColor(
                red: red, green: isGray ? red : Double(y) / 15, blue: isGray ? red : 0.3, alpha: Double(x % 5) / 4)
        }
        var builder = try PixelBufferBuilder(copying: drawn)
        try builder.fill(.clear, in: PixelRegion(size: PixelSize(1, 1)))
        let image = Image(pixels: builder.finish(isGray: isGray))
        let context = TransformContext()
        for count in 2...Self.chain.count {
            let filters = Array(Self.chain.prefix(count))
            let expected = try filters.reduce(image) { try $1.transform($0, context: context) }.pixels
            var joined = filters[0]
            for next in filters.dropFirst() {
                joined = try #require((joined as? any JoiningTransformer)?.joined(with: next))
            }
            let made = try joined.transform(image, context: context).pixels
            #expect(made.bytes == expected.bytes)
            #expect(made.layout == expected.layout)
        }
    }

    @Test func `filters in a row are one step`() async throws {
        let manager = ImageManager(plugins: [.transformers], context: [.off(.imageCache)])
        manager.registry.loaders.add(FakeImageLoader(answer: .bytes(RawImageCoder.file(width: 4, height: 3))))
        manager.registry.coders.add(RawImageCoder())
        let recipe = "sepia(1)|contrast(1.5)|flip(horizontal)|invert(1)|gamma(2)"
        let request = ImageRequest(
            "fake://host/a.raw", context: [.transformers(try manager.registry.transformers(recipe: recipe))])
        let explanation = try await manager.explain(request)
        #expect(explanation.joinedTransformers == ["sepia(1)|contrast(1.5)"])
        #expect(explanation.description.contains("in one pass"))
        #expect(explanation.variant.variant.hasSuffix(recipe))
        let response = try await manager.response(for: request)
        let steps = response.metrics.steps.filter { $0.stage == .transform }.map(\.component)
        #expect(steps == ["sepia(1)|contrast(1.5)", "flip(horizontal)", "invert(1)", "gamma(2)"])
    }
}
