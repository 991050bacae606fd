import Calotype
import CalotypeTesting

/// A picture of a random run. Its single color identifies its source and version.
struct RandomPicture: Hashable {
    private static let levelsPerSource = 30

    let source: RandomSource
    let version: Int

    init(_ source: RandomSource, version: Int) {
        self.source = source
        self.version = version
    }

    /// Returns the picture that an image shows, at any size; nil if the image has several colors.
    init?(_ image: Image) {
        let colors = Set(image.colors)
        guard colors.count == 1, let color = colors.first, color.blue == 0, color.alpha == 1 else { return nil }
        let red = Int((color.red * 255).rounded())
        guard red.isMultiple(of: Self.levelsPerSource),
            let source = RandomSource(rawValue: red / Self.levelsPerSource - 1)
        else { return nil }
        self.init(source, version: Int((color.green * 255).rounded()))
    }

    private var red: Int { Self.levelsPerSource * (source.rawValue + 1) }

    /// The file of the source.
    var file: Data { file(as: .original) }

    /// Returns the file of a variant.
    func file(as variant: RandomVariant) -> Data {
        let color = SIMD4(UInt8(red), UInt8(version), 0, 255)
        let size = variant.size(of: source)
        return RawImageCoder.file(RawImageCoder.Header(width: size.width, height: size.height)) { _, _, _ in color }
    }

    /// Returns the image of a variant.
    func image(as variant: RandomVariant) throws -> Image {
        let levels = [Double(red), Double(version), 0, 255]
        return Image(pixels: try PixelBuffer.drawn(variant.size(of: source), isOpaque: true) { _, _ in levels })
    }
}
