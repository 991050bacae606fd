import CalotypeTesting
import Dispatch
import Testing

@testable import Calotype

/// Loads with callbacks.
@Suite(.timeLimit(.minutes(5)))
struct CallbackTests {
    /// The texts of all callbacks, in order.
    private final class Log: Sendable {
        private let state = Lock<[String]>([])

        var lines: [String] { state.withLock { $0 } }

        func note(_ line: String) { state.withLock { $0.append(line) } }

        func note(_ event: ImageEvent) {
            switch event {
            case .progress: note("progress")
            case .preview: note("preview")
            case .cached: note("cached")
            default: note("unexpected \(event)")
            }
        }

        func note(_ result: Result<ImageResponse, ImageError>) {
            switch result {
            case .success(let response): note("image from \(response.source)")
            case .failure(let error): note(error.code.rawValue)
            }
        }

        /// Waits until a number of lines has been logged.
        func wait(for count: Int) async throws {
            try await waitUntil("\(count) lines are logged") { lines.count >= count }
        }
    }

    /// A queue that identifies code that runs on it.
    private struct Place: Sendable {
        private static let key = DispatchSpecificKey<String>()

        let queue: DispatchQueue

        init(_ name: String) {
            queue = DispatchQueue(label: name)
            queue.setSpecific(key: Self.key, value: name)
        }

        /// The name of the current queue; nil on other queues.
        static var current: String? { DispatchQueue.getSpecific(key: key) }
    }

    /// A task executor on a queue.
    private final class QueueExecutor: TaskExecutor {
        let place: Place

        init(_ place: Place) { self.place = place }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            place.queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    // MARK: Events and completions

    @Test func `events arrive in order, followed by one completion`() async throws {
        let (bench, log) = (Bench(isOpen: false), Log())
        let task = bench.manager.load(bench.request(), onEvent: { log.note($0) }, completion: { log.note($0) })
        bench.gate.open()
        try await waitUntil("the completion is called") { log.lines.last == "image from loader" }
        #expect(log.lines.dropLast().allSatisfy { $0 == "progress" })
        #expect(log.lines.count > 1)
        let count = log.lines.count
        task.cancel()
        #expect(log.lines.count == count, "cancelling after the end has no effect")
    }

    @Test func `an invalid request fails through its completion`() {
        let (bench, log) = (Bench(), Log())
        bench.manager.load("no scheme", on: .inline) { log.note($0) }
        #expect(log.lines == ["invalidURL"])
    }

    @Test func `cancelling calls the completion, immediately if it is inline`() async throws {
        let (bench, log) = (Bench(isOpen: false), Log())
        let task = bench.manager.load(
            bench.request(), on: .inline, onEvent: { log.note($0) }, completion: { log.note($0) })
        await bench.gate.waitForArrivals(1)
        #expect(log.lines.isEmpty)
        task.cancel()
        #expect(log.lines == ["cancelled"])
        bench.gate.open()
        try await waitUntil("the manager is idle") { bench.manager.isIdle }
        #expect(log.lines == ["cancelled"])
    }

    @Test(arguments: [[], [.thumbnailPixelSize(4, 4)]] as [ImageContext])
    func `cancelling a query completes it at once, even while its cache has not answered`(
        context: ImageContext
    ) async throws {
        let (cache, gate, log) = (ScriptedImageCache(), BlockingGate(), Log())
        defer { gate.open() }
        cache.hold(.entry, at: gate)
        let bench = Bench(context: [.imageCache(cache)])
        let task = bench.manager.load(
            bench.request(context.merging([.fromCacheOnly])), on: .inline, onEvent: { log.note($0) },
            completion: { log.note($0) })
        await gate.waitForArrivals(1)
        #expect(log.lines.isEmpty)
        #expect(!task.isFinished)
        task.cancel()
        #expect(log.lines == ["cancelled"])
        #expect(task.isFinished)
        // The cache's response is not delivered, and no other source is asked.
        gate.open()
        try await waitUntil("the manager is idle") { bench.manager.isIdle }
        await bench.manager.waitForEvents()
        #expect(log.lines == ["cancelled"])
        #expect(cache.calls == [.entry])
        #expect(bench.loader.loadCount == 0)
    }

