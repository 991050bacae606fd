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

@Suite(.timeLimit(.minutes(5)))
struct RotateTransformerTests {
    private func rotated(_ pixels: PixelBuffer, _ transformer: RotateTransformer) throws -> PixelBuffer {
        try transformer.transform(Image(pixels: pixels), context: TransformContext()).pixels
    }

    // MARK: Quarter turns

    @Test(arguments: PixelFormat.allCases, [0.0, 90, 180, 270, -90, 360, 450, -180])
    func `a multiple of 90 degrees moves pixels`(format: PixelFormat, degrees: Double) throws {
        let (width, height) = (7, 5)
        let source = try PixelBuffer.places(PixelSize(width, height)).converted(to: format)
        let made = try rotated(source, RotateTransformer(degrees: degrees))
        let quarters = Int(degrees / 90) & 3
        #expect(made.size == (quarters.isMultiple(of: 2) ? source.size : PixelSize(height, width)))
        for y in 0..<made.height {
            for x in 0..<made.width {
                let place =
                    switch quarters {
                    case 0: [x, y]
                    // The left column, from the bottom, becomes the top row.
                    case 1: [y, height - 1 - x]
                    case 2: [width - 1 - x, height - 1 - y]
                    default: [width - 1 - y, x]
                    }
                #expect(made.color(x: x, y: y).place == place)
            }
        }
    }

    @Test func `a quarter turn on the same canvas keeps the middle`() throws {
        let source = try PixelBuffer.places(PixelSize(8, 4))
        let made = try rotated(source, RotateTransformer(degrees: 90, canvas: .keep))
        #expect(made.size == source.size)
        for y in 0..<4 {
            for x in 0..<8 {
                let color = made.color(x: x, y: y)
                // The middle four columns of the turned picture, which is 4 wide, from column 2 on.
                guard (2..<6).contains(x) else {
                    #expect(color.alpha == 0)
                    continue
                }
                #expect(color.place == [y + 2, 5 - x])
            }
        }
    }

    // MARK: Other angles

    /// Returns the weight of a pixel at a distance, for the cubic filter Catmull-Rom.
    private func weight(_ distance: Double) -> Double {
        let d = abs(distance)
        return d < 1 ? (1.5 * d - 2.5) * d * d + 1 : d < 2 ? ((-0.5 * d + 2.5) * d - 4) * d + 2 : 0
    }

    /// Returns the color of a picture at a place, multiplied by alpha. The picture is transparent beyond its edges.
    private func sample(_ pixels: PixelBuffer, _ x: Double, _ y: Double) -> SIMD4<Double> {
        var sum = SIMD4<Double>.zero
        for row in Int(y.rounded(.down)) - 1...Int(y.rounded(.down)) + 2 where (0..<pixels.height).contains(row) {
            for column in Int(x.rounded(.down)) - 1...Int(x.rounded(.down)) + 2
            where (0..<pixels.width).contains(column) {
                let weights = weight(x - Double(column)) * weight(y - Double(row))
                sum += pixels.color(x: column, y: row).premultiplied * weights
            }
        }
        return sum
    }

    @Test(
        arguments: [7.0, -7, 45, 89.9, 133, 200, 301.5],
        [PixelSize(1, 1), PixelSize(3, 1), PixelSize(40, 30), PixelSize(150, 9)])
    func `pixels are computed by the cubic filter`(degrees: Double, size: PixelSize) throws {
        for format in PixelFormat.allCases {
            // Smooth colors; the middle of a run of columns is transparent.
            let source = try PixelBuffer.drawn(size, format) { x, y in
                PixelColor(
                    red: Double(x) / Double(size.width), green: 0.5 + 0.5 * sin(Double(y)), blue: 0.25,
                    alpha: x % 9 == 4 ? 0 : x % 9 == 5 ? 0.5 : 1)
            }
            for canvas in RotateTransformer.Canvas.allCases {
                let made = try rotated(source, RotateTransformer(degrees: degrees, canvas: canvas))
                #expect(made.format == format)
                let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
                let (width, height) = (Double(size.width), Double(size.height))
                if canvas == .grow {
                    let exact = (width * abs(c) + height * abs(s), width * abs(s) + height * abs(c))
                    #expect((0..<1.000_001).contains(Double(made.width) - exact.0))
                    #expect((0..<1.000_001).contains(Double(made.height) - exact.1))
                } else {
                    #expect(made.size == size)
                }
                for y in 0..<made.height {
                    for x in 0..<made.width {
                        let dx = Double(x) + 0.5 - Double(made.width) / 2
                        let dy = Double(y) + 0.5 - Double(made.height) / 2
                        let exact = sample(
                            source, c * dx + s * dy + width / 2 - 0.5, c * dy - s * dx + height / 2 - 0.5)
                        let color = made.color(x: x, y: y)
                        let alpha = min(max(exact.w, 0), 1)
                        #expect(abs(color.alpha - alpha) < (format == .rgba8 ? 0.51 / 255 : 2e-5), "\(x), \(y)")
                        guard format != .rgbaFloat else {
                            // Alpha that is beyond its limits divides the colors, although it is limited then.
                            let scale = exact.w > 0 ? alpha / exact.w : 0
                            let difference = color.premultiplied - exact * scale
                            #expect(max(difference.max(), -difference.min()) < 2e-4 || exact.w < 0.01, "\(x), \(y)")
                            continue
                        }
                        guard exact.w > 0.1 else { continue }
                        for channel in 0..<3 {
                            let level = min(max(exact[channel] / exact.w, 0), 1)
                            let tolerance = format == .rgba8 ? 0.52 / 255 : 1e-4
                            #expect(abs(color.channels[channel] - level) < tolerance, "\(format), \(x), \(y)")
                        }
                    }
                }
            }
        }
    }

