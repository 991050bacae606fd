import Calotype
import CalotypeTransformers
import Testing

@Suite(.timeLimit(.minutes(5)))
struct GradientTransformerTests {
    private static let red = PixelColor(red: 1, green: 0, blue: 0)

    /// Returns red at each pixel of a black picture with a red gradient.
    private func shares(
        _ gradient: GradientTransformer, _ size: PixelSize, _ format: PixelFormat = .rgba16
    ) throws -> [[Double]] {
        let black = Image(pixels: try PixelBuffer.drawn(size, format) { _, _ in .black })
        let made = try gradient.transform(black, context: TransformContext()).pixels
        return (0..<size.height).map { y in (0..<size.width).map { x in made.color(x: x, y: y).red } }
    }

    @Test(arguments: PixelFormat.allCases)
    func `the color grows evenly in the four directions`(format: PixelFormat) throws {
        for degrees in [180.0, 0, 90, -90] {
            let shares = try shares(GradientTransformer(Self.red, degrees: degrees), PixelSize(7, 5), format)
            for y in 0..<5 {
                for x in 0..<7 {
                    let (right, down) = ((Double(x) + 0.5) / 7, (Double(y) + 0.5) / 5)
                    let expected: Double
                    switch degrees {
                    case 180: expected = down
                    case 0: expected = 1 - down
                    case 90: expected = right
                    default: expected = 1 - right
                    }
                    #expect(abs(shares[y][x] - expected) < 0.503 / 255, "\(degrees) \(x),\(y)")
                }
            }
        }
    }

    @Test func `an oblique gradient begins and ends at the corners`() throws {
        // For 45 degrees, the way is the sum of the sides by the square root of two, from the lower left corner.
        let shares = try shares(GradientTransformer(Self.red, degrees: 45), PixelSize(6, 4))
        for y in 0..<4 {
            for x in 0..<6 {
                let expected = (Double(x) + 0.5 + Double(4 - y) - 0.5) / 10
                #expect(abs(shares[y][x] - expected) < 1e-4)
            }
        }
    }

    @Test func `start and end limit the gradient`() throws {
        let shares = try shares(
            GradientTransformer(Self.red, degrees: 90, start: 0.2, end: 0.6), PixelSize(10, 1))[0]
        for (x, share) in shares.enumerated() {
            #expect(abs(share - min(max(((Double(x) + 0.5) / 10 - 0.2) / 0.4, 0), 1)) < 1e-4)
        }
        let edge = try self.shares(
            GradientTransformer(Self.red, degrees: 90, start: 0.5, end: 0.1), PixelSize(10, 1))[0]
        #expect(edge == [0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
    }

    @Test func `a translucent color and a mode apply to the whole gradient`() throws {
        let half = PixelColor(red: 1, green: 0, blue: 0, alpha: 0.5)
        #expect(abs(try shares(GradientTransformer(half, end: 0), PixelSize(1, 1))[0][0] - 0.5) < 1e-4)
        let gray = Image(
            pixels: try PixelBuffer.drawn(PixelSize(1, 2)) { _, _ in PixelColor(red: 0.4, green: 0.4, blue: 0.4) })
        let made = try GradientTransformer(Self.red, start: 0.5, end: 0, mode: .multiply)
            .transform(gray, context: TransformContext()).pixels
        #expect(made.color(x: 0, y: 0).channels == [0.4, 0.4, 0.4, 1])
        #expect(made.color(x: 0, y: 1).channels == [0.4, 0, 0, 1])
    }

    @Test func `opaque and gray pictures stay so if the gradient permits`() throws {
        let layout = PixelLayout(size: PixelSize(4, 4), isOpaque: true, isGray: true)
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: layout.size))
        try builder.fill(.white)
        let image = Image(pixels: builder.finish(isOpaque: true, isGray: true))
        func made(_ gradient: GradientTransformer) throws -> PixelBuffer {
            try gradient.transform(image, context: TransformContext()).pixels
        }
        let black = try made(GradientTransformer(.black))
        #expect(black.isOpaque && black.isGray)
        let red = try made(GradientTransformer(Self.red))
        #expect(red.isOpaque && !red.isGray)
        let copied = try made(GradientTransformer(.black, mode: .copy))
        #expect(!copied.isOpaque && copied.color(x: 0, y: 0).alpha < 0.5)
    }

    @Test func `a transparent color changes nothing, and invalid numbers are errors`() throws {
        let image = Image(pixels: try PixelBuffer.places(PixelSize(3, 3)))
        #expect(
            try GradientTransformer(.clear).transform(image, context: TransformContext()).isIdentical(to: image))
        for gradient in [
            GradientTransformer(.black, degrees: .nan), GradientTransformer(.black, degrees: .infinity),
            GradientTransformer(.black, start: -0.1), GradientTransformer(.black, end: .nan),
        ] {
            #expect(throws: ImageError.self) { try gradient.transform(image, context: TransformContext()) }
        }
    }
}
