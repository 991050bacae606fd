import CalotypeTesting
import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct TransformerOrientationTests {
    @Test(arguments: Orientation.allCases, PixelFormat.allCases)
    func `a transformer works on upright pixels, and its result keeps the stored orientation`(
        orientation: Orientation, format: PixelFormat
    ) throws {
        let stored = try PixelBuffer.noise(PixelSize(7, 5), format, seed: 1)
        let upright = try stored.upright(from: orientation)
        var image = Image(pixels: stored, attributes: Image.Attributes(format: .jpeg, orientation: orientation))
        image.scale = 2
        // Keeps the top row, which is another part of the stored pixels for each orientation.
        let top: any Transformer = .custom("top") { image, context in
            #expect(image.attributes.orientation == .up)
            #expect(image.pixels.levels == upright.levels)
            let size = PixelSize(image.width, 1)
            return image.replacing(
                pixels: try image.pixels.resampled(
                    to: size, region: (x: 0..<Double(size.width), y: 0..<1), job: context.job))
        }
        let made = try top.apply(to: image, job: Job(), values: .builtIn)
        #expect(made.attributes == image.attributes)
        #expect(made.scale == 2)
        #expect(made.pixels.size == orientation.displaySize(of: PixelSize(upright.width, 1)))
        let shown = try made.pixels.upright(from: orientation)
        #expect(shown.levels == Array(upright.levels.prefix(upright.width * 4)))
    }
}
