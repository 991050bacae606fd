import Calotype
import CalotypeTransformers
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CropTransformerTests {
    /// Returns a picture whose pixels tell their places.
    private func image(_ width: Int, _ height: Int, _ format: PixelFormat = .rgba8) throws -> Image {
        Image(pixels: try PixelBuffer.places(PixelSize(width, height)).converted(to: format))
    }

    private func cropped(_ image: Image, _ area: CropArea, _ anchor: Anchor = .center) throws -> Image {
        try CropTransformer(area, anchor: anchor).transform(image, context: TransformContext())
    }

    static let areas: [(CropArea, Anchor, PixelRegion)] = [
        (
            .region(PixelRegion(x: 3, y: 2, size: PixelSize(5, 4))), .center,
            PixelRegion(x: 3, y: 2, size: PixelSize(5, 4))
        ),
        (.region(PixelRegion(x: -3, y: -2, size: PixelSize(5, 4))), .center, PixelRegion(size: PixelSize(2, 2))),
        (
            .region(PixelRegion(x: 18, y: 1, size: PixelSize(99, 99))), .center,
            PixelRegion(x: 18, y: 1, size: PixelSize(2, 9))
        ),
        (.region(PixelRegion(size: PixelSize(.max, .max))), .center, PixelRegion(size: PixelSize(20, 10))),
        (.size(PixelSize(4, 4)), .center, PixelRegion(x: 8, y: 3, size: PixelSize(4, 4))),
        (.size(PixelSize(4, 4)), .topLeft, PixelRegion(size: PixelSize(4, 4))),
        (.size(PixelSize(4, 4)), .bottomRight, PixelRegion(x: 16, y: 6, size: PixelSize(4, 4))),
        (.size(PixelSize(4, 4)), Anchor(x: 0.3, y: 0.1), PixelRegion(x: 4, y: 0, size: PixelSize(4, 4))),
        (.size(PixelSize(99, 3)), .bottom, PixelRegion(x: 0, y: 7, size: PixelSize(20, 3))),
        (.aspectRatio(width: 1, height: 1), .center, PixelRegion(x: 5, y: 0, size: PixelSize(10, 10))),
        (.aspectRatio(width: 1, height: 1), .right, PixelRegion(x: 10, y: 0, size: PixelSize(10, 10))),
        (.aspectRatio(width: 4, height: 1), .top, PixelRegion(x: 0, y: 0, size: PixelSize(20, 5))),
        (.aspectRatio(width: .max, height: 1), .center, PixelRegion(x: 0, y: 5, size: PixelSize(20, 1))),
        (.aspectRatio(width: 1, height: .max), .left, PixelRegion(x: 0, y: 0, size: PixelSize(1, 10))),
    ]

    @Test(arguments: PixelFormat.allCases, 0..<CropTransformerTests.areas.count)
    func `a crop keeps the pixels of its area`(format: PixelFormat, index: Int) throws {
        let (area, anchor, expected) = Self.areas[index]
        let made = try cropped(image(20, 10, format), area, anchor)
        #expect(made.size == expected.size)
        #expect(made.pixels.format == format)
        for (x, y) in [(0, 0), (made.width - 1, made.height - 1)] {
            #expect(made.pixels.color(x: x, y: y).place == [expected.x + x, expected.y + y])
        }
    }

    @Test func `an area outside the picture is an error`() throws {
        let image = try image(20, 10)
        for region in [
            PixelRegion(x: 20, y: 0, size: PixelSize(1, 1)), PixelRegion(x: 0, y: -4, size: PixelSize(4, 4)),
        ] {
            #expect {
                try cropped(image, .region(region))
            } throws: { error in
                let error = error as? ImageError
                return error?.code == .transformFailed
                    && error?.message.contains("outside the picture of 20x10") == true
            }
        }
    }

    @Test(arguments: [
        ("200x100+5+7", CropArea.region(PixelRegion(x: 5, y: 7, size: PixelSize(200, 100)))),
        ("200x100-5+0", .region(PixelRegion(x: -5, y: 0, size: PixelSize(200, 100)))),
        ("200x100", .size(PixelSize(200, 100))), ("16:9", .aspectRatio(width: 16, height: 9)),
    ])
    func `an area and its text stand for each other`(text: String, area: CropArea) {
        #expect(CropArea(contextText: text) == area)
        #expect(area.contextText == text)
    }

    @Test(arguments: [
        "", "200", "0x5", "200x100+5", "200x100+5+", "16:0", "16:9:1", "-1x5+0+0", "1x1+9999999999999999999+0", "+1+1",
        "0200x100+5",
    ])
    func `an invalid area is refused`(text: String) {
        #expect(CropArea(contextText: text) == nil)
    }
}
