import CalotypeTesting
import Testing

@testable import Calotype

/// The bytes of originals, without decoding.
@Suite(.timeLimit(.minutes(5)))
struct DataRequestTests {
    private let file = RawImageCoder.file(width: 40, height: 30)

    private func error(_ bench: Bench, _ context: ImageContext = []) async -> ImageError? {
        await imageError { try await bench.manager.data(for: bench.request(), context: context) }
    }

    @Test func `bytes are loaded once, stored, and then found on disk`() async throws {
        let bench = Bench()
        #expect(try await bench.manager.data(for: bench.request()) == file)
        #expect(bench.coder.decodeCount == 0)
        #expect(bench.data.keys.count == 1)
        #expect(try await bench.manager.data(for: bench.request()) == file)
        #expect(bench.loader.loadCount == 1)
        #expect(bench.manager.statistics.loads == 1)
        #expect(bench.manager.statistics.diskHits == 1)
    }

    @Test func `a data request returns the original, whatever the image options`() async throws {
        let bench = Bench()
        let data = try await bench.manager.data(
            for: bench.request(), context: [.thumbnailPixelSize(4, 4), .transformer(FakeTransformer())])
        #expect(data == file)
        #expect(try await bench.manager.image(for: bench.request()).width == 40)
        #expect(bench.loader.loadCount == 1)
    }

    @Test func `a data request finds data stored by an image request, and the reverse`() async throws {
        let bench = Bench()
        _ = try await bench.manager.image(for: bench.request())
        #expect(try await bench.manager.data(for: bench.request()) == file)
        bench.memory.clear()
        #expect(try await bench.manager.response(for: bench.request()).source == .disk)
        #expect(bench.loader.loadCount == 1)
    }

    @Test func `a data request and an image request share a load`() async throws {
        let bench = Bench(isOpen: false)
        async let data = bench.manager.data(for: bench.request())
        async let image = bench.manager.image(for: bench.request())
        await bench.gate.waitForArrivals(1)
        bench.gate.open()
        #expect(try await data == file)
        #expect(try await image.width == 40)
        #expect(bench.loader.loadCount == 1)
    }

    @Test func `data that is not an image is an error, and is not stored`() async throws {
        let bench = Bench()
        bench.loader.answer(Bench.url.absoluteString, with: .bytes(Data("<html>".utf8)))
        #expect(await error(bench)?.code == .unknownFormat)
        #expect(bench.data.keys.isEmpty)
    }

    @Test func `an image beyond the limits is refused by its header`() async throws {
        let bench = Bench()
        #expect(await error(bench, [.maxPixels(100)])?.code == .limitExceeded)
        #expect(bench.coder.decodeCount == 0)
        #expect(bench.data.keys.isEmpty)
    }

    @Test func `a miss with loading disallowed is an error`() async throws {
        let bench = Bench()
        #expect(await error(bench, [.fromCacheOnly])?.code == .notCached)
        #expect(bench.loader.loadCount == 0)
    }

    @Test func `new data replaces the cached copy once it has decoded`() async throws {
        let bench = Bench()
        _ = try await bench.manager.image(for: bench.request([.thumbnailPixelSize(4, 4)]))
        let newer = RawImageCoder.file(width: 8, height: 8)
        bench.loader.answer(Bench.url.absoluteString, with: .bytes(newer))
        #expect(try await bench.manager.data(for: bench.request(), context: [.refreshCached]) == newer)
        #expect(try await bench.manager.data(for: bench.request()) == newer)
        #expect(bench.data.keys.count == 1, "the thumbnail of the old data is removed")
        #expect(bench.loader.loadCount == 2)
    }

    @Test func `data loaded past the caches replaces the cached copy`() async throws {
        let bench = Bench()
        _ = try await bench.manager.data(for: bench.request())
        let newer = RawImageCoder.file(width: 8, height: 8)
        bench.loader.answer(Bench.url.absoluteString, with: .bytes(newer))
        #expect(try await bench.manager.data(for: bench.request(), context: [.fromLoaderOnly]) == newer)
        #expect(try await bench.manager.data(for: bench.request()) == newer)
    }

    @Test func `new data that does not decode leaves the cached copy unchanged`() async throws {
        let bench = Bench()
        _ = try await bench.manager.data(for: bench.request())
        let damaged = RawImageCoder.file(width: 8, height: 8).dropLast(8 * 4)
        bench.loader.answer(Bench.url.absoluteString, with: .bytes(Data(damaged)))
        #expect(try await bench.manager.data(for: bench.request(), context: [.refreshCached]) == damaged)
        #expect(bench.coder.decodeCount == 1)
        #expect(try await bench.manager.data(for: bench.request()) == file)
    }

