import Calotype
import CalotypeTesting
import Synchronization
import Testing

/// Broken transformers, each of which fails one check.
@Suite(.timeLimit(.minutes(5)))
struct TransformerCheckTests {
    /// A transformer that adds a frame around the picture, and can be broken in several ways.
    struct Frame: RecipeTransformer {
        enum Defect: Sendable {
            /// 16-bit pictures get a darker frame.
            case depth
            /// The result is claimed to be opaque.
            case claim
            /// The size of the result is not checked.
            case limit
            /// The job is not checked.
            case job
            /// The result depends on the number of calls.
            case count
        }

        var width = 4
        var color = PixelColor.white
        var defect: Defect?
        let calls = Counter()

        static let recipe = TransformerRecipe(
            "frame", defaults: Frame(), summary: "Draws a frame around the picture.",
            parameters: [
                .required("width", \.width, in: 1...100, summary: "The width in pixels."),
                .optional("color", \.color, summary: "The color."),
            ])

        func transform(_ image: Image, context: TransformContext) throws -> Image {
            let size = PixelSize(width: image.width + 2 * width, height: image.height + 2 * width)
            if defect != .limit { try context.check(size) }
            let job = defect == .job ? Job() : context.job
            var color = color
            if defect == .depth, image.pixels.format == .rgba16 { color.red = 0 }
            if defect == .count { color.green = Double(calls.next() % 2) }
            var canvas = try PixelBufferBuilder(layout: PixelLayout(size: size, format: image.pixels.format))
            try canvas.fill(color, job: job)
            try canvas.draw(image.pixels, x: width, y: width, mode: .copy, job: job)
            return image.replacing(pixels: canvas.finish(isOpaque: defect == .claim))
        }
    }

    /// A transformer whose recipe misses a parameter.
    struct ColorlessFrame: RecipeTransformer {
        var frame = Frame()

        static let recipe = TransformerRecipe(
            "colorless", defaults: ColorlessFrame(), summary: "Draws a frame around the picture.",
            parameters: [.required("width", \.frame.width, in: 1...100, summary: "The width in pixels.")])

        func transform(_ image: Image, context: TransformContext) throws -> Image {
            try frame.transform(image, context: context)
        }
    }

    /// A number that increases with each call.
    final class Counter: Sendable {
        private let count = Atomic(0)
        func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
    }

    /// Returns the failed checks.
    private func failed(_ transformer: some Transformer, others: [any Transformer] = []) async -> Set<TransformerCheck>
    {
        Set(await checkTransformer(transformer, others: others).map(\.check))
    }

    @Test func `a transformer without a defect passes every check`() async {
        let others = [Frame(width: 5), Frame(color: .black)]
        #expect(await checkTransformer(Frame(), others: others).isEmpty)
        #expect(await checkTransformer(ResizeTransformer(size: PixelSize(40, 30), mode: .fill)).isEmpty)
    }

    @Test func `a key without a parameter is found by the check`() async {
        let others = [Frame(width: 5), Frame(color: .black)].map { ColorlessFrame(frame: $0) }
        let findings = await checkTransformer(ColorlessFrame(), others: others)
        #expect(findings.map(\.check) == [.parameters])
        #expect(findings.first?.sample == "other 1")
    }

    @Test func `a recipe that makes another transformer is found by the check`() async {
        // The color is not white, but the key does not tell.
        #expect(await failed(ColorlessFrame(frame: Frame(color: .black))) == [.key])
    }

    @Test func `a defect of one pixel format is found by the check`() async {
        let findings = await checkTransformer(Frame(defect: .depth))
        #expect(Set(findings.map(\.check)) == [.formats])
    }

    @Test func `a false claim is found by the check`() async {
        #expect(await failed(Frame(defect: .claim)).contains(.formats))
    }

    @Test func `a size that is not checked is found by the check`() async {
        #expect(await failed(Frame(defect: .limit)) == [.limits])
    }

    @Test func `a job that is not checked is found by the check`() async {
        #expect(await failed(Frame(defect: .job)) == [.cancelling])
    }

    @Test func `results that differ from call to call are found by the check`() async {
        #expect(await failed(Frame(defect: .count)).isSuperset(of: [.formats, .animations]))
    }

    @Test func `a job that is checked only once is found by the check`() async {
        struct Once: Transformer {
            var key: String { "once" }
            func transform(_ image: Image, context: TransformContext) throws -> Image {
                try context.job.check()
                return try Frame(color: .black).transform(image, context: TransformContext(values: context.values))
            }
        }
        #expect(await failed(Once()) == [.cancelling])
    }

    @Test func `a result that cannot be stored under its key is found by the check`() async {
        struct Alternating: Transformer {
            let calls = Counter()
            var key: String { "alternating \(calls.next())" }
            func transform(_ image: Image, context: TransformContext) throws -> Image {
                try Frame().transform(image, context: context)
            }
        }
        let findings = await checkTransformer(Alternating(), checks: [.storing])
        #expect(!findings.isEmpty)
    }

    @Test func `state that calls share is found by the check`() async {
        #expect(!(await checkTransformer(Frame(defect: .count), checks: [.threadSafety])).isEmpty)
    }

    @Test func `a key that changes is found by the check`() async {
        struct Changing: Transformer {
            let calls = Counter()
            var key: String { "changing \(calls.next())" }
            func transform(_ image: Image, context: TransformContext) throws -> Image { image }
        }
        #expect(await failed(Changing()).contains(.key))
    }

    @Test func `a join with another result is found by the check`() async {
        struct Shift: JoiningTransformer {
            let count: Int
            var isBroken = false
            var key: String { "shift \(count) \(isBroken)" }
            func transform(_ image: Image, context: TransformContext) throws -> Image {
                var canvas = try PixelBufferBuilder(layout: PixelLayout(size: image.size, format: image.pixels.format))
                try canvas.fill(.clear, job: context.job)
                try canvas.draw(image.pixels, x: count, mode: .copy, job: context.job)
                return image.replacing(pixels: canvas.finish())
            }
            func joined(with next: any Transformer) -> (any Transformer)? {
                (next as? Shift).map { Shift(count: count + $0.count + (isBroken ? 1 : 0), isBroken: isBroken) }
            }
        }
        #expect(await failed(Shift(count: 1, isBroken: true)) == [.joining])
        #expect(await failed(Shift(count: 1), others: [Shift(count: 2)]) == [])
    }

    @Test func `a key without the URLs of the images that are needed is found by the check`() async {
        struct Stamp: ComposingTransformer {
            let key: String
            let sources = [URL(string: "https://host/logo.png")!, URL(string: "https://host/tile.png")!]
            func transform(_ image: Image, with others: [Image], context: TransformContext) throws -> Image {
                var canvas = try PixelBufferBuilder(copying: image.pixels)
                for other in others { try canvas.draw(other.pixels, job: context.job) }
                return image.replacing(pixels: canvas.finish(isOpaque: image.pixels.isOpaque))
            }
        }
        #expect(await failed(Stamp(key: "stamp https://host/logo.png https://host/tile.png")) == [])
        #expect(await failed(Stamp(key: "stamp https://host/logo.png")) == [.key])
    }

    @Test func `a refusal of some pictures is no defect`() async {
        struct Refusing: Transformer {
            var key: String { "refusing" }
            func transform(_ image: Image, context: TransformContext) throws -> Image {
                guard image.width > 60 else {
                    throw ImageError(.transformFailed, stage: .transform, message: "too narrow")
                }
                return image
            }
        }
        #expect(await failed(Refusing()) == [])
    }
}