    @Test func `a slow receiver gets only the latest progress, then the completion`() async throws {
        let (bench, log) = (Bench(isOpen: false), Log())
        let file = RawImageCoder.file(width: 40, height: 30)
        bench.loader.answer(Bench.url.absoluteString, with: .bytes(file, chunkSize: 100))
        let queue = DispatchQueue(label: "slow")
        queue.suspend()
        let byteCounts = Lock<[Int]>([])
        let task = bench.manager.load(
            bench.request(), on: .queue(queue),
            onEvent: { event in
                guard case .progress(let progress) = event else { return log.note(event) }
                byteCounts.withLock { $0.append(progress.byteCount) }
            }, completion: { log.note($0) })
        bench.gate.open()
        _ = try await task.response
        queue.resume()
        try await log.wait(for: 1)
        #expect(byteCounts.withLock { $0 } == [file.count])
        #expect(log.lines == ["image from loader"])
    }

    @Test func `pending events for a slow receiver are dropped when the load is cancelled`() async throws {
        let (bench, log) = (Bench(), Log())
        let file = RawImageCoder.file(width: 40, height: 30)
        let rest = Gate()
        bench.loader.answer(
            Bench.url.absoluteString,
            with: .pieces([(Gate(isOpen: true), file.prefix(1000)), (rest, Data(file.dropFirst(1000)))]))
        let queue = DispatchQueue(label: "slow")
        queue.suspend()
        let task = bench.manager.load(
            bench.request(), on: .queue(queue), onEvent: { log.note($0) }, completion: { log.note($0) })
        var events = task.makeAsyncIterator()
        _ = try await events.next()
        task.cancel()
        queue.resume()
        try await log.wait(for: 1)
        #expect(log.lines == ["cancelled"])
    }

    @Test func `a pending image is not delivered after cancelling`() async throws {
        let (bench, log) = (Bench(), Log())
        // From the loader, and then from memory.
        for count in 1...2 {
            let queue = DispatchQueue(label: "slow")
            queue.suspend()
            let task = bench.manager.load(
                bench.request(), on: .queue(queue), onEvent: { log.note($0) }, completion: { log.note($0) })
            _ = try await task.response
            task.cancel()
            #expect(log.lines.count == count - 1)
            queue.resume()
            try await log.wait(for: count)
            #expect(log.lines == Array(repeating: "cancelled", count: count))
            #expect(try await task.response.image.width == 40, "awaiting the response returns the image nonetheless")
        }
    }

    @Test func `no pending result is delivered after cancelAll`() async throws {
        let (bench, log) = (Bench(isOpen: false), Log())
        let manager = bench.manager
        // From the loader, from memory, failed, and still in progress; all wait for one queue.
        let queue = DispatchQueue(label: "slow")
        queue.suspend()
        let loaded = manager.load(bench.request(), on: .queue(queue)) { log.note($0) }
        bench.gate.open()
        _ = try await loaded.response
        bench.gate.close()
        let hit = manager.load(bench.request(), on: .queue(queue)) { log.note($0) }
        #expect(hit.isFinished)
        manager.load("no scheme", on: .queue(queue)) { log.note($0) }
        manager.load(
            "fake://host/other.raw", on: .queue(queue), onEvent: { log.note($0) }, completion: { log.note($0) })
        #expect(manager.tasks.count == 1)
        #expect(manager.running.completionCount == 4)
        manager.cancelAll()
        #expect(!manager.isRunning)
        // Started later.
        manager.load(bench.request(), on: .queue(queue)) { log.note($0) }
        queue.resume()
        try await log.wait(for: 5)
        #expect(log.lines.sorted() == Array(repeating: "cancelled", count: 4) + ["image from memory"])
        #expect(manager.running.completionCount == 0)
        #expect(try await loaded.response.image.width == 40, "awaiting the response returns the image nonetheless")
    }