    @Test func `new data is decoded in the background unless the request waits for stores`() async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let bench = Bench(decodeGate: gate, context: [.off(.waitStoreCache)])
        let pipeline = bench.manager.pipeline
        _ = try await bench.manager.data(for: bench.request())
        await pipeline.pendingStores.wait(for: bench.cache)
        let newer = RawImageCoder.file(width: 8, height: 8)
        bench.loader.answer(Bench.url.absoluteString, with: .bytes(newer))
        for _ in 0..<2 {
            #expect(try await bench.manager.data(for: bench.request(), context: [.refreshCached]) == newer)
        }
        await gate.waitForArrivals(1)
        #expect(try await bench.manager.data(for: bench.request()) == file)
        gate.open()
        try await waitUntil("the new data has been decoded") { pipeline.refreshing.withLock { $0.isEmpty } }
        #expect(try await bench.manager.data(for: bench.request()) == newer)
        #expect(bench.coder.decodeCount == 1, "one decode serves both requests")
    }

    @Test func `the bytes of a request that waits for its store do not count as waiting for a decoder`() async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let disk = GatedDataCache(stores: gate)
        let bench = Bench(context: [.imageCache(TieredCache(disk: disk))])
        async let data = bench.manager.data(for: bench.request())
        try await waitUntil("the store has begun") { disk.events == [.storeBegan] }
        #expect(bench.manager.pipeline.undecoded.byteCount == 0)
        gate.open()
        #expect(try await data == file)
    }

    @Test func `a data request fails if the loader returns an image`() async throws {
        let bench = Bench()
        let image = Image(pixels: try PixelBuffer.noise(PixelSize(4, 3), seed: 1))
        bench.loader.answer(Bench.url.absoluteString, with: .image(image))
        let error = await error(bench)
        #expect(error?.code == .loadFailed)
        #expect(error?.message == "its loader returns an image instead of the bytes of a file")
    }

    @Test func `data comes from the first alternative that has any`() async throws {
        let bench = Bench()
        let other = try #require(URL(string: "fake://host/other.raw"))
        let gone = ImageError(.notFound, stage: .load, message: "is not there")
        bench.loader.answer(Bench.url.absoluteString, with: .failure(gone))
        #expect(try await bench.manager.data(for: bench.request(), context: [.alternatives([other])]) == file)
        #expect(await error(bench)?.code == .notFound)
    }

    @Test func `a failure that is remembered is thrown again without a load`() async throws {
        let bench = Bench(context: [.failedURLTimeToLive(.seconds(60))])
        let gone = ImageError(.notFound, stage: .load, message: "is not there")
        bench.loader.answer(Bench.url.absoluteString, with: .failure(gone))
        for _ in 0..<2 { #expect(await error(bench)?.code == .notFound) }
        #expect(bench.loader.loadCount == 1)
    }

    @Test func `a header that cannot be read is a failure that is remembered`() async throws {
        let bench = Bench(context: [.failedURLTimeToLive(.seconds(60))])
        bench.loader.answer(Bench.url.absoluteString, with: .bytes(Data("<html>".utf8)))
        for _ in 0..<2 { #expect(await error(bench)?.code == .unknownFormat) }
        #expect(bench.loader.loadCount == 1)
    }

    @Test func `cancelling the wait ends the load`() async throws {
        let bench = Bench(isOpen: false)
        let waiting = Task { await error(bench) }
        await bench.gate.waitForArrivals(1)
        waiting.cancel()
        #expect(await waiting.value?.code == .cancelled)
        try await waitUntil("the load is cancelled") { bench.loader.cancelCount == 1 }
        bench.gate.open()
    }

    @Test func `a timeout ends the wait`() async throws {
        let bench = Bench(isOpen: false)
        let waiting = Task { await error(bench, [.timeout(.seconds(5))]) }
        await bench.gate.waitForArrivals(1)
        bench.time.advance(by: .seconds(6))
        #expect(await waiting.value?.code == .timedOut)
        bench.gate.open()
    }

    @Test func `nothing begins for a cancelled caller`() async {
        let bench = Bench()
        let waiting = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await error(bench)
        }
        #expect(await waiting.value?.code == .cancelled)
        #expect(bench.manager.statistics.loads == 0)
        #expect(bench.loader.loadCount == 0)
    }

    @Test func `nothing begins with a timeout of zero`() async {
        let bench = Bench()
        #expect(await error(bench, [.timeout(.zero)])?.code == .timedOut)
        #expect(bench.loader.loadCount == 0)
    }

    @Test func `nothing is loaded if an options processor sets a timeout of zero`() async {
        let bench = Bench()
        let processor = ContextLayersTests.Processor { _ in [.timeout(.zero)] }
        #expect(await error(bench, [.optionsProcessor(processor)])?.code == .timedOut)
        #expect(bench.loader.loadCount == 0)
    }

    @Test func `the timeout of an options processor replaces that of the request`() async {
        let bench = Bench(isOpen: false)
        let processor = ContextLayersTests.Processor { _ in [.timeout(.seconds(5))] }
        for _ in 0..<2 {
            let arrivals = bench.gate.arrivals
            let waiting = Task { await error(bench, [.timeout(.seconds(60)), .optionsProcessor(processor)]) }
            await bench.gate.waitForArrivals(arrivals + 1)
            bench.time.advance(by: .seconds(6))
            #expect(await waiting.value?.code == .timedOut)
        }
        bench.gate.open()
    }

    @Test func `an options processor can remove the timeout`() async throws {
        let bench = Bench(isOpen: false)
        let processor = ContextLayersTests.Processor { _ in [.off(.timeout)] }
        let data = Task {
            try await bench.manager.data(
                for: bench.request(), context: [.timeout(.seconds(5)), .optionsProcessor(processor)])
        }
        await bench.gate.waitForArrivals(1)
        bench.time.advance(by: .seconds(6))
        bench.gate.open()
        #expect(try await data.value == file)
    }

    @Test func `a listener added by an options processor gets the events of a request resolved before`() async throws {
        let added = RecordingListener()
        let processor = ContextLayersTests.Processor { _ in [.eventListener(added)] }
        let bench = Bench()
        let request = bench.request([.optionsProcessor(processor)])
        for _ in 0..<2 { _ = try await bench.manager.data(for: request) }
        await bench.manager.waitForEvents()
        #expect(
            added.events.filter { $0.stage == .request }.count == 2,
            "one began event and one end event, both of the second request")
    }

    @Test func `a refresh returns the cached data if the delegate forbids loading`() async throws {
        struct Forbidding: ImageManagerDelegate {
            func shouldLoad(_ request: LoadRequest) -> Bool { false }
        }
        let bench = Bench()
        _ = try await bench.manager.data(for: bench.request())
        let context: ImageContext = [.refreshCached, .delegate(Forbidding())]
        #expect(try await bench.manager.data(for: bench.request(), context: context) == file)
        try bench.data.clear()
        let error = await error(bench, context)
        #expect(error?.code == .notCached)
        #expect(error?.message == "the delegate does not allow the load")
    }

    @Test func `a refresh stores the bytes if no cache has a copy`() async throws {
        let bench = Bench()
        #expect(try await bench.manager.data(for: bench.request(), context: [.refreshCached]) == file)
        #expect(bench.data.keys.count == 1)
        #expect(bench.loader.loadCount == 1)
    }

    @Test func `a refresh after a remembered failure throws the failure`() async throws {
        let bench = Bench(context: [.failedURLTimeToLive(.seconds(60))])
        _ = try await bench.manager.data(for: bench.request())
        let gone = ImageError(.notFound, stage: .load, message: "is not there")
        bench.loader.answer(Bench.url.absoluteString, with: .failure(gone))
        for _ in 0..<2 { #expect(await error(bench, [.refreshCached])?.code == .notFound) }
        #expect(bench.loader.loadCount == 2)
        #expect(
            try await bench.manager.data(for: bench.request()) == file,
            "the cached data is still returned, because it has no HTTP caching fields")
    }

    @Test func `a loader may request data from the manager while it loads`() async throws {
        /// A loader that loads another URL with the manager.
        final class Forwarder: ImageLoader {
            let manager: ImageManager
            init(_ manager: ImageManager) { self.manager = manager }
            func canLoad(_ request: LoadRequest) -> Bool { request.url.scheme == "copy" }
            func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
                try await sink.write(try await manager.data(for: Bench.url))
                return .complete
            }
        }
        let bench = Bench(concurrency: Concurrency(loads: 1))
        let forwarder = Forwarder(bench.manager)
        let request = ImageRequest("copy://host/a", context: [.imageLoader(forwarder)])
        #expect(try await bench.manager.image(for: request).width == 40)
    }
}
