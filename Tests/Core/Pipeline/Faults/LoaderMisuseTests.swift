import Calotype
import CalotypeTesting
import Testing

/// Loaders that violate their contract.
@Suite(.timeLimit(.minutes(5)))
struct LoaderMisuseTests {
    /// A loader that runs a closure.
    private struct ScriptedLoader: ImageLoader {
        let script: @Sendable (any ByteSink) async throws -> LoadOutcome
        func canLoad(_ request: LoadRequest) -> Bool { true }
        @concurrent func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
            try await script(sink)
        }
    }

    private static var file: Data { RawImageCoder.file(width: 40, height: 30) }

    private func error(
        of script: @escaping @Sendable (any ByteSink) async throws -> LoadOutcome
    ) async -> ImageError? {
        let bench = Bench()
        bench.manager.registry.loaders.add(ScriptedLoader(script: script))
        return await imageError { try await bench.manager.image(for: bench.request()) }
    }

    @Test func `data without a head is accepted`() async {
        let none = await error { sink in
            try await sink.write(Self.file)
            return .complete
        }
        #expect(none == nil)
    }

    @Test func `a repeated or late head is an error`() async {
        for isLate in [false, true] {
            let error = await error { sink in
                if isLate { try await sink.write(Self.file) } else { try await sink.begin(LoadHead()) }
                try await sink.begin(LoadHead())
                return .complete
            }
            #expect(error?.code == .loadFailed)
        }
    }

    @Test func `starting at an offset without a request for one is an error`() async {
        let error = await error { sink in
            try await sink.begin(LoadHead(offset: 10))
            return .complete
        }
        #expect(error?.code == .loadFailed)
    }

    @Test func `notModified without validators is an error`() async {
        #expect(await error { _ in .notModified }?.code == .loadFailed)
    }

    @Test func `ending without a byte is an error`() async {
        #expect(await error { _ in .complete }?.code == .badData)
    }

    @Test func `an error after the last byte fails the load, and nothing is stored`() async {
        struct Regret: Error {}
        let error = await error { sink in
            try await sink.write(Self.file)
            throw Regret()
        }
        #expect(error?.code == .loadFailed)
        #expect(error?.cause is Regret)
    }

    @Test func `a CancellationError of a loader is a failure, not a cancellation`() async {
        #expect(await error { _ in throw CancellationError() }?.code == .loadFailed)
    }

    @Test func `writing after the end is refused and harmless`() async throws {
        let kept = Lock<(any ByteSink)?>(nil)
        let bench = Bench()
        bench.manager.registry.loaders.add(
            ScriptedLoader { sink in
                kept.withLock { $0 = sink }
                try await sink.write(Self.file)
                return .complete
            })
        let image = try await bench.manager.image(for: bench.request())
        let late = await imageError { try await kept.withLock { $0 }?.write(Data([1])) }
        // Break the reference cycle with the loader.
        kept.withLock { $0 = nil }
        #expect(late?.code == .loadFailed)
        #expect(image.size == PixelSize(40, 30))
    }

    @Test func `a loader that loads through the same manager gets its image`() async throws {
        let bench = Bench()
        let manager = bench.manager
        let token = Lock<RegistryToken?>(nil)
        token.withLock {
            $0 = manager.registry.loaders.add(
                ScriptedLoader { _ in
                    if let token = token.withLock({ $0 }) { manager.registry.loaders.remove(token) }
                    return .image(try await manager.image(for: "fake://host/inner.raw"))
                })
        }
        #expect(try await manager.image(for: "fake://host/outer.raw").size == PixelSize(40, 30))
    }
}
