import CalotypeTesting
import Testing

@testable import Calotype

/// The streams of a task's events, and additional contexts of calls.
@Suite(.timeLimit(.minutes(5)))
struct TaskStreamTests {
    @Test func `progress counts up to the file's length and ends with the task`() async throws {
        let bench = Bench(isOpen: false)
        let task = bench.manager.load(bench.request())
        await bench.gate.waitForArrivals(1)
        let listening = Task { [progress = task.progress] in
            var last: LoadProgress?
            for await step in progress { last = step }
            return last
        }
        bench.gate.open()
        let last = await listening.value
        #expect(last.map { $0.byteCount <= RawImageCoder.file(width: 40, height: 30).count } ?? true)
        #expect(try await task.image.width == 40)
    }

    @Test func `the streams of a finished task are empty`() async throws {
        let bench = Bench()
        let task = bench.manager.load(bench.request())
        _ = try await task.image
        for await _ in task.progress { Issue.record("expected no progress after the end") }
        for await _ in task.previews { Issue.record("expected no preview after the end") }
    }

    @Test func `previews have placeholders, and end without an error when the task fails`() async throws {
        let bench = Bench(isOpen: false)
        let placeholder = Image(pixels: try PixelBuffer.noise(PixelSize(4, 3), seed: 1))
        let task = bench.manager.load(bench.request(), context: [.placeholders([.image(placeholder)])])
        var previews = task.previews.makeAsyncIterator()
        #expect(await previews.next(isolation: #isolation)?.size == PixelSize(4, 3))
        task.cancel()
        #expect(await previews.next(isolation: #isolation) == nil)
    }

    @Test func `previews include the cached image of a refreshing request`() async throws {
        let bench = Bench()
        _ = try await bench.manager.image(for: bench.request())
        let task = bench.manager.load(bench.request(), context: [.refreshCached])
        var count = 0
        for await preview in task.previews {
            #expect(preview.width == 40)
            count += 1
        }
        // A late listener receives only the end.
        #expect(count <= 1)
        #expect(try await task.image.width == 40)
    }

    @Test func `cancelling the Swift task that awaits an image task ends the wait and not the load`() async throws {
        let bench = Bench(isOpen: false)
        let task = bench.manager.load(bench.request())
        await bench.gate.waitForArrivals(1)
        let waiting = Task { await imageError { try await task.image } }
        let listening = Task { [progress = task.progress] in
            for await _ in progress {}
            return true
        }
        waiting.cancel()
        listening.cancel()
        #expect(await waiting.value?.code == .cancelled)
        #expect(await listening.value)
        #expect(!task.isFinished)
        bench.gate.open()
        #expect(try await task.image.width == 40)
    }

    @Test func `cancelling the Swift task that awaits an image of the manager ends the load`() async throws {
        let bench = Bench(isOpen: false)
        let waiting = Task { [manager = bench.manager] in
            await imageError { try await manager.image(for: Bench.url, context: [.thumbnailPixelSize(4, 4)]) }
        }
        await bench.gate.waitForArrivals(1)
        waiting.cancel()
        #expect(await waiting.value?.code == .cancelled)
        try await waitUntil("no task is running") { bench.manager.tasks.isEmpty }
        bench.gate.open()
    }

    @Test func `a context given to a call overrides that of its request`() async throws {
        let bench = Bench()
        let request = bench.request([.thumbnailPixelSize(20, 20)])
        let smaller: ImageContext = [.thumbnailPixelSize(8, 8)]
        #expect(try await bench.manager.image(for: request, context: smaller).width == 8)
        #expect(try await bench.manager.load(request, context: smaller).image.width == 8)
        #expect(try await bench.manager.response(for: request, context: smaller).source == .memory)
        #expect(bench.manager.cachedResponse(for: request, context: smaller)?.image.width == 8)
        #expect(bench.manager.cachedResponse(for: request) == nil)
        #expect(try await bench.manager.image(for: request).width == 20)
        #expect(try await bench.manager.image(for: Bench.url, context: [.frame(0)]).width == 40)
    }
}
