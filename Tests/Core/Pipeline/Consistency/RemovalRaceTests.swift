import CalotypeTesting
import Testing

@testable import Calotype

/// Removals at the moment of a store.
@Suite(.timeLimit(.minutes(5)))
struct RemovalRaceTests {
    /// A serializer that runs a closure while it makes the entry of a variant, and leaves the encoding to the default
    /// rule.
    private struct RemovingSerializer: CacheSerializer {
        let body: @Sendable () -> Void

        func data(for serialization: Serialization) throws -> Data? {
            if !serialization.key.isOriginal { body() }
            return nil
        }
    }

    @Test(arguments: [false, true])
    func `a variant of an entry read before a removal is not stored on disk, a variant of a load is`(
        isLoaded: Bool
    ) async throws {
        let (variants, originals) = (InMemoryDataCache(), InMemoryDataCache())
        let bench = Bench(context: [
            .imageCache(TieredCache(memory: nil, disk: variants)),
            .originalImageCache(TieredCache(memory: nil, disk: originals)),
        ])
        let changes = bench.manager.pipeline.changes
        let source = try await bench.manager.cacheKey(for: bench.request()).source
        // When the source is removed while the variant's entry is being made, by a removal that does not know the entry
        let removing = RemovingSerializer {
            changes.begin(source)
            defer { changes.end(source) }
            try? variants.removeAll(of: source)
            try? originals.removeAll(of: source)
        }
        let request = bench.request([.transformer(FakeTransformer()), .cacheSerializer(removing)])
        let key = try await bench.manager.cacheKey(for: request)
        if !isLoaded {
            try originals.store(CacheEntry(data: RawImageCoder.file(width: 40, height: 30)), for: key.original)
        }
        let response = try await bench.manager.response(for: request)
        #expect(response.source == (isLoaded ? .loader : .disk))
        #expect(changes.count(of: source) == 1)
        #expect(variants.keys == (isLoaded ? [key] : []))
    }
}
