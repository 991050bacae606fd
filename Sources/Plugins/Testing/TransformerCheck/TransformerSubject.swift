import Calotype

/// A transformer under test, with a picture.
struct TransformerSubject: Sendable {
    let transformer: any Transformer
    let sample: TransformerSample

    /// The result of a transformation: pixels, or the code of an error.
    enum Outcome: Equatable, CustomStringConvertible {
        case pixels(PixelBuffer)
        case failure(String)

        static func == (one: Outcome, other: Outcome) -> Bool {
            switch (one, other) {
            case (.pixels(let one), .pixels(let other)):
                one.layout == other.layout && one.difference(from: other) == nil
            case (.failure(let one), .failure(let other)): one == other
            case (.pixels, .failure), (.failure, .pixels): false
            }
        }

        var description: String {
            switch self {
            case .pixels(let pixels): "pixels of \(pixels.size) in \(pixels.format)"
            case .failure(let code): "the error '\(code)'"
            }
        }

        /// The pixels; nil for an error.
        var pixels: PixelBuffer? { if case .pixels(let pixels) = self { pixels } else { nil } }
    }

    /// Returns the outcome for the picture.
    /// - Parameter firstFrame: The first frame of the animation, if the picture is a later one.
    func outcome(job: Job = Job(), firstFrame: PixelBuffer? = nil, _ context: ImageContext = []) -> Outcome {
        do {
            let transformContext = TransformContext(
                job: job, values: ResolvedContext(context), firstFrame: firstFrame)
            let image = Image(pixels: sample.pixels)
            return .pixels(try transformer.withImages.transform(image, context: transformContext).pixels)
        } catch {
            return .failure((error as? ImageError)?.code.rawValue ?? "\(type(of: error))")
        }
    }

    /// Returns the same transformer with the picture in another format.
    func converted(to format: PixelFormat) throws(ImageError) -> TransformerSubject {
        TransformerSubject(transformer: transformer, sample: try sample.converted(to: format))
    }

    // MARK: Key

    /// Checks that the key stays the same, and that a recipe makes the transformer again.
    func checkKey() throws {
        let key = transformer.key
        try expect(!key.isEmpty, "a key", but: "it is empty", advice: "return the name and all parameters")
        let before = outcome()
        try expect(
            transformer.key.utf8.elementsEqual(key.utf8), "the key '\(key)' in every call",
            but: "it has become '\(transformer.key)'", advice: "make the key of the parameters alone")
        for source in (transformer as? any ComposingTransformer)?.sources ?? [] {
            try expect(
                key.contains(source.absoluteString), "the key to contain the URL of each image that is needed",
                but: "'\(key)' does not contain '\(source.absoluteString)'",
                advice: "make the absolute text of each URL a part of the key")
        }
        guard let step = transformer as? any RecipeTransformer else { return }
        let made = try remade(step)
        try expect(
            made.key.utf8.elementsEqual(key.utf8), "the recipe '\(key)' to make a transformer with this key",
            but: "its key is '\(made.key)'", advice: "give every parameter a text that makes the same value again")
        let after = TransformerSubject(transformer: made, sample: sample).outcome()
        try expect(
            after == before, "the recipe '\(key)' to make an equal transformer", but: "its results differ",
            advice: "list every property that the result depends on as a parameter")
    }

    /// Returns the transformer that the key makes.
    private func remade<Step: RecipeTransformer>(_ step: Step) throws -> any Transformer {
        let registry = ImageManager(context: [.off(.imageCache)]).registry
        registry.transformers.add(Step.self)
        let steps = try registry.transformers(recipe: step.key)
        guard let made = steps.first, steps.count == 1 else {
            throw Breach(
                expected: "the recipe '\(step.key)' to make one transformer", but: "it makes \(steps.count)",
                advice: "do not override `key`")
        }
        return made
    }
}

extension Transformer {
    /// The transformer with drawn images for its sources, if it needs any.
    var withImages: any Transformer {
        get throws(ImageError) {
            guard let step = self as? any ComposingTransformer else { return self }
            let images = TransformerSample.companions
            let others = step.sources.indices.map { Image(pixels: images[$0 % images.count].pixels) }
            return try step.prepared(with: others, job: Job())
        }
    }
}