    @Test func `a completion revoked on its way reports a cancellation, and no event precedes it`() {
        let (buffer, log) = (EventBuffer(), Log())
        buffer.put(LoadProgress(byteCount: 1))
        EventReceiver(buffer, on: { .inline }, onEvent: nil, completion: { log.note($0) }).begin()
        buffer.revoke(ImageError.cancelled(stage: .load))
        buffer.put(LoadProgress(byteCount: 2))
        #expect(buffer.take() == nil)
        #expect(log.lines.isEmpty)
        buffer.end(.failure(ImageError(.notFound, stage: .load, message: "is not there")))
        #expect(log.lines == ["cancelled"])
    }

    @Test func `a slow receiver releases its queue between events`() async throws {
        let (buffer, log, queue) = (EventBuffer(), Log(), DispatchQueue(label: "shared"))
        let receiver = EventReceiver(
            buffer, on: { .queue(queue) },
            onEvent: { event in
                guard case .progress(let progress) = event else { return log.note(event) }
                let count = progress.byteCount
                log.note("\(count)")
                if count == 1 { queue.async { log.note("other") } }
                if count < 100 {
                    buffer.put(LoadProgress(byteCount: count + 1))
                } else {
                    buffer.end(.failure(ImageError(.notFound, stage: .load, message: "is not there")))
                }
            }, completion: { log.note($0) })
        receiver.begin()
        buffer.put(LoadProgress(byteCount: 1))
        try await log.wait(for: 102)
        #expect(log.lines == ["1", "other"] + (2...100).map { "\($0)" } + ["notFound"])
    }

    @Test func `a callback that cancels gets only the completion, after it has returned`() async throws {
        let (bench, log) = (Bench(isOpen: false), Log())
        let task = Lock<ImageTask?>(nil)
        let loading = bench.manager.load(
            bench.request(), on: .inline,
            onEvent: { event in
                log.note(event)
                task.withLock { $0 }?.cancel()
                log.note("returned")
            }, completion: { log.note($0) })
        task.withLock { $0 = loading }
        bench.gate.open()
        try await log.wait(for: 3)
        #expect(log.lines == ["progress", "returned", "cancelled"])
    }

    @Test func `a load without an event handler calls only the completion`() async throws {
        let (bench, log) = (Bench(), Log())
        bench.manager.load(bench.request()) { log.note($0) }
        try await log.wait(for: 1)
        #expect(log.lines == ["image from loader"])
    }

    @Test func `callbacks are released after the completion`() async throws {
        final class Witness: Sendable {}
        let (bench, log) = (Bench(), Log())
        weak var kept: Witness?
        do {
            let witness = Witness()
            kept = witness
            let task = bench.manager.load(
                bench.request(), onEvent: { _ in _ = witness },
                completion: { result in
                    _ = witness
                    log.note(result)
                })
            try await log.wait(for: 1)
            #expect(task.isFinished)
        }
        try await waitUntil("the values captured by the callbacks are released") { kept == nil }
    }

    // MARK: Executors

    @Test func `callbacks run where the context says, and the argument of the call has priority`() async throws {
        let (mine, others) = (Place("mine"), Place("others"))
        let (bench, log) = (Bench(context: [.delivery(.queue(others.queue))]), Log())
        let told: @Sendable (Result<ImageResponse, ImageError>) -> Void = { _ in log.note(Place.current ?? "nowhere") }
        bench.manager.load(bench.request(), completion: told)
        try await log.wait(for: 1)
        bench.manager.load(bench.request([.delivery(.queue(mine.queue))]), completion: told)
        try await log.wait(for: 2)
        bench.manager.load(bench.request(), on: .queue(mine.queue), completion: told)
        try await log.wait(for: 3)
        bench.manager.load(bench.request(), on: .inline, completion: told)
        #expect(log.lines == ["others", "mine", "mine", "nowhere"])
    }

    @Test func `the options processor can set the delivery as well`() async throws {
        let place = Place("processed")
        let processor = ContextLayersTests.Processor { _ in [.delivery(.queue(place.queue))] }
        let (bench, log) = (Bench(context: [.optionsProcessor(processor)]), Log())
        bench.manager.load(bench.request()) { _ in log.note(Place.current ?? "nowhere") }
        try await log.wait(for: 1)
        #expect(log.lines == ["processed"])
    }

