import Calotype
import CalotypeTransformers
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ExtendTransformerTests {
    private let red = PixelColor(red: 1, green: 0, blue: 0)

    private func made(_ transformer: some Transformer, _ pixels: PixelBuffer) throws -> PixelBuffer {
        try transformer.transform(Image(pixels: pixels), context: TransformContext()).pixels
    }

    // MARK: Larger canvases

    static let areas: [(ExtendArea, Anchor, size: PixelSize, x: Int, y: Int)] = [
        (.margins(Margins(3)), .center, PixelSize(16, 12), 3, 3),
        (.margins(Margins(top: 1, right: 2, bottom: 3, left: 4)), .center, PixelSize(16, 10), 4, 1),
        (.size(PixelSize(20, 2)), .center, PixelSize(20, 6), 5, 0),
        (.size(PixelSize(20, 10)), .bottomRight, PixelSize(20, 10), 10, 4),
        (.size(PixelSize(20, 10)), Anchor(x: 0.2, y: 0), PixelSize(20, 10), 2, 0),
        (.aspectRatio(width: 1, height: 1), .top, PixelSize(10, 10), 0, 0),
        (.aspectRatio(width: 3, height: 1), .right, PixelSize(18, 6), 8, 0),
    ]

    @Test(arguments: PixelFormat.allCases, 0..<ExtendTransformerTests.areas.count)
    func `a canvas contains the picture and the background`(format: PixelFormat, index: Int) throws {
        let (area, anchor, size, left, top) = Self.areas[index]
        let source = try PixelBuffer.places(PixelSize(10, 6)).converted(to: format)
        let pixels = try made(ExtendTransformer(area, anchor: anchor, background: .white), source)
        #expect(pixels.size == size)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let isInside = (left..<left + 10).contains(x) && (top..<top + 6).contains(y)
                let color = pixels.color(x: x, y: y)
                if isInside { #expect(color.place == [x - left, y - top]) } else { #expect(color == .white) }
            }
        }
    }

    @Test(arguments: PixelFormat.allCases)
    func `edges are repeated or mirrored`(format: PixelFormat) throws {
        let source = try PixelBuffer.places(PixelSize(3, 2)).converted(to: format)
        let area = ExtendArea.margins(Margins(top: 3, right: 1, bottom: 0, left: 8))
        let copied = try made(ExtendTransformer(area, edge: .copy), source)
        let mirrored = try made(ExtendTransformer(area, edge: .mirror), source)
        for y in 0..<5 {
            for x in 0..<12 {
                #expect(copied.color(x: x, y: y).place == [min(max(x - 8, 0), 2), max(y - 3, 0)])
                let place = [[1, 0, 0, 1, 2, 2, 1, 0, 0, 1, 2, 2][x], [1, 1, 0, 0, 1][y]]
                #expect(mirrored.color(x: x, y: y).place == place)
            }
        }
    }

    @Test func `the picture can lie on its own blur`() throws {
        let source = try PixelBuffer.drawn(PixelSize(40, 20)) { x, _ in x < 20 ? .black : .white }
        let pixels = try made(ExtendTransformer(.size(PixelSize(40, 40)), edge: .blur, sigma: 5), source)
        #expect(pixels.size == PixelSize(40, 40))
        #expect(pixels.color(x: 19, y: 20) == .black && pixels.color(x: 20, y: 20) == .white)
        // Enlarged twice, and cut off left and right.
        let (left, middle, right) = (pixels.color(x: 2, y: 2), pixels.color(x: 20, y: 2), pixels.color(x: 37, y: 2))
        #expect(left.red < 0.01 && right.red > 0.99)
        #expect((0.4..<0.6).contains(middle.red))
        #expect((0..<40).allSatisfy { pixels.color(x: $0, y: 0).alpha == 1 })
    }

    @Test(arguments: ExtendTransformer.Edge.allCases)
    func `claims stay true`(edge: ExtendTransformer.Edge) throws {
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(4, 4)))
        try builder.fill(.white)
        let source = builder.finish(isOpaque: true, isGray: true)
        for background in [PixelColor.clear, .black, red] {
            let pixels = try made(ExtendTransformer(.margins(Margins(2)), edge: edge, background: background), source)
            #expect(pixels.isOpaque == (edge != .color || background.alpha == 1))
            #expect(pixels.isGray == (edge != .color || background != red))
        }
    }

    @Test func `a picture that fills its canvas is not copied`() throws {
        let image = Image(pixels: try PixelBuffer.places(PixelSize(4, 4)))
        for area in [ExtendArea.margins(Margins(0)), .size(PixelSize(2, 2)), .aspectRatio(width: 7, height: 7)] {
            let made = try ExtendTransformer(area).transform(image, context: TransformContext())
            #expect(made.isIdentical(to: image))
        }
    }

    @Test func `a canvas beyond the limits is an error`() throws {
        let image = Image(pixels: try PixelBuffer.places(PixelSize(4, 4)))
        for area in [
            ExtendArea.margins(Margins(1_000_000)), .size(PixelSize(.max, .max)), .aspectRatio(width: .max, height: 1),
        ] {
            for (edge, anchor) in zip(ExtendTransformer.Edge.allCases, [Anchor.center, .right, .bottomRight, .left]) {
                let error = #expect(throws: ImageError.self) {
                    try ExtendTransformer(area, edge: edge, anchor: anchor)
                        .transform(image, context: TransformContext())
                }
                #expect(error?.code == .limitExceeded)
            }
        }
    }

    @Test(arguments: [
        ("20", ExtendArea.margins(Margins(20))),
        ("10+20", .margins(Margins(top: 10, right: 20, bottom: 10, left: 20))),
        ("1+2+3+4", .margins(Margins(top: 1, right: 2, bottom: 3, left: 4))), ("800x600", .size(PixelSize(800, 600))),
        ("16:9", .aspectRatio(width: 16, height: 9)),
    ])
    func `an area and its text stand for each other`(text: String, area: ExtendArea) {
        #expect(ExtendArea(contextText: text) == area)
        #expect(area.contextText == text)
    }

    @Test(arguments: ["", "-1", "1+2+3", "1+", "1000001", "20x", "5x5+1+1", "1:0", "9999999999999999999"])
    func `an invalid area is refused`(text: String) {
        #expect(ExtendArea(contextText: text) == nil)
    }

    // MARK: Trimming

    @Test(arguments: PixelFormat.allCases)
    func `trimming keeps what differs from the edge`(format: PixelFormat) throws {
        let source = try PixelBuffer.drawn(PixelSize(20, 12), format) { x, y in
            (x, y) == (5, 3) || (x, y) == (11, 8) ? red : .white
        }
        let pixels = try made(TrimTransformer(), source)
        #expect(pixels.size == PixelSize(7, 6))
        #expect(pixels.color(x: 0, y: 0) == red && pixels.color(x: 6, y: 5) == red)
    }

    @Test(arguments: [(0.0, 11), (0.04, 11), (0.07, 10), (0.1, 8), (0.3, 2), (0.5, 12)])
    func `a tolerance allows for differences`(tolerance: Double, width: Int) throws {
        // Levels fall from the left and from the right.
        let levels = [1, 0.92, 0.8, 0.8, 0.8, 0.6, 0.6, 0.8, 0.8, 0.8, 0.92, 0.94]
        let source = try PixelBuffer.drawn(PixelSize(12, 3)) { x, _ in
            PixelColor(red: 1, green: levels[x], blue: 1)
        }
        #expect(try made(TrimTransformer(tolerance: tolerance), source).width == width)
    }

    @Test func `transparent pixels are equal whatever their color`() throws {
        let source = try PixelBuffer.drawn(PixelSize(9, 9)) { x, y in
            (x, y) == (4, 4) ? red : PixelColor(red: Double(x) / 9, green: Double(y) / 9, blue: 0, alpha: 0)
        }
        #expect(try made(TrimTransformer(), source).size == PixelSize(1, 1))
    }

    @Test func `the color of the edge can be given`() throws {
        let source = try PixelBuffer.drawn(PixelSize(9, 3)) { x, _ in x < 3 ? red : x < 6 ? .white : .black }
        #expect(try made(TrimTransformer(), source).width == 6)
        #expect(try made(TrimTransformer(color: .black), source).width == 6)
        #expect(try made(TrimTransformer(color: .white), source).width == 9)
    }

    @Test func `a picture of one color stays as it is`() throws {
        let image = Image(pixels: try PixelBuffer.drawn(PixelSize(5, 5)) { _, _ in red })
        #expect(try TrimTransformer().transform(image, context: TransformContext()).isIdentical(to: image))
    }
}
