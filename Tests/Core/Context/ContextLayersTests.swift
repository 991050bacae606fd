import Calotype
import CalotypeTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ContextLayersTests {
    /// A processor that calls a closure, and counts its calls.
    final class Processor: OptionsProcessor {
        let count = Lock(0)
        let body: @Sendable (ResolvedContext) throws -> ImageContext

        init(_ body: @escaping @Sendable (ResolvedContext) throws -> ImageContext) { self.body = body }

        func process(_ context: ResolvedContext, for url: URL) throws -> ImageContext {
            count.withLock { $0 += 1 }
            return try body(context)
        }
    }

    private func values(_ bench: Bench, _ context: ImageContext = []) async throws -> [String: Explanation.Value] {
        let explanation = try await bench.manager.explain(bench.request(context))
        return Dictionary(uniqueKeysWithValues: explanation.values.map { ($0.key.name, $0) })
    }

    @Test func `the request overrides the manager`() async throws {
        let bench = Bench(context: [.thumbnailPixelSize(8, 8)])
        let value = try await values(bench, [.thumbnailPixelSize(4, 4)])["thumbnailPixelSize"]
        #expect(value?.text == "4x4")
        #expect(value?.layer == .request)
        #expect(value?.hidden.map(\.text) == ["8x8"])
        #expect(value?.hidden.map(\.layer) == [.manager])
        #expect(try await bench.manager.image(for: bench.request([.thumbnailPixelSize(4, 4)])).width == 4)
        #expect(try await bench.manager.image(for: bench.request()).width == 8)
    }

    @Test func `off is not the same as leaving a key out`() async throws {
        let bench = Bench(context: [.thumbnailPixelSize(8, 8), .keepsOrientation])
        let request = bench.request([.off(.thumbnailPixelSize), .off(.keepsOrientation)])
        #expect(try await bench.manager.image(for: request).width == 40)
        let values = try await values(bench, [.off(.thumbnailPixelSize)])
        #expect(values["thumbnailPixelSize"]?.text == "none")
        #expect(values["thumbnailPixelSize"]?.layer == .request)
        #expect(values["keepsOrientation"]?.text == "true")
    }

    @Test func `off disables a flag that is on by default`() async throws {
        let bench = Bench()
        let request = bench.request([.thumbnailPixelSize(10, 30), .off(.preservesAspectRatio)])
        #expect(try await bench.manager.image(for: request).size == PixelSize(10, 30))
    }

    @Test func `the processor overrides all layers and sees each value with its layer`() async throws {
        let processor = Processor { context in
            #expect(context.layer(of: .thumbnailPixelSize) == .request)
            #expect(context.layer(of: .nativeDepth) == .manager)
            #expect(context.layer(of: .frame) == .builtIn)
            return [.thumbnailPixelSize(2, 2)]
        }
        let bench = Bench(context: [.optionsProcessor(processor), .nativeDepth])
        #expect(try await bench.manager.image(for: bench.request([.thumbnailPixelSize(4, 4)])).width == 2)
        let value = try await values(bench, [.thumbnailPixelSize(4, 4)])["thumbnailPixelSize"]
        #expect(value?.layer == .processor)
        #expect(value?.isChangedByProcessor == true)
        #expect(value?.hidden.map(\.text) == ["4x4"])
    }

    @Test func `the processor can remove a value`() async throws {
        let bench = Bench(context: [.optionsProcessor(Processor { _ in [.off(.thumbnailPixelSize)] })])
        #expect(try await bench.manager.image(for: bench.request([.thumbnailPixelSize(4, 4)])).width == 40)
    }

    @Test func `a request is resolved once for each state of the manager`() async throws {
        let processor = Processor { _ in [] }
        let bench = Bench(context: [.optionsProcessor(processor)])
        let request = bench.request()
        for _ in 0..<3 { _ = try await bench.manager.image(for: request) }
        #expect(processor.count.withLock { $0 } == 1)
        bench.manager.context.set(.frame(0))
        _ = try await bench.manager.image(for: request)
        #expect(processor.count.withLock { $0 } == 2)
    }

    @Test func `a request used with two managers follows the settings of each`() async throws {
        let (one, other) = (Bench(context: [.thumbnailPixelSize(4, 4)]), Bench(context: [.thumbnailPixelSize(8, 8)]))
        let request = one.request()
        for _ in 0..<2 {
            #expect(try await one.manager.image(for: request).width == 4)
            #expect(try await other.manager.image(for: request).width == 8)
        }
    }

    @Test func `an error of a processor fails the request with processorFailed`() async throws {
        struct Refusal: Error {}
        let bench = Bench(context: [.optionsProcessor(Processor { _ in throw Refusal() })])
        let error = await imageError { try await bench.manager.image(for: bench.request()) }
        #expect(error?.code == .processorFailed)
        #expect(error?.cause is Refusal)
        #expect(bench.loader.loadCount == 0)
    }

    @Test func `a processor that never returns delays no other request`() async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let bench = Bench()
        let stuck = Processor { _ in
            gate.pass()
            return []
        }
        let task = bench.manager.load(bench.request([.optionsProcessor(stuck)]))
        await gate.waitForArrivals(1)
        #expect(try await bench.manager.image(for: bench.request()).width == 40)
        task.cancel()
        let error = await imageError { try await task.response }
        #expect(error?.code == .cancelled)
    }

    @Test func `a key filter sets the source key of an image`() async throws {
        struct Filter: CacheKeyFilter {
            func key(for url: URL, context: ResolvedContext) throws -> String? { url.host().map { "host:\($0)" } }
        }
        let bench = Bench(context: [.cacheKeyFilter(Filter())])
        _ = try await bench.manager.image(for: "fake://one/a.raw?session=1")
        let again = try await bench.manager.response(for: "fake://one/a.raw?session=2")
        #expect(again.source == .memory)
        #expect(bench.data.keys.map(\.source.text) == ["host:one"])
    }

    @Test func `values can be set by name, and the error for an invalid value says what to write`() async throws {
        let registry = Bench().manager.registry
        let context = ImageContext([try registry.setting(named: "thumbnailPixelSize", text: "30x20")])
        #expect(context[.thumbnailPixelSize] == PixelSize(30, 20))
        #expect(ImageContext([try registry.setting(named: "timeout", text: "none")])[.timeout] == .some(nil))
        let wrong = await imageError { try registry.setting(named: "maxPixels", text: "many") }
        #expect(wrong?.description == "maxPixels: does not accept the text 'many'; write a whole number, at least 1")
        #expect(wrong?.code == .invalidSetting)
        let unknown = await imageError { try registry.setting(named: "maxPixel", text: "1") }
        #expect(unknown?.description.contains("maxPixels") == true)
        #expect(unknown?.code == .invalidSetting)
        let code = await imageError { try registry.setting(named: "imageCache", text: "1") }
        #expect(code?.description.contains("in code only") == true)
    }
}