    @Test func `callbacks run on a task executor`() async throws {
        let executor = QueueExecutor(Place("executor"))
        let (bench, log) = (Bench(), Log())
        bench.manager.load(bench.request(), on: .executor(executor)) { _ in log.note(Place.current ?? "nowhere") }
        try await log.wait(for: 1)
        #expect(log.lines == ["executor"])
    }

    @Test @MainActor func `a memory hit is delivered on the main actor before the call returns`() async throws {
        let (bench, log) = (Bench(), Log())
        _ = try await bench.manager.image(for: bench.request())
        bench.manager.load(bench.request(), on: .mainActor) { result in
            MainActor.assertIsolated()
            log.note(result)
        }
        #expect(log.lines == ["image from memory"])
    }

    @Test @MainActor func `a result from another thread is delivered asynchronously on the main actor`() async throws {
        let (bench, log) = (Bench(isOpen: false), Log())
        bench.manager.load(bench.request(), on: .mainActor) { result in
            MainActor.assertIsolated()
            log.note(result)
        }
        await bench.gate.waitForArrivals(1)
        bench.gate.open()
        try await log.wait(for: 1)
        #expect(log.lines == ["image from loader"])
    }

    @Test @MainActor func `callbacks on the main actor may capture non-sendable values`() async throws {
        final class View { var words: [String] = [] }
        let (bench, view) = (Bench(), View())
        bench.manager.load(
            bench.request(), on: MainActor.shared, onEvent: { _ in view.words.append("event") },
            completion: { result in
                view.words.append((try? result.get()) == nil ? "nothing" : "image")
            })
        try await waitUntil("the image is delivered") { view.words.last == "image" }
        bench.manager.load(bench.request(), on: MainActor.shared) { _ in view.words.append("again") }
        #expect(view.words.last == "again", "the image was in memory")
    }

    /// Makes the source stop after its first bytes, which cause an event, until the gate is open.
    private func holdRest(_ bench: Bench) -> Gate {
        let file = RawImageCoder.file(width: 40, height: 30)
        let rest = Gate()
        bench.loader.answer(
            Bench.url.absoluteString,
            with: .pieces([(Gate(isOpen: true), file.prefix(1000)), (rest, Data(file.dropFirst(1000)))]))
        return rest
    }

    @Test func `events are delivered on the same queue as the completion`() async throws {
        let (place, bench) = (Place("mine"), Bench())
        let (log, places) = (Log(), Log())
        let rest = holdRest(bench)
        bench.manager.load(
            bench.request(), on: .queue(place.queue),
            onEvent: { event in
                places.note(Place.current ?? "nowhere")
                log.note(event)
            },
            completion: { result in
                places.note(Place.current ?? "nowhere")
                log.note(result)
            })
        try await log.wait(for: 1)
        #expect(log.lines.allSatisfy { $0 == "progress" })
        rest.open()
        try await waitUntil("the completion is called") { log.lines.last == "image from loader" }
        #expect(Set(places.lines) == ["mine"])
        #expect(places.lines.count == log.lines.count)
    }

    @Test func `a cached image is delivered on the queue as well, before the loader answers`() async throws {
        let (place, bench) = (Place("mine"), Bench())
        let (log, places) = (Log(), Log())
        _ = try await bench.manager.image(for: bench.request())
        bench.gate.close()
        bench.manager.load(
            bench.request([.refreshCached]), on: .queue(place.queue),
            onEvent: { event in
                places.note(Place.current ?? "nowhere")
                log.note(event)
            }, completion: { log.note($0) })
        try await log.wait(for: 1)
        #expect(log.lines == ["cached"])
        #expect(places.lines == ["mine"])
        bench.gate.open()
        try await waitUntil("the revalidated image is delivered") { log.lines.last == "image from revalidated" }
        #expect(log.lines.filter { $0 == "cached" }.count == 1)
        #expect(Set(places.lines) == ["mine"])
    }

