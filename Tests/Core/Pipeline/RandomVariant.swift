import Calotype
import CalotypeTesting

/// What the requests of a random run have made of a picture.
struct RandomVariant: Hashable {
    private static let additionalRows = 3

    /// All there are. The largest box is larger than any picture, which then is the original again.
    static let all: [RandomVariant] = {
        let sides: [Int?] = [nil, 4, 8, 64]
        return sides.flatMap { side in
            [false, true].map { RandomVariant(side: side, isTaller: $0) }
        }
    }()

    static let original = RandomVariant(side: nil, isTaller: false)

    /// That of the box which it has to fit; nil for none.
    let side: Int?
    /// Whether rows are added then.
    let isTaller: Bool

    /// What adds the rows.
    static func makeTaller() -> FakeTransformer {
        FakeTransformer(key: "taller") { image in
            image.replacing(
                pixels: try image.pixels.resampled(to: PixelSize(image.width, image.height + Self.additionalRows)))
        }
    }

    /// Whether there are only the pixels of the original.
    var isOriginalAgain: Bool { !isTaller && (side ?? 64) == 64 }

    func context(_ taller: FakeTransformer) -> ImageContext {
        var context: ImageContext = []
        if let side { context.set(.thumbnailPixelSize(side, side)) }
        if isTaller { context.set(.transformer(taller)) }
        return context
    }

    /// The size that it has of a source.
    func size(of source: RandomSource) -> PixelSize {
        var size = side.map { source.size.fitting(PixelSize($0, $0)) } ?? source.size
        if isTaller { size.height += Self.additionalRows }
        return size
    }
}
