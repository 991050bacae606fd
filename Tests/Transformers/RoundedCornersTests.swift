import Calotype
import CalotypeTransformers
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RoundedCornersTests {
    private let red = PixelColor(red: 1, green: 0, blue: 0)

    private func filled(_ size: PixelSize, _ format: PixelFormat = .rgba8, _ color: PixelColor? = nil) throws -> Image {
        Image(pixels: try PixelBuffer.drawn(size, format) { _, _ in color ?? red })
    }

    private func made(_ transformer: some Transformer, _ image: Image) throws -> PixelBuffer {
        try transformer.transform(image, context: TransformContext()).pixels
    }

    /// Returns the part of a pixel within a rounded rectangle, by counting points of a fine grid.
    private func part(
        x: Int, y: Int, _ size: PixelSize, radius: Double, inset: Double = 0, corners: RoundedCornersTransformer.Corners
    ) -> Double {
        let (width, height) = (Double(size.width), Double(size.height))
        let steps = 20
        var count = 0
        for row in 0..<steps {
            for column in 0..<steps {
                let px = Double(x) + (Double(column) + 0.5) / Double(steps)
                let py = Double(y) + (Double(row) + 0.5) / Double(steps)
                guard px >= inset, py >= inset, px <= width - inset, py <= height - inset else { continue }
                let corner: RoundedCornersTransformer.Corners =
                    py < height / 2
                    ? (px < width / 2 ? .topLeft : .topRight) : px < width / 2 ? .bottomLeft : .bottomRight
                let r = corners.contains(corner) ? max(0, min(radius, min(width, height) / 2) - inset) : 0
                let dx = max(0, r - min(px - inset, width - inset - px))
                let dy = max(0, r - min(py - inset, height - inset - py))
                if dx * dx + dy * dy <= r * r { count += 1 }
            }
        }
        return Double(count) / Double(steps * steps)
    }

    @Test(
        arguments: [0.0, 0.5, 3, 7.3, 500],
        [PixelSize(24, 24), PixelSize(31, 18), PixelSize(1, 9), PixelSize(2, 2)])
    func `alpha is the part of each pixel inside`(radius: Double, size: PixelSize) throws {
        for corners in [RoundedCornersTransformer.Corners.all, [.topLeft], [.topRight, .bottomLeft], []] {
            let transformer = RoundedCornersTransformer(radius: .pixels(radius), corners: corners)
            let pixels = try made(transformer, filled(size, .rgbaFloat))
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let color = pixels.color(x: x, y: y)
                    let expected = part(x: x, y: y, size, radius: radius, corners: corners)
                    #expect(abs(color.alpha - expected) < 0.03, "\(x), \(y)")
                    if color.alpha > 0 { #expect(color.red == 1 && color.green == 0) }
                }
            }
        }
    }

    @Test(arguments: PixelFormat.allCases, [0.25, 0.5, 2])
    func `a border is drawn inside the edge`(format: PixelFormat, width: Double) throws {
        let size = PixelSize(40, 30)
        let transformer = RoundedCornersTransformer(
            radius: 10, borderWidth: .pixels(width), borderColor: PixelColor(red: 0, green: 0, blue: 1))
        let pixels = try made(transformer, filled(size, format))
        for y in 0..<size.height {
            for x in 0..<size.width {
                let color = pixels.color(x: x, y: y)
                let outer = part(x: x, y: y, size, radius: 10, corners: .all)
                let inner = part(x: x, y: y, size, radius: 10, inset: width, corners: .all)
                #expect(abs(color.alpha - outer) < 0.03, "\(x), \(y)")
                guard outer > 0.2 else { continue }
                #expect(abs(color.red - inner / outer) < 0.05, "\(x), \(y)")
                #expect(abs(color.blue - (1 - inner / outer)) < 0.05, "\(x), \(y)")
            }
        }
    }

    @Test func `a picture without rounded corners and border is not copied`() throws {
        let image = try filled(PixelSize(4, 4))
        let pixels = try made(RoundedCornersTransformer(radius: 0), image)
        func address(_ pixels: PixelBuffer) -> UnsafeRawPointer? { pixels.withUnsafeBytes { $0.baseAddress } }
        #expect(address(pixels) == address(image.pixels))
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, -1, 1e300, -1e300])
    func `absurd lengths and colors do not trap`(number: Double) throws {
        let color = PixelColor(red: number, green: 1, blue: 0, alpha: number)
        for length in [Length.pixels(number), .percent(number)] {
            for transformer in [
                RoundedCornersTransformer(radius: length, borderWidth: 1, borderColor: color),
                RoundedCornersTransformer(radius: 3, borderWidth: length, borderColor: color),
            ] {
                for format in PixelFormat.allCases {
                    let pixels = try made(transformer, filled(PixelSize(9, 7), format))
                    let alpha = pixels.color(x: 4, y: 3).alpha
                    #expect((0...1).contains(alpha))
                }
            }
            #expect(try made(CircleTransformer(borderWidth: length), filled(PixelSize(9, 7))).size == PixelSize(7, 7))
        }
    }

    @Test func `gray pictures stay gray with a gray border, and square ones opaque`() throws {
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(8, 8)))
        try builder.fill(PixelColor(red: 0.5, green: 0.5, blue: 0.5))
        let image = Image(pixels: builder.finish(isOpaque: true, isGray: true))
        let square = try made(RoundedCornersTransformer(radius: 0, borderWidth: 1, borderColor: .white), image)
        #expect(square.isOpaque && square.isGray)
        let round = try made(RoundedCornersTransformer(radius: 2, borderWidth: 1, borderColor: red), image)
        #expect(!round.isOpaque && !round.isGray)
    }

    @Test func `a circle is cut out of the anchored square`() throws {
        let image = Image(pixels: try PixelBuffer.places(PixelSize(60, 40)))
        let pixels = try made(CircleTransformer(anchor: .right), image)
        #expect(pixels.size == PixelSize(40, 40))
        #expect(pixels.color(x: 20, y: 20).place == [40, 20])
        #expect(pixels.color(x: 0, y: 0) == .clear)
        #expect(pixels.color(x: 0, y: 20).alpha > 0.9)
    }

    @Test func `per cent are of the shorter side`() throws {
        let image = try filled(PixelSize(40, 20))
        let percent = try made(RoundedCornersTransformer(radius: .percent(25)), image)
        let pixels = try made(RoundedCornersTransformer(radius: 5), image)
        for x in 0..<20 { #expect(percent.color(x: x, y: 0) == pixels.color(x: x, y: 0)) }
    }

    @Test func `corners have texts`() {
        typealias Corners = RoundedCornersTransformer.Corners
        let texts: [(Corners, String)] = [
            (.all, "all"), ([], "none"), ([.topLeft, .bottomRight], "topLeft+bottomRight"),
        ]
        for (corners, text) in texts {
            #expect(corners.contextText == text)
            #expect(Corners(contextText: text) == corners)
        }
        #expect(Corners(contextText: "topLeft+") == nil)
        #expect(Corners(contextText: "top") == nil)
    }
}
