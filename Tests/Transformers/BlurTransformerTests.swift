import Calotype
import CalotypeTransformers
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Blurs are compared with the normal distribution in double precision.
@Suite(.timeLimit(.minutes(5)))
struct BlurTransformerTests {
    private func blurred(_ pixels: PixelBuffer, _ sigma: Double) throws -> PixelBuffer {
        try BlurTransformer(sigma: sigma).transform(Image(pixels: pixels), context: TransformContext()).pixels
    }

    /// Returns a line blurred with all weights that matter. Beyond its ends, the line continues with its last value.
    private func exact(_ line: [SIMD4<Double>], _ sigma: Double) -> [SIMD4<Double>] {
        let reach = Int((sigma * 6).rounded(.up))
        let weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
        let whole = weights.reduce(0, +)
        return line.indices.map { place in
            var sum = SIMD4<Double>.zero
            for (offset, weight) in zip(-reach...reach, weights) {
                sum += line[min(max(place + offset, 0), line.count - 1)] * (weight / whole)
            }
            return sum
        }
    }

    /// Returns the colors of blurred pixels, by row, multiplied by alpha.
    private func exact(_ pixels: PixelBuffer, _ sigma: Double) -> [[SIMD4<Double>]] {
        let rows = (0..<pixels.height).map { y in
            exact((0..<pixels.width).map { pixels.color(x: $0, y: y).premultiplied }, sigma)
        }
        let columns = (0..<pixels.width).map { x in exact(rows.map { $0[x] }, sigma) }
        return (0..<pixels.height).map { y in columns.map { $0[y] } }
    }

    /// Returns a picture with sharp edges, noise and transparent parts.
    private func picture(_ size: PixelSize, _ format: PixelFormat) throws -> PixelBuffer {
        var state: UInt64 = 7
        return try PixelBuffer.drawn(size, format) { x, y in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let noise = Double(state >> 40) / Double(1 << 24)
            return PixelColor(
                red: x < size.width / 3 ? 1 : noise, green: y < size.height / 2 ? 0 : 1, blue: noise,
                alpha: x % 7 < 2 ? 0 : y % 5 == 0 ? noise : 1)
        }
    }

