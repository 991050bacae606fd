import Calotype

extension TransformerSubject {
    /// Checks that an image is the same from the transformer, from memory and from disk.
    func checkStoring() async throws {
        let memory = BoundedMemoryCache(costLimit: 64 << 20, trimsUnderPressure: false)
        let cache = TieredCache(memory: memory, disk: InMemoryDataCache())
        let manager = Self.makeManager([.imageCache(cache), .waitStoreCache, .nativeDepth])
        let step = try transformer.withImages
        for format in [PixelFormat.rgba8, .rgba16] {
            let image = Image(pixels: try sample.pixels.converted(to: format))
            let file = try await manager.encode(image, as: RawImageCoder.format)
            manager.registry.loaders.add(FakeImageLoader(answer: .bytes(file)))
            let url = "fake://check/\(format).raw"
            // A new request, whose keys are not known yet.
            func makeRequest() -> ImageRequest { ImageRequest(url, context: [.transformer(step)]) }
            // A picture that is refused is not stored.
            guard let made = try? await manager.image(for: makeRequest()).pixels else { continue }
            for source in [ImageResponse.Source.memory, .disk] {
                let response = try await manager.response(for: makeRequest())
                try expect(
                    response.source == source, "the image to be found in the tier \(source)",
                    but: "it came from \(response.source)", advice: "keep the key the same from call to call")
                let stored = response.image.pixels
                let difference = stored.difference(from: made)
                // The raw format does not tell that pixels are gray.
                try expect(
                    difference == nil && stored.isOpaque == made.isOpaque, "the same image from \(source) as at first",
                    but: difference.map { "its pixels \($0)" } ?? "it is opaque in one of them only",
                    advice: "claim only what holds for all pixels, and depend on the parameters and the pixels alone")
                memory.clear()
            }
        }
    }

    /// Checks that the frames of an animation are transformed like stills, in any order.
    static func checkAnimations(of transformer: any Transformer) async throws {
        let manager = makeManager([.off(.imageCache)])
        var header = RawImageCoder.Header(width: 40, height: 30)
        header.frameCount = 3
        let file = RawImageCoder.file(header) { x, y, frame in
            SIMD4(UInt8(x * 6), UInt8(y * 8), UInt8(frame * 100), 255)
        }
        let step = try transformer.withImages
        guard let image = try? await manager.decode(file, context: [.transformer(step)]) else { return }
        let plain = try await manager.decode(file)
        guard let frames = image.frames, let plainFrames = plain.frames, frames.frameCount == 3 else {
            throw Breach(
                expected: "an animation of three frames", but: "the result has others",
                advice: "return `image.replacing(pixels:)`, which keeps the frames")
        }
        for index in [2, 0, 1] {
            let frame = try await CoderExamination.frame(index, of: plainFrames)
            let expected = TransformerSubject(
                transformer: transformer, sample: TransformerSample(name: "frame \(index)", pixels: frame)
            ).outcome(firstFrame: index == 0 ? nil : plain.pixels)
            let made = try await CoderExamination.frame(index, of: frames)
            let difference = expected.pixels.map { made.difference(from: $0) } ?? "are missing"
            try expect(
                difference == nil, "the frames of an animation to be transformed like stills",
                but: "the pixels of frame \(index) \(difference ?? "are equal")",
                advice: "keep no state between calls")
        }
    }

    /// Returns a manager that reads and writes the raw format.
    private static func makeManager(_ context: ImageContext) -> ImageManager {
        let manager = ImageManager(context: context)
        manager.registry.coders.add(RawImageCoder())
        return manager
    }
}
