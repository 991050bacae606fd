import CalotypeTesting
import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct SharedWorkTests {
    @Test func `twenty concurrent thumbnails of one source take one load and twenty decodes`() async throws {
        let bench = Bench(isOpen: false)
        let tasks = (1...20).map { side in bench.manager.load(bench.request([.thumbnailPixelSize(side, side)])) }
        try await bench.manager.waitForWaiters(20, for: .original, of: bench.request())
        bench.gate.open()
        for (index, task) in tasks.enumerated() {
            let image = try await task.response.image
            #expect(image.width == index + 1)
        }
        #expect(bench.loader.loadCount == 1)
        #expect(bench.coder.decodeCount == 20)
    }

    @Test func `twenty concurrent resizes of one source take one load, one decode and twenty resizes`() async throws {
        let bench = Bench(isOpen: false)
        let steps = (1...20).map { FakeTransformer(key: "step\($0)") }
        let tasks = steps.map { bench.manager.load(bench.request([.transformer($0)])) }
        try await bench.manager.waitForWaiters(20, for: .decode, of: bench.request())
        bench.gate.open()
        for task in tasks { _ = try await task.response }
        #expect(bench.loader.loadCount == 1)
        #expect(bench.coder.decodeCount == 1)
        #expect(steps.allSatisfy { $0.callCount == 1 })
    }

    @Test func `two chains that begin with the same step run it once`() async throws {
        let bench = Bench(isOpen: false)
        let (a, b, c) = (FakeTransformer(key: "a"), FakeTransformer(key: "b"), FakeTransformer(key: "c"))
        let first = bench.manager.load(bench.request([.transformers([a, b])]))
        let second = bench.manager.load(bench.request([.transformers([a, c])]))
        try await bench.manager.waitForWaiters(2, for: .steps(1), of: bench.request([.transformer(a)]))
        bench.gate.open()
        _ = try await (first.response, second.response)
        #expect(a.callCount == 1)
        #expect(b.callCount == 1)
        #expect(c.callCount == 1)
        #expect(bench.coder.decodeCount == 1)
    }

    @Test func `concurrent equal requests are stored once`() async throws {
        let bench = Bench(isOpen: false)
        let tasks = (0..<10).map { _ in bench.manager.load(bench.request([.thumbnailPixelSize(10, 10)])) }
        try await bench.manager.waitForWaiters(10, for: .decode, of: bench.request([.thumbnailPixelSize(10, 10)]))
        bench.gate.open()
        for task in tasks { _ = try await task.response }
        let stores = bench.data.stores
        #expect(stores.count == 2, "one for the original and one for the variant")
        #expect(Set(stores).count == 2)
        #expect(bench.coder.encodeCount == 1)
    }

    @Test func `two spellings of one URL share a load`() async throws {
        let bench = Bench(isOpen: false)
        let spellings = ["FAKE://HOST/picture.raw#part", "fake://host/a/../picture.raw", "fake://host/picture.raw"]
        let tasks = spellings.map { bench.manager.load($0) }
        try await bench.manager.waitForWaiters(3, for: .decode, of: ImageRequest(spellings[0]))
        bench.gate.open()
        for task in tasks { _ = try await task.response }
        #expect(bench.loader.loadCount == 1)
    }

    @Test func `a strict request does not join a lax one`() async throws {
        let bench = Bench(isOpen: false)
        let lax = bench.manager.load(bench.request())
        await bench.gate.waitForArrivals(1)
        let strict = bench.manager.load(bench.request([.maxInputBytes(100)]))
        await bench.gate.waitForArrivals(2)
        bench.gate.open()
        _ = try await lax.response
        let error = await imageError { try await strict.response }
        #expect(error?.code == .limitExceeded)
        #expect(bench.loader.loadCount == 2)
    }

    @Test func `a strict request does not get an image that a lax one stored`() async throws {
        let bench = Bench()
        _ = try await bench.manager.image(for: bench.request())
        for limit: ImageContext in [[.maxInputBytes(100)], [.maxPixels(100)], [.maxSidePixels(10)]] {
            #expect(bench.manager.cachedResponse(for: bench.request(limit)) == nil)
            let error = await imageError { try await bench.manager.image(for: bench.request(limit)) }
            #expect(error?.code == .limitExceeded, "\(limit)")
        }
    }

    @Test func `a step is cancelled only when its last waiter has left`() async throws {
        let bench = Bench(isOpen: false)
        let first = bench.manager.load(bench.request([.thumbnailPixelSize(5, 5)]))
        let second = bench.manager.load(bench.request([.thumbnailPixelSize(6, 6)]))
        try await bench.manager.waitForWaiters(2, for: .original, of: bench.request([.thumbnailPixelSize(5, 5)]))
        await bench.gate.waitForArrivals(1)
        first.cancel()
        #expect(bench.loader.activeCount == 1)
        #expect(bench.loader.cancelCount == 0)
        bench.gate.open()
        #expect(try await second.response.image.width == 6)
        let error = await imageError { try await first.response }
        #expect(error?.code == .cancelled)
    }

    @Test func `a step is cancelled when its last waiter has left`() async throws {
        let bench = Bench(isOpen: false)
        let tasks = [5, 6].map { bench.manager.load(bench.request([.thumbnailPixelSize($0, $0)])) }
        try await bench.manager.waitForWaiters(2, for: .original, of: bench.request([.thumbnailPixelSize(5, 5)]))
        await bench.gate.waitForArrivals(1)
        for task in tasks { task.cancel() }
        try await waitUntil("the load is cancelled") { bench.loader.cancelCount > 0 }
        #expect(bench.loader.loadCount == 1)
        #expect(bench.manager.isIdle)
    }

    @Test func `a waiter that arrives after the last has left starts new work`() async throws {
        let bench = Bench(isOpen: false)
        let first = bench.manager.load(bench.request())
        await bench.gate.waitForArrivals(1)
        first.cancel()
        let second = bench.manager.load(bench.request())
        await bench.gate.waitForArrivals(2)
        bench.gate.open()
        _ = try await second.response
        #expect(bench.loader.loadCount == 2)
    }

    @Test func `a failing load fails for all of its waiters, and is not remembered`() async throws {
        let bench = Bench(isOpen: false)
        let failure = ImageError(.loadFailed, stage: .load, message: "the line is down")
        bench.loader.answer(Bench.url.absoluteString, with: .failure(failure))
        let tasks = [bench.manager.load(bench.request()), bench.manager.load(bench.request([.frame(0)]))]
        try await bench.manager.waitForWaiters(2, for: .original, of: bench.request())
        bench.gate.open()
        for task in tasks {
            let error = await imageError { try await task.response }
            #expect(error?.code == .loadFailed)
            #expect(error?.subject == "fake://host/picture.raw")
        }
        bench.loader.answer(Bench.url.absoluteString, with: .bytes(RawImageCoder.file(width: 4, height: 4)))
        #expect(try await bench.manager.image(for: bench.request()).width == 4)
    }

    @Test func `data that is loaded but not yet decoded is not loaded again for another size`() async throws {
        let gate = BlockingGate()
        let bench = Bench(decodeGate: gate, concurrency: Concurrency(decodes: 3))
        let first = bench.manager.load(bench.request([.thumbnailPixelSize(20, 20)]))
        await gate.waitForArrivals(1)
        let second = bench.manager.load(bench.request([.thumbnailPixelSize(8, 8)]))
        let third = bench.manager.load(bench.request([.fromLoaderOnly]))
        await gate.waitForArrivals(3)
        gate.open()
        #expect(try await first.response.image.size == PixelSize(20, 15))
        #expect(try await second.response.image.size == PixelSize(8, 6))
        #expect(try await third.response.image.size == PixelSize(40, 30))
        #expect(bench.loader.loadCount == 1)
        _ = try await bench.manager.image(for: bench.request([.fromLoaderOnly, .thumbnailPixelSize(9, 9)]))
        #expect(bench.loader.loadCount == 2)
    }

    @Test(arguments: [true, false])
    func `work that has ended releases its last report`(isAbandoned: Bool) throws {
        weak var preview: Image.Storage?
        let work = SharedWork<Int>(
            for: Subscription(
                waiter: SilentWaiter(priority: .normal), onReport: { _ in },
                demand: Demand.Value(priority: .normal)), OneShot())
        func report() throws {
            let image = Image(pixels: try PixelBuffer.noise(PixelSize(4, 3), seed: 1))
            preview = image.storage
            work.report(WorkReport(preview: image))
        }
        try report()
        #expect(preview != nil)
        if isAbandoned { work.leave(SharedWork<Int>.firstTicket) {} } else { _ = work.end() }
        #expect(preview == nil)
        withExtendedLifetime(work) {}
    }
}