    @Test @MainActor func `events are delivered asynchronously on the main actor`() async throws {
        let (bench, log) = (Bench(), Log())
        let rest = holdRest(bench)
        bench.manager.load(
            bench.request(), on: .mainActor,
            onEvent: { event in
                MainActor.assertIsolated()
                log.note(event)
            },
            completion: { result in
                MainActor.assertIsolated()
                log.note(result)
            })
        try await log.wait(for: 1)
        #expect(log.lines.allSatisfy { $0 == "progress" })
        rest.open()
        try await waitUntil("the completion is called") { log.lines.last == "image from loader" }
    }

    @Test @MainActor func `event handlers on the main actor may capture non-sendable values`() async throws {
        final class View { var words: [String] = [] }
        let (bench, view) = (Bench(), View())
        let rest = holdRest(bench)
        bench.manager.load(
            bench.request(), on: MainActor.shared, onEvent: { _ in view.words.append("event") },
            completion: { _ in view.words.append("end") })
        try await waitUntil("an event is delivered") { !view.words.isEmpty }
        #expect(!view.words.contains("end"), "the rest has not arrived yet")
        rest.open()
        try await waitUntil("the completion is called") { view.words.last == "end" }
    }

    // MARK: Actions in callbacks

    @Test func `blocking callbacks delay neither loads nor timeouts`() async throws {
        let (bench, log, isOver) = (Bench(), Log(), DispatchSemaphore(value: 0))
        let count = 32
        defer { for _ in 0..<count { isOver.signal() } }
        for _ in 0..<count {
            bench.manager.load(bench.request([.fromLoaderOnly])) { result in
                log.note(result)
                isOver.wait()
            }
        }
        try await log.wait(for: count)
        #expect(try await bench.manager.image(for: bench.request([.fromLoaderOnly])).width == 40)
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            SystemTime().after(.milliseconds(10)) { continuation.resume() }
        }
    }

    @Test @MainActor func `a completion may load an image from memory repeatedly`() async throws {
        /// A chain of loads, each started by the previous completion.
        @MainActor final class Chain {
            private let manager: ImageManager
            private let request: ImageRequest
            private(set) var count = 0

            init(_ bench: Bench) {
                manager = bench.manager
                request = bench.request()
            }

            func loadNext() {
                manager.load(request, on: MainActor.shared) { [self] _ in
                    count += 1
                    if count < 10_000 { loadNext() }
                }
            }
        }
        let bench = Bench()
        _ = try await bench.manager.image(for: bench.request())
        let chain = Chain(bench)
        chain.loadNext()
        try await waitUntil("the last load has ended") { chain.count >= 10_000 }
        #expect(chain.count == 10_000)
    }

    @Test func `a completion may load the same image again and wait for it`() async throws {
        let (bench, log) = (Bench(), Log())
        let (manager, request) = (bench.manager, bench.request([.fromLoaderOnly]))
        manager.load(request) { result in
            log.note(result)
            let isDone = DispatchSemaphore(value: 0)
            manager.load(request) { result in
                log.note(result)
                isDone.signal()
            }
            isDone.wait()
            log.note("waited")
        }
        try await log.wait(for: 3)
        #expect(log.lines == ["image from loader", "image from loader", "waited"])
    }

    @Test func `an inline completion may load the same image again and cancel everything`() async throws {
        let (bench, log) = (Bench(), Log())
        let (manager, request) = (bench.manager, bench.request())
        manager.load(request, on: .inline) { result in
            log.note(result)
            manager.load(request, on: .inline) { log.note($0) }
            manager.cancelAll()
            log.note("over")
        }
        try await log.wait(for: 3)
        #expect(log.lines == ["image from loader", "image from memory", "over"])
    }

    @Test func `many loads of one image each call their own completion`() async throws {
        let (bench, log) = (Bench(isOpen: false), Log())
        let tasks = (0..<50).map { _ in bench.manager.load(bench.request()) { log.note($0) } }
        await bench.gate.waitForArrivals(1)
        for task in tasks.prefix(20) { task.cancel() }
        bench.gate.open()
        try await log.wait(for: 50)
        #expect(log.lines.filter { $0 == "cancelled" }.count == 20)
        #expect(log.lines.filter { $0.hasPrefix("image from") }.count == 30)
    }
}
