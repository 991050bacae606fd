import CalotypeTesting
import Testing

@testable import Calotype

/// Removals at the very moment at which something is stored.
@Suite(.timeLimit(.minutes(5)))
struct RemovalRaceTests {
    /// A memory tier that keeps nothing, and does something the next time that it is to keep something.
    private final class TellingMemory: MemoryCache {
        private let action = Lock<(@Sendable () -> Void)?>(nil)

        func atNextStore(_ body: @escaping @Sendable () -> Void) { action.withLock { $0 = body } }

        func image(for key: VariantKey) -> Image? { nil }
        func contains(_ key: VariantKey) -> Bool { false }
        func remove(_ key: VariantKey) {}
        func removeAll(of source: SourceKey) {}
        func clear() {}

        func store(_ image: Image, for key: VariantKey, timeToLive: Duration?) {
            let body = action.withLock { action in
                defer { action = nil }
                return action
            }
            body?()
        }
    }

    @Test(arguments: [false, true])
    func `what is made of a disk read does not come back on disk, what is made of a load is kept`(
        isLoaded: Bool
    ) async throws {
        let (variants, originals, memory) = (InMemoryDataCache(), InMemoryDataCache(), TellingMemory())
        let bench = Bench(context: [
            .imageCache(TieredCache(memory: nil, data: variants)),
            .originalImageCache(TieredCache(memory: memory, data: originals)), .originalStoreCacheType(.all),
        ])
        let changes = bench.manager.pipeline.changes
        let source = try await bench.manager.cacheKey(for: bench.request()).source
        // When the source is removed after the last look at removals, just before the variant's store begins: nothing
        // is being stored then that a removal would wait for
        let removing = FakeTransformer { image in
            memory.atNextStore {
                changes.begin(source)
                defer { changes.end(source) }
                try? variants.removeAll(of: source)
                try? originals.removeAll(of: source)
            }
            return image
        }
        let request = bench.request([.transformer(removing)])
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
