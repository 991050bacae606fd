import CalotypeTesting
import Testing

@testable import Calotype

/// Requests whose first transformers are done while the picture is decoded.
@Suite(.timeLimit(.minutes(5)))
struct FusedTransformerTests {
    private let bench = Bench()

    private static let resize: any Transformer = .resize(width: 8, height: 8, mode: .fill)

    @Test func `the result is stored under the key of the transformer, and no step is reported for it`() async throws {
        let request = bench.request([.transformer(Self.resize)])
        let first = try await bench.manager.response(for: request)
        #expect(first.image.size == PixelSize(8, 8))
        #expect(first.image.attributes.originalSize == PixelSize(40, 30))
        #expect(!first.metrics.steps.contains { $0.stage == .transform })
        let key = try await bench.manager.cacheKey(for: request)
        #expect(key.variant == "|resize(8x8,fill)")
        bench.memory.clear()
        let second = try await bench.manager.response(for: request)
        #expect(second.source == .disk)
        #expect(second.image.colors == first.image.colors)
    }

    @Test func `the original is stored whole, and never as the smaller picture`() async throws {
        let context: ImageContext = [.originalStoreCacheType(.all)]
        let request = bench.request(context.merging([.transformer(Self.resize)]))
        _ = try await bench.manager.image(for: request)
        let original = try await bench.manager.cacheKey(for: request).original
        #expect(bench.memory.image(for: original) == nil)
        #expect(try bench.data.entry(for: original)?.data == RawImageCoder.file(width: 40, height: 30))
        let plain = try await bench.manager.response(for: bench.request(context))
        #expect(plain.image.size == PixelSize(40, 30))
        #expect(bench.loader.loadCount == 1)
    }

    @Test func `a step that fails does not lose the original`() async throws {
        let request = bench.request([.transformer(.resize(width: 900, height: 900)), .maxSidePixels(500)])
        for _ in 0..<2 {
            let error = await imageError { try await bench.manager.image(for: request) }
            #expect(error?.code == .limitExceeded)
            #expect(error?.stage == .transform)
            #expect(error?.component == "resize(900x900,fit)")
            await waitForStore(of: try await bench.manager.cacheKey(for: request).original)
        }
        #expect(bench.loader.loadCount == 1)
        let key = try await bench.manager.cacheKey(for: request).original
        #expect(try bench.data.entry(for: key)?.data == RawImageCoder.file(width: 40, height: 30))
    }

    @Test func `a refreshed original replaces outdated images even if the step fails`() async throws {
        let limit: ImageContext = [.maxSidePixels(500)]
        let small = bench.request(limit.merging([.transformer(Self.resize)]))
        _ = try await bench.manager.image(for: small)
        let outdated = try await bench.manager.cacheKey(for: small)
        await waitForStore(of: outdated)
        #expect(try bench.data.entry(for: outdated) != nil)
        // Of this width, it would be 16,000 pixels high.
        let newer = RawImageCoder.file(width: 10, height: 400)
        bench.loader.answer(Bench.url.absoluteString, with: .bytes(newer))
        let failing = bench.request(
            limit.merging([.refreshCached, .transformer(.resize(width: 400, height: 0))]))
        #expect(await imageError { try await bench.manager.image(for: failing) }?.code == .limitExceeded)
        let original = try await bench.manager.cacheKey(for: failing).original
        await waitForStore(of: original)
        #expect(try bench.data.entry(for: outdated) == nil)
        #expect(try bench.data.entry(for: original)?.data == newer)
    }

    private func waitForStore(of key: VariantKey) async {
        await bench.manager.pipeline.pendingStores.wait(for: StoreKey(key, in: bench.cache))
    }

    @Test func `requests with different sizes at once share the load, and each gets its own size`() async throws {
        let bench = Bench(isOpen: false)
        let tasks = [8, 9, 8].map { side in
            bench.manager.load(bench.request([.transformer(.resize(width: side, height: side, mode: .fill))]))
        }
        let plain = bench.manager.load(bench.request())
        await bench.gate.waitForArrivals(1)
        bench.gate.open()
        var sizes: [PixelSize] = []
        for task in tasks { sizes.append(try await task.response.image.size) }
        #expect(sizes == [PixelSize(8, 8), PixelSize(9, 9), PixelSize(8, 8)])
        #expect(try await plain.response.image.size == PixelSize(40, 30))
        #expect(bench.loader.loadCount == 1)
        #expect(bench.coder.decodeCount == 3)
    }

