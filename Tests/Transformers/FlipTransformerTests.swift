import Calotype
import CalotypeTransformers
import Testing

@Suite(.timeLimit(.minutes(5)))
struct FlipTransformerTests {
    @Test(arguments: FlipTransformer.Axis.allCases, PixelFormat.allCases)
    func `flipping exchanges the sides`(axis: FlipTransformer.Axis, format: PixelFormat) throws {
        let image = Image(pixels: try PixelBuffer.places(PixelSize(7, 5)).converted(to: format))
        let made = try FlipTransformer(axis).transform(image, context: TransformContext())
        #expect(made.size == image.size)
        for y in 0..<5 {
            for x in 0..<7 {
                let expected = [axis == .vertical ? x : 6 - x, axis == .horizontal ? y : 4 - y]
                #expect(made.pixels.color(x: x, y: y).place == expected)
            }
        }
    }
}
