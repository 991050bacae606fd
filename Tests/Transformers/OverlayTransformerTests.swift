import Calotype
import CalotypeTesting
import CalotypeTransformers
import Testing

@Suite(.timeLimit(.minutes(5)))
struct OverlayTransformerTests {
    private static let url = URL(string: "fake://host/logo.raw")!
    private static let red = PixelColor(red: 1, green: 0, blue: 0)

    private func picture(_ size: PixelSize, _ color: PixelColor, _ format: PixelFormat = .rgba8) throws -> Image {
        Image(pixels: try PixelBuffer.drawn(size, format) { _, _ in color })
    }

    /// Returns the pixels of a white picture that are not white under a red image.
    private func places(
        _ overlay: OverlayTransformer, of size: PixelSize, on whole: PixelSize, _ format: PixelFormat = .rgba8
    ) throws -> [PixelRegion] {
        let made = try overlay.transform(
            picture(whole, .white, format), with: [picture(size, Self.red)], context: TransformContext()
        ).pixels
        var regions: [PixelRegion] = []
        for y in 0..<whole.height {
            for x in 0..<whole.width where made.color(x: x, y: y).green < 1 {
                regions.append(PixelRegion(x: x, y: y, size: PixelSize(1, 1)))
            }
        }
        return regions
    }

    @Test(arguments: [
        (Anchor.center, 0, 4, 3), (.topLeft, 0, 0, 0), (.bottomRight, 0, 8, 6), (.topLeft, 1, 1, 1),
        (.bottomRight, 2, 6, 4), (Anchor(x: 0.25, y: 1), 0, 2, 6),
        // A margin that leaves no room.
        (.topLeft, 100, 4, 3),
    ])
    func `an image is placed by its anchor and margin`(anchor: Anchor, margin: Int, x: Int, y: Int) throws {
        for format in PixelFormat.allCases {
            let overlay = OverlayTransformer(Self.url, anchor: anchor, margin: .pixels(Double(margin)))
            let places = try places(overlay, of: PixelSize(2, 2), on: PixelSize(10, 8), format)
            #expect(places.map { [$0.x, $0.y] } == [[x, y], [x + 1, y], [x, y + 1], [x + 1, y + 1]])
        }
    }

    @Test func `a larger image is cut off`() throws {
        let overlay = OverlayTransformer(Self.url, anchor: .topLeft)
        #expect(try places(overlay, of: PixelSize(30, 2), on: PixelSize(10, 8)).count == 20)
    }

    @Test func `tiles cover the picture from the anchor, with gaps of the margin`() throws {
        let overlay = OverlayTransformer(Self.url, margin: 2, tiled: true)
        let places = try places(overlay, of: PixelSize(3, 3), on: PixelSize(11, 8))
        // In the middle, a tile covers the columns 4 to 6 and the rows 3 to 5; others are 5 pixels away.
        let columns: Set = [0, 1, 4, 5, 6, 9, 10]
        let rows: Set = [0, 3, 4, 5]
        #expect(Set(places.map(\.x)) == columns)
        #expect(Set(places.map(\.y)) == rows)
        #expect(places.count == columns.count * rows.count)
    }

    @Test(arguments: [BlendMode.normal, .copy, .destinationIn, .xor], PixelFormat.allCases)
    func `tiles are drawn like single images`(mode: BlendMode, format: PixelFormat) throws {
        let canvas = try PixelBuffer.drawn(PixelSize(23, 17), format) { x, y in
            PixelColor(red: Double(x) / 23, green: Double(y) / 17, blue: 0.5, alpha: Double((x + y) % 5) / 4)
        }
        let tile = try PixelBuffer.drawn(PixelSize(5, 3)) { x, y in
            PixelColor(red: Double(x) / 5, green: 0.2, blue: Double(y) / 3, alpha: Double(x) / 4)
        }
        let overlay = OverlayTransformer(
            Self.url, anchor: .bottomRight, margin: 1, opacity: 0.7, mode: mode, tiled: true)
        let made = try overlay.transform(
            Image(pixels: canvas), with: [Image(pixels: tile)], context: TransformContext()
        ).pixels
        var expected = try PixelBufferBuilder(copying: canvas)
        // The last tile ends at the right and lower edges.
        for y in stride(from: -2, to: 17, by: 4) {
            for x in stride(from: -6, to: 23, by: 6) {
                try expected.draw(tile, x: x, y: y, mode: mode, opacity: 0.7)
            }
        }
        let pixels = expected.finish()
        #expect(made.bytes == pixels.bytes)
    }

    @Test func `the width is in pixels or a part of the shorter side, and the shape is kept`() throws {
        for (width, size): (Length, PixelSize) in [(6, PixelSize(6, 3)), (.percent(50), PixelSize(10, 5))] {
            let overlay = OverlayTransformer(Self.url, anchor: .topLeft, width: width)
            let places = try places(overlay, of: PixelSize(4, 2), on: PixelSize(30, 20))
            #expect(places.count == size.area)
            #expect(places.last.map { [$0.x, $0.y] } == [size.width - 1, size.height - 1])
        }
    }

    @Test func `opacity and mode apply to the image`() throws {
        let gray = try picture(PixelSize(4, 4), PixelColor(red: 0.4, green: 0.4, blue: 0.4), .rgbaFloat)
        let half = try OverlayTransformer(Self.url, opacity: 0.5)
            .transform(gray, with: [picture(PixelSize(9, 9), Self.red)], context: TransformContext()).pixels
        for (channel, expected) in zip(half.color(x: 2, y: 2).channels, [0.7, 0.2, 0.2, 1]) {
            #expect(abs(channel - expected) < 1e-6)
        }
        let multiplied = try OverlayTransformer(Self.url, mode: .multiply)
            .transform(gray, with: [picture(PixelSize(9, 9), Self.red)], context: TransformContext()).pixels
        for (channel, expected) in zip(multiplied.color(x: 2, y: 2).channels, [0.4, 0, 0, 1]) {
            #expect(abs(channel - expected) < 1e-6)
        }
    }

