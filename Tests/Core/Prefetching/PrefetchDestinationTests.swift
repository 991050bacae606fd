import Calotype
import CalotypeTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PrefetchDestinationTests {
    /// The unmodified picture, and a thumbnail of it.
    private static let contexts: [ImageContext] = [[], [.thumbnailPixelSize(8, 8)]]

    private func prefetch(_ request: ImageRequest, to destination: CacheTiers, _ bench: Bench) async {
        let prefetcher = ImagePrefetcher(manager: bench.manager, destination: destination)
        let result = await prefetcher.start([request]).completion
        #expect(result == PrefetchProgress(finished: 1, skipped: 0, total: 1))
    }

    @Test func `by default a picture is prefetched to memory and disk`() async throws {
        for context in Self.contexts {
            let bench = Bench()
            let request = bench.request(context)
            let prefetcher = ImagePrefetcher(manager: bench.manager)
            _ = await prefetcher.start([request]).completion
            let tiers = try await bench.manager.contains(request)
            #expect(tiers == .all)
        }
    }

    @Test func `a picture for memory leaves nothing on disk`() async throws {
        for context in Self.contexts {
            let bench = Bench()
            let request = bench.request(context)
            await prefetch(request, to: .memory, bench)
            let tiers = try await bench.manager.contains(request)
            #expect(tiers == .memory)
            #expect(bench.data.keys.isEmpty)
        }
    }

    @Test func `a picture for disk leaves nothing in memory, and is not decoded again`() async throws {
        for context in Self.contexts {
            let bench = Bench()
            let request = bench.request(context)
            await prefetch(request, to: .disk, bench)
            let tiers = try await bench.manager.contains(request)
            #expect(tiers == .disk)
            let original = try await bench.manager.contains(bench.request())
            #expect(original == .disk)
            let (decodes, reads) = (bench.coder.decodeCount, bench.data.readCount)
            await prefetch(request, to: .disk, bench)
            #expect(bench.coder.decodeCount == decodes)
            #expect(bench.data.readCount == reads)
            #expect(bench.loader.loadCount == 1)
            let response = try await bench.manager.response(for: request)
            #expect(response.source == .disk)
        }
    }

    @Test func `a picture for disk is stored there even if it is in memory`() async throws {
        for context in Self.contexts {
            let bench = Bench()
            let request = bench.request(context)
            let inMemory: ImageContext = [.storeCacheType(.memory), .originalStoreCacheType([])]
            let image = try await bench.manager.image(for: request.with(inMemory))
            #expect(bench.data.keys.isEmpty)
            await prefetch(request, to: .disk, bench)
            let tiers = try await bench.manager.contains(request)
            #expect(tiers == .all)
            withExtendedLifetime(image) {}
        }
    }

    @Test func `a picture is not stored if its request stores nothing`() async throws {
        for destination in [CacheTiers.memory, .disk, .all] {
            let bench = Bench(context: [.originalStoreCacheType([])])
            let request = bench.request([.thumbnailPixelSize(8, 8), .storeCacheType([])])
            await prefetch(request, to: destination, bench)
            let tiers = try await bench.manager.contains(request)
            #expect(tiers == [])
            #expect(bench.data.keys.isEmpty)
            #expect(bench.loader.loadCount == 1)
        }
    }

    @Test func `a request that always loads does so even if the image is on disk`() async throws {
        let bench = Bench()
        await prefetch(bench.request(), to: .disk, bench)
        await prefetch(bench.request([.fromLoaderOnly]), to: .disk, bench)
        #expect(bench.loader.loadCount == 2)
    }
}
