import CalotypeTesting
import Testing

@testable import Calotype

/// The number of memory lookups for each request, according to the statistics.
@Suite(.timeLimit(.minutes(5)))
struct MemoryLookUpTests {
    private let bench = Bench()

    /// A processor that changes nothing, but has to be called before the variant is known.
    private struct Silence: OptionsProcessor {
        func process(_ context: ResolvedContext, for url: URL) throws -> ImageContext { [] }
    }

    @Test(
        arguments: [
            [], [.thumbnailPixelSize(10, 10)], [.optionsProcessor(Silence())], [.queryMemoryData],
        ] as [ImageContext])
    func `a request counts as one miss or one hit, however it is made`(context: ImageContext) async throws {
        let memory = bench.memory
        _ = try await bench.manager.image(for: bench.request(context))
        #expect(memory.statistics.misses == 1)
        _ = try await bench.manager.image(for: bench.request(context))
        memory.clear()
        _ = try await bench.manager.load(bench.request(context)).response
        _ = try await bench.manager.load(bench.request(context)).response
        #expect(memory.statistics.misses == 2)
        #expect(memory.statistics.hits == 2)
    }

    @Test func `a request with allowLargerCached counts as one miss or one hit too`() async throws {
        let memory = BoundedMemoryCache(
            countLimit: 2, findsLivingImages: false, trimsUnderPressure: false, policy: LRUPolicy())
        let caching: ImageContext = [.imageCache(TieredCache(memory: memory)), .allowLargerCached]
        func request(_ side: Int) -> ImageRequest {
            bench.request(caching.merging([.thumbnailPixelSize(side, side)]))
        }
        _ = try await bench.manager.image(for: request(8))
        _ = try await bench.manager.image(for: request(20))
        #expect(memory.statistics.misses == 2)
        #expect(memory.statistics.hits == 0)
        // No image is large enough: a miss, which does not count as a use of the two candidates, so the older one is
        // evicted.
        _ = try await bench.manager.image(for: request(30))
        #expect(memory.statistics.misses == 3)
        #expect(memory.statistics.hits == 0)
        let older = try await bench.manager.cacheKey(for: request(8))
        #expect(!memory.contains(older))
        // Two images are large enough: one hit.
        #expect(bench.manager.cachedResponse(for: request(10))?.image.size == PixelSize(20, 15))
        #expect(memory.statistics.misses == 3)
        #expect(memory.statistics.hits == 1)
        #expect(memory.statistics.weakHits == 0)
    }

    @Test func `a larger size is found also with an options processor`() async throws {
        _ = try await bench.manager.image(for: bench.request([.thumbnailPixelSize(20, 20)]))
        let image = try await bench.manager.image(
            for: bench.request([.thumbnailPixelSize(10, 10), .allowLargerCached, .optionsProcessor(Silence())]))
        #expect(image.size == PixelSize(20, 15))
        #expect(bench.loader.loadCount == 1)
    }

    @Test(arguments: [[], [.thumbnailPixelSize(10, 10)]] as [ImageContext])
    func `an image read from disk expires in memory with its entry`(context: ImageContext) async throws {
        let memory = BoundedMemoryCache(trimsUnderPressure: false, time: bench.time)
        let cache = TieredCache(memory: memory, disk: InMemoryDataCache(time: bench.time))
        let request = bench.request(context.merging([.imageCache(cache)]))
        // Given entries that live for a minute
        _ = try await bench.manager.image(
            for: bench.request(context.merging([.imageCache(cache), .timeToLive(.seconds(60))])))
        memory.clear()
        // When a request without a lifetime reads one, and another one is made from the original
        bench.time.advance(by: .seconds(50))
        #expect(try await bench.manager.response(for: request).source == .disk)
        let other = bench.request([.imageCache(cache), .thumbnailPixelSize(5, 5)])
        #expect(try await bench.manager.response(for: other).source == .disk)
        #expect(bench.manager.cachedResponse(for: request) != nil)
        // Then all of them expire after that minute
        bench.time.advance(by: .seconds(11))
        #expect(bench.manager.cachedResponse(for: request) == nil)
        #expect(bench.manager.cachedResponse(for: other) == nil)
        #expect(try await bench.manager.response(for: other).source == .loader)
    }

    private struct Broken: Error {}

    @Test func `a removal applies to memory even if the disk fails`() async throws {
        let request = bench.request()
        for remove in 0..<3 {
            _ = try await bench.manager.image(for: request)
            let key = try await bench.manager.cacheKey(for: request)
            bench.data.failure = Broken()
            let error = await imageError {
                switch remove {
                case 0: try await bench.manager.remove(request)
                case 1: try await bench.manager.removeAll(tagged: "album")
                default:
                    do {
                        try bench.cache.clear(.all)
                    } catch {
                        throw ImageError(.cacheFailed, stage: .store, message: "as it should")
                    }
                }
            }
            #expect(error?.code == .cacheFailed)
            bench.data.failure = nil
            #expect(!bench.memory.contains(key))
        }
    }
}