    @Test func `an invisible image changes nothing, and absurd sizes are errors`() throws {
        let image = try picture(PixelSize(5, 5), .white)
        let logo = try picture(PixelSize(2, 2), Self.red)
        let same = try OverlayTransformer(Self.url, opacity: 0)
            .transform(image, with: [logo], context: TransformContext())
        #expect(same.pixels.bytes == image.pixels.bytes)
        for overlay in [
            OverlayTransformer(Self.url, width: 1e9), OverlayTransformer(Self.url, width: 1e300),
            OverlayTransformer(Self.url, opacity: 1.1), OverlayTransformer(Self.url, opacity: .nan),
        ] {
            #expect(throws: ImageError.self) {
                try overlay.transform(image, with: [logo], context: TransformContext())
            }
        }
    }

    @Test(arguments: PixelFormat.allCases)
    func `a mask of alpha or luminance makes pixels transparent`(format: PixelFormat) throws {
        let image = try picture(PixelSize(4, 1), Self.red, format)
        let alphas = [0, 0.2, 0.6, 1]
        let translucent = Image(
            pixels: try PixelBuffer.drawn(PixelSize(4, 1), .rgba16) { x, _ in
                PixelColor(red: 0.5, green: 0.5, blue: 0.5, alpha: alphas[x])
            })
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(4, 1), format: .rgba16))
        for (x, level) in alphas.enumerated() {
            try builder.fill(
                PixelColor(red: level, green: level, blue: level), in: PixelRegion(x: x, size: PixelSize(1, 1)))
        }
        let gray = Image(pixels: builder.finish(isOpaque: true))
        func alpha(_ mask: MaskTransformer, _ other: Image) throws -> [Double] {
            let made = try mask.transform(image, with: [other], context: TransformContext()).pixels
            return (0..<4).map { made.color(x: $0, y: 0).alpha }
        }
        let cases: [(MaskTransformer, Image, [Double])] = [
            (MaskTransformer(Self.url), translucent, alphas), (MaskTransformer(Self.url), gray, alphas),
            (MaskTransformer(Self.url, channel: .alpha), gray, [1, 1, 1, 1]),
            (MaskTransformer(Self.url, channel: .luminance), translucent, alphas.map { $0 / 2 }),
        ]
        for (mask, other, expected) in cases {
            for (found, wanted) in zip(try alpha(mask, other), expected) { #expect(abs(found - wanted) < 0.5 / 255) }
        }
    }

    @Test func `an opaque mask with an alpha channel has its luminance, and levels of a mask are limited`() throws {
        let image = try picture(PixelSize(3, 1), Self.red, .rgbaFloat)
        // `drawn` claims nothing.
        let gray = try PixelBuffer.drawn(PixelSize(3, 1)) { x, _ in PixelColor(red: x == 1 ? 1 : 0, green: 0, blue: 0) }
        let made = try MaskTransformer(Self.url)
            .transform(image, with: [Image(pixels: gray)], context: TransformContext()).pixels
        #expect(made.color(x: 0, y: 0).alpha == 0)
        #expect(abs(made.color(x: 1, y: 0).alpha - 0.2126) < 1e-6)
        let levels = try PixelBuffer.drawn(PixelSize(3, 1), .rgbaFloat) { x, _ in
            PixelColor(red: [Double.infinity, -3, 7][x], green: 0, blue: 0)
        }
        let limited = try MaskTransformer(Self.url, channel: .luminance)
            .transform(image, with: [Image(pixels: levels)], context: TransformContext()).pixels
        for x in 0..<3 { #expect((0...1).contains(limited.color(x: x, y: 0).alpha)) }
    }

    @Test func `without images there is an error`() throws {
        let image = try picture(PixelSize(3, 1), Self.red)
        for step: any ComposingTransformer in [OverlayTransformer(Self.url), MaskTransformer(Self.url)] {
            #expect(throws: ImageError.self) { try step.transform(image, with: [], context: TransformContext()) }
        }
    }

    @Test func `a mask is stretched to the picture`() throws {
        let image = try picture(PixelSize(40, 20), Self.red)
        let mask = Image(
            pixels: try PixelBuffer.drawn(PixelSize(2, 1)) { x, _ in x == 0 ? .clear : .white })
        let made = try MaskTransformer(Self.url)
            .transform(image, with: [mask], context: TransformContext()).pixels
        #expect(made.size == PixelSize(40, 20))
        #expect(made.color(x: 0, y: 19).alpha == 0)
        #expect(made.color(x: 39, y: 0).alpha == 1)
    }

    @Test func `recipes name the image`() throws {
        let registry = ImageManager(plugins: [.transformers], context: [.off(.imageCache)]).registry
        for recipe in [
            "overlay(fake://host/logo.raw,bottomRight,margin=5,width=20%,opacity=0.5)",
            "overlay(\"https://host/a,b.png?c=(d)\",center,tiled=true)", "mask(fake://host/logo.raw,auto)",
        ] {
            #expect(try registry.transformers(recipe: recipe).map(\.key) == [recipe])
        }
        for recipe in ["overlay(logo.png)", "overlay(https://host/a,b.png?token=t0psecret)", "mask(//a:t0psecret@b)"] {
            let error = #expect(throws: ImageError.self) { try registry.transformers(recipe: recipe) }
            #expect(error?.description.contains("t0psecret") == false)
        }
    }
}
