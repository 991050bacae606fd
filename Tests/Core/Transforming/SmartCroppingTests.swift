import Calotype
import CalotypeTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SmartCroppingTests {
    /// Returns a picture of one color with a colored square of 40 pixels.
    private func picture(
        _ size: PixelSize, squareAt place: (x: Int, y: Int), of color: PixelColor,
        format: PixelFormat = .rgba8
    ) throws -> PixelBuffer {
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: size, format: format))
        try builder.fill(PixelColor(red: 0.8, green: 0.8, blue: 0.8))
        try builder.fill(color, in: PixelRegion(x: place.x, y: place.y, size: PixelSize(40, 40)))
        return builder.finish()
    }

    private func filled(_ pixels: PixelBuffer, _ size: PixelSize, _ anchor: Anchor) throws -> PixelBuffer {
        try ResizeTransformer(size: size, mode: .fill, anchor: anchor)
            .transform(Image(pixels: pixels), context: TransformContext()).pixels
    }

    static let red = PixelColor(red: 0.9, green: 0.1, blue: 0.1)

    @Test(arguments: [Anchor.attention, .entropy], [10, 130, 270, 350])
    func `the part with the detail is kept, in its middle if possible`(anchor: Anchor, x: Int) throws {
        for format in PixelFormat.allCases {
            let source = try picture(PixelSize(400, 100), squareAt: (x, 30), of: Self.red, format: format)
            let made = try filled(source, PixelSize(100, 100), anchor)
            let columns = (0..<100).filter { made.color(x: $0, y: 50).green < 0.4 }
            // The places are found in a reduced picture.
            #expect(columns.count >= 38, "\(format)")
            guard anchor == .attention, let first = columns.first, let last = columns.last else { continue }
            let isAtEdge = x < 30 || x > 330
            #expect(isAtEdge || abs((99 - last) - first) <= 14, "\(first), \(last)")
        }
    }

    @Test func `skin draws more attention than other colors`() throws {
        var builder = try PixelBufferBuilder(copying: picture(PixelSize(400, 100), squareAt: (20, 30), of: Self.red))
        let skin = PixelColor(red: 0.87, green: 0.64, blue: 0.49)
        try builder.fill(skin, in: PixelRegion(x: 320, y: 30, size: PixelSize(40, 40)))
        let made = try filled(builder.finish(), PixelSize(100, 100), .attention)
        #expect((0..<100).filter { abs(made.color(x: $0, y: 50).green - 0.64) < 0.02 }.count >= 36)
    }

    @Test func `a transparent part draws no attention`() throws {
        let hidden = PixelColor(red: 0.9, green: 0.1, blue: 0.1, alpha: 0)
        var builder = try PixelBufferBuilder(copying: picture(PixelSize(400, 100), squareAt: (300, 30), of: Self.red))
        for x in stride(from: 0, to: 100, by: 4) {
            try builder.fill(hidden, in: PixelRegion(x: x, y: 0, size: PixelSize(2, 100)))
        }
        let made = try filled(builder.finish(), PixelSize(100, 100), .attention)
        #expect((0..<100).filter { made.color(x: $0, y: 50).green < 0.4 }.count == 40)
    }

    @Test(arguments: [Anchor.attention, .entropy])
    func `the middle of a picture without details is kept`(anchor: Anchor) throws {
        // The color changes from the left to the right, but only by half a step.
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(300, 20), format: .rgbaFloat))
        for x in 0..<300 {
            let level = 0.5 + Double(x) * 1e-7
            try builder.fill(
                PixelColor(red: level, green: level, blue: level), in: PixelRegion(x: x, size: PixelSize(1, 20)))
        }
        let made = try filled(builder.finish(), PixelSize(20, 20), anchor)
        #expect(abs((made.color(x: 10, y: 10).red - 0.5) * 1e7 - 150) < 4)
    }

    @Test(arguments: [PixelSize(1, 1), PixelSize(1, 500), PixelSize(3000, 1), PixelSize(7, 5)])
    func `narrow pictures are cropped as well`(size: PixelSize) throws {
        let source = try picture(size, squareAt: (0, 0), of: Self.red)
        for anchor in [Anchor.attention, .entropy] {
            for target in [PixelSize(1, 1), PixelSize(4, 3), PixelSize(900, 2)] {
                #expect(try filled(source, target, anchor).size == target)
            }
        }
    }

    @Test func `all frames of an animation are cropped alike`() async throws {
        // The second frame has its detail at the other end.
        var header = RawImageCoder.Header(width: 80, height: 20)
        header.frameCount = 2
        let file = RawImageCoder.file(header) { x, y, frame in
            let isDetail = frame == 0 ? x >= 60 : x < 20
            return isDetail ? SIMD4(UInt8(x * 3), UInt8(y * 12), 0, 255) : SIMD4(200, 200, 200, 255)
        }
        let manager = ImageManager(context: [.off(.imageCache)])
        manager.registry.coders.add(RawImageCoder())
        let crop = ResizeTransformer(size: PixelSize(20, 20), mode: .fill, anchor: .attention)
        let image = try await manager.decode(file, context: [.transformer(crop)])
        #expect(image.pixels.color(x: 0, y: 0).blue == 0)
        let second = try #require(try image.frames?.frame(1, job: Job()))
        #expect(second.color(x: 0, y: 0).blue > 0.7)
    }

    @Test func `the search ends if its job is cancelled`() throws {
        let job = Job()
        job.cancel()
        let source = try picture(PixelSize(50, 90), squareAt: (0, 0), of: Self.red)
        for anchor in [Anchor.attention, .entropy] {
            let error = #expect(throws: ImageError.self) {
                try ResizeTransformer(size: PixelSize(5, 5), mode: .fill, anchor: anchor)
                    .transform(Image(pixels: source), context: TransformContext(job: job))
            }
            #expect(error?.code == .cancelled)
        }
    }
}
