import CalotypeTesting
import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct CustomTransformerTests {
    @Test func `a closure receives the image and the context`() throws {
        let image = Image(pixels: try PixelBuffer.noise(PixelSize(4, 3), seed: 1))
        let step: any Transformer = .custom("half-v1") { image, context in
            try context.job.check()
            return image.replacing(pixels: try image.pixels.resampled(to: PixelSize(2, 1), job: context.job))
        }
        #expect(try step.transform(image, context: TransformContext()).size == PixelSize(2, 1))
    }

    @Test func `the key tells names apart, whatever they contain`() {
        func key(_ name: String) -> String { CustomTransformer(name) { image, _ in image }.key }
        #expect(key("stamp-v1") == "custom(stamp-v1)")
        #expect(key("a)|b(c") == #"custom("a)|b(c")"#)
    }
}
