import Calotype
import CalotypeTesting

/// A variant of a picture in a random run.
struct RandomVariant: Hashable {
    private static let additionalRows = 3

    /// All variants. The largest box exceeds every picture, which then equals the original.
    static let all: [RandomVariant] = {
        let sides: [Int?] = [nil, 4, 8, 64]
        return sides.flatMap { side in
            [false, true].map { RandomVariant(side: side, isTaller: $0) }
        }
    }()

    static let original = RandomVariant(side: nil, isTaller: false)

    /// The side of the box that it has to fit; nil for none.
    let side: Int?
    /// Whether rows are added afterward.
    let isTaller: Bool

    /// Returns the transformer that adds the rows.
    static func makeTaller() -> FakeTransformer {
        FakeTransformer(key: "taller") { image in
            image.replacing(
                pixels: try image.pixels.resampled(to: PixelSize(image.width, image.height + Self.additionalRows)))
        }
    }

    /// Whether the variant has the pixels of the original.
    var isOriginalAgain: Bool { !isTaller && (side ?? 64) == 64 }

    func context(_ taller: FakeTransformer) -> ImageContext {
        var context: ImageContext = []
        if let side { context.set(.thumbnailPixelSize(side, side)) }
        if isTaller { context.set(.transformer(taller)) }
        return context
    }

    /// Returns the size of a source's variant.
    func size(of source: RandomSource) -> PixelSize {
        var size = side.map { source.size.fitting(PixelSize($0, $0)) } ?? source.size
        if isTaller { size.height += Self.additionalRows }
        return size
    }
}