    @Test(
        arguments: [0.3, 0.8, 1, 2, 3.5, 3.7, 6, 13, 60],
        [PixelSize(1, 1), PixelSize(1, 9), PixelSize(31, 1), PixelSize(44, 25)])
    func `a blur has the weights of the normal distribution`(sigma: Double, size: PixelSize) throws {
        for format in PixelFormat.allCases {
            let source = try picture(size, format)
            let made = try blurred(source, sigma)
            #expect(made.format == format)
            let expected = exact(source, sigma)
            // 8 bits: a wide blur is rounded twice, and weights are cut off.
            let tolerance = format == .rgba8 ? 2.0 / 255 : 8.0 / 65_535
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let difference = made.color(x: x, y: y).premultiplied - expected[y][x]
                    let largest = max(difference.max(), -difference.min())
                    #expect(largest <= tolerance, "\(format), \(x), \(y)")
                }
            }
        }
    }

    @Test(arguments: PixelFormat.allCases, [0.7, 5, 1000])
    func `an area of one color keeps its color and its claims`(format: PixelFormat, sigma: Double) throws {
        let color = PixelColor(red: 0.4, green: 0.4, blue: 0.4)
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(33, 21), format: format))
        try builder.fill(color)
        let source = builder.finish(isOpaque: true, isGray: true)
        let made = try blurred(source, sigma)
        #expect(made.isOpaque && made.isGray)
        for (x, y) in [(0, 0), (32, 0), (16, 10), (0, 20), (32, 20)] {
            #expect(made.color(x: x, y: y).alpha == 1)
            #expect(abs(made.color(x: x, y: y).red - source.color(x: 0, y: 0).red) <= 1e-6)
        }
    }

    @Test func `transparent pixels do not color their neighbors`() throws {
        let source = try PixelBuffer.drawn(PixelSize(20, 5)) { x, _ in
            x < 10 ? PixelColor(red: 1, green: 0, blue: 0) : PixelColor(red: 0, green: 1, blue: 0, alpha: 0)
        }
        for sigma in [1.5, 8] {
            let made = try blurred(source, sigma)
            for x in 0..<20 {
                #expect(made.color(x: x, y: 2).green == 0)
                if made.color(x: x, y: 2).alpha > 0 { #expect(made.color(x: x, y: 2).red == 1) }
            }
            #expect(made.color(x: 10, y: 2).alpha > 0.3)
        }
    }

    @Test(arguments: [2.0, 9, 31])
    func `a mirrored picture has a mirrored blur`(sigma: Double) throws {
        let size = PixelSize(41, 30)
        let source = try picture(size, .rgba16)
        let flip = FlipTransformer(.both)
        let context = TransformContext()
        let one = try flip.transform(Image(pixels: blurred(source, sigma)), context: context).pixels
        let other = try blurred(flip.transform(Image(pixels: source), context: context).pixels, sigma)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let difference = one.color(x: x, y: y).premultiplied - other.color(x: x, y: y).premultiplied
                #expect(max(difference.max(), -difference.min()) < 3.0 / 65_535, "\(x), \(y)")
            }
        }
    }

    @Test func `a blur of no width changes nothing`() throws {
        let image = Image(pixels: try PixelBuffer.places(PixelSize(9, 9)))
        let made = try BlurTransformer(sigma: 0).transform(image, context: TransformContext())
        #expect(made.isIdentical(to: image))
    }

    @Test(arguments: PixelFormat.allCases, [Double.leastNonzeroMagnitude, 1e-170])
    func `a tiny width is no error`(format: PixelFormat, sigma: Double) throws {
        let source = try PixelBuffer.places(PixelSize(9, 9)).converted(to: format)
        let steps: [any Transformer] = [
            .blur(sigma: sigma), .sharpen(amount: 2, sigma: sigma),
            .extend(.margins(Margins(1)), edge: .blur, sigma: sigma),
        ]
        for step in steps {
            let made = try step.transform(Image(pixels: source), context: TransformContext()).pixels
            let margin = (made.width - 9) / 2
            #expect(made.color(x: 4 + margin, y: 7 + margin).place == [4, 7], "\(step.key)")
        }
    }

    // MARK: Sharpening

    @Test(arguments: PixelFormat.allCases, [(0.5, 1.0, 0.0), (3, 2, 0.1), (100, 6, 0)])
    func `sharpening enlarges the difference from the blur`(
        format: PixelFormat, parameters: (amount: Double, sigma: Double, threshold: Double)
    ) throws {
        let source = try picture(PixelSize(30, 20), format)
        let transformer = SharpenTransformer(
            amount: parameters.amount, sigma: parameters.sigma, threshold: parameters.threshold)
        let made = try transformer.transform(Image(pixels: source), context: TransformContext()).pixels
        let soft = try blurred(source, parameters.sigma)
        let tolerance = (format == .rgba8 ? 0.5001 / 255 : format == .rgba16 ? 0.51 / 65_535 : 1e-5) + 1e-6
        for y in 0..<20 {
            for x in 0..<30 {
                let (old, blur, new) = (source.color(x: x, y: y), soft.color(x: x, y: y), made.color(x: x, y: y))
                #expect(new.alpha == old.alpha)
                for (channel, (level, mean)) in zip(new.channels, zip(old.channels, blur.channels)).prefix(3) {
                    let difference = level - mean
                    // A difference that equals the threshold may fall on either side.
                    guard abs(abs(difference) - parameters.threshold) > 1e-4 || parameters.threshold == 0 else {
                        continue
                    }
                    let isEnlarged = abs(difference) >= parameters.threshold && blur.alpha > 0
                    var expected = isEnlarged ? level + parameters.amount * difference : level
                    if format != .rgbaFloat { expected = min(max(expected, 0), 1) }
                    #expect(abs(channel - expected) <= tolerance * max(1, abs(expected)), "\(x), \(y)")
                }
            }
        }
    }

    // MARK: Blocks

    @Test(arguments: PixelFormat.allCases, [2, 3, 7, 20, 1_000_000])
    func `a block gets the average of its pixels`(format: PixelFormat, side: Int) throws {
        let size = PixelSize(23, 14)
        let source = try picture(size, format)
        let made = try PixelateTransformer(size: side).transform(Image(pixels: source), context: TransformContext())
            .pixels
        #expect(made.size == size)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let columns = x / side * side..<min(x / side * side + side, size.width)
                let rows = y / side * side..<min(y / side * side + side, size.height)
                var sum = SIMD4<Double>.zero
                for row in rows { for column in columns { sum += source.color(x: column, y: row).premultiplied } }
                let difference = made.color(x: x, y: y).premultiplied - sum / Double(columns.count * rows.count)
                let tolerance = format == .rgba8 ? 1.01 / 255 : 1.01 / 65_535
                #expect(max(difference.max(), -difference.min()) <= tolerance, "\(x), \(y)")
            }
        }
    }
}