    @Test(arguments: PixelFormat.allCases)
    func `a background fills the corners and makes the picture opaque`(format: PixelFormat) throws {
        let blue = PixelColor(red: 0, green: 0, blue: 1)
        let source = try PixelBuffer.drawn(PixelSize(90, 70), format) { _, _ in .white }
        let made = try rotated(source, RotateTransformer(degrees: 30, background: blue))
        #expect(made.isOpaque)
        for (x, y) in [(0, 0), (made.width - 1, 0), (0, made.height - 1), (made.width - 1, made.height - 1)] {
            #expect(made.color(x: x, y: y) == blue)
        }
        for y in 0..<made.height {
            for x in 0..<made.width { #expect(made.color(x: x, y: y).alpha == 1) }
        }
        let middle = made.color(x: made.width / 2, y: made.height / 2)
        #expect(middle.channels.allSatisfy { abs($0 - 1) < 1e-5 })
    }

    @Test(arguments: PixelFormat.allCases, [30.0, 90])
    func `a picture is gray only if all pixels are`(format: PixelFormat, degrees: Double) throws {
        let backgrounds: [(PixelColor, isGray: Bool)] = [
            (.clear, true), (.black, true), (PixelColor(red: 1, green: 0, blue: 0, alpha: 0.5), false),
            (PixelColor(red: 0.5, green: 0.5, blue: 0.5, alpha: 0.5), true),
        ]
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(240, 200), format: format))
        try builder.fill(.white)
        let source = builder.finish(isOpaque: true, isGray: true)
        for (background, isGray) in backgrounds + [(PixelColor(red: 1, green: 0, blue: 0, alpha: 0), degrees == 30)] {
            let made = try rotated(source, RotateTransformer(degrees: degrees, canvas: .keep, background: background))
            let colors = (0..<200).flatMap { y in (0..<240).map { made.color(x: $0, y: y) } }
            #expect(colors.allSatisfy { $0.red == $0.green && $0.green == $0.blue } == isGray)
            #expect(made.isGray == isGray)
            #expect(colors.allSatisfy { $0.alpha == 1 } == (background.alpha == 1))
            let corner = made.color(x: 0, y: 0).premultiplied - background.premultiplied
            #expect(max(corner.max(), -corner.min()) < 0.003)
        }
    }

    @Test func `a quarter turn whose middle lies between pixels is computed`() throws {
        let source = try PixelBuffer.drawn(PixelSize(9, 4)) { _, _ in .white }
        let made = try rotated(source, RotateTransformer(degrees: 90, canvas: .keep))
        #expect(made.size == source.size)
        // The turned picture is 4 pixels wide. Its left edge lies in the middle of a pixel.
        #expect((0..<9).map { (made.color(x: $0, y: 2).alpha * 8).rounded() } == [0, 0, 4, 8, 8, 8, 4, 0, 0])
    }

    @Test func `a size beyond the limits is an error`() throws {
        let image = Image(pixels: try PixelBuffer.places(PixelSize(200, 1)))
        let values = ResolvedContext([.maxPixels(1_000)])
        #expect(throws: ImageError.self) {
            try RotateTransformer(degrees: 45).transform(image, context: TransformContext(values: values))
        }
    }
}