    @Test func `later steps are shared by requests with equal first steps`() async throws {
        let bench = Bench(isOpen: false)
        let step = FakeTransformer(key: "later")
        let tasks = (0..<3).map { _ in bench.manager.load(bench.request([.transformers([Self.resize, step])])) }
        await bench.gate.waitForArrivals(1)
        bench.gate.open()
        for task in tasks { #expect(try await task.response.image.size == PixelSize(8, 8)) }
        #expect(bench.coder.decodeCount == 1)
        #expect(step.callCount == 1)
    }

    @Test func `an image from a loader is resized, too`() async throws {
        let whole = try await bench.manager.decode(RawImageCoder.file(width: 40, height: 30))
        let bench = Bench()
        bench.manager.registry.loaders.add(FakeImageLoader(answer: .image(whole)))
        let expected = try await self.bench.manager.image(for: self.bench.request([.transformer(Self.resize)]))
        let image = try await bench.manager.image(for: bench.request([.transformer(Self.resize)]))
        #expect(image.colors == expected.colors)
    }

    @Test(
        arguments: [
            ([.transformer(resize), .thumbnailQuality(.fast)], "thumbnailQuality=fast|resize(8x8,fill)"),
            (
                [.transformers([resize, FakeTransformer(key: "a|b")]), .thumbnailQuality(.exact)],
                "thumbnailQuality=exact|resize(8x8,fill)|a%7Cb"
            ),
            // The quality has no effect on these.
            ([.transformer(FakeTransformer(key: "a")), .thumbnailQuality(.fast)], "|a"),
            ([.transformers([FakeTransformer(key: "a"), resize]), .thumbnailQuality(.fast)], "|a|resize(8x8,fill)"),
            (
                [.transformer(resize), .thumbnailQuality(.fast), .transformsAnimations(false)],
                "transformsAnimations=false|resize(8x8,fill)"
            ),
            ([.thumbnailQuality(.fast)], ""),
        ] as [(ImageContext, String)])
    func `the quality is part of the key if it can change the picture`(
        context: ImageContext, variant: String
    ) async throws {
        let found = try await bench.manager.cacheKey(for: bench.request(context)).variant
        #expect(found == variant)
    }

    @Test(
        arguments: [
            ([], ["resize(8x8,fill)"]), ([.thumbnailPixelSize(20, 20)], []), ([.scaleDownLimitBytes(1 << 20)], []),
            ([.transformsAnimations(false)], []),
        ] as [(ImageContext, [String])])
    func `an explanation says what is done while decoding`(context: ImageContext, expected: [String]) async throws {
        let request = bench.request(context.merging([.transformers([Self.resize, FakeTransformer(key: "later")])]))
        let explanation = try await bench.manager.explain(request)
        #expect(explanation.transformers == ["resize(8x8,fill)", "later"])
        #expect(explanation.decodedTransformers == expected)
        #expect(explanation.description.contains("while decoding") == !expected.isEmpty)
    }

    @Test func `previews have the size of the result`() async throws {
        let file = RawImageCoder.file(width: 40, height: 30)
        let gates = [Gate(isOpen: true), Gate()]
        bench.loader.answer(
            Bench.url.absoluteString,
            with: .pieces([(gates[0], file.dropLast(40 * 4 * 10)), (gates[1], Data(file.suffix(40 * 4 * 10)))]))
        let request = bench.request([.transformer(Self.resize), .progressiveLoad, .previewInterval(.zero)])
        var previews: [Image] = []
        for try await event in bench.manager.load(request) {
            guard case .preview(let image, .partial) = event else { continue }
            previews.append(image)
            gates[1].open()
        }
        #expect(previews.map(\.size) == [PixelSize(8, 8)])
        #expect(previews[0].colors.prefix(8).allSatisfy { $0.alpha == 1 })
        #expect(previews[0].colors.suffix(8).allSatisfy { $0.alpha < 0.1 })
    }
}
