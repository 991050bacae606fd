import CalotypeTesting
import Testing

@testable import Calotype

/// The running tasks of a manager.
@Suite(.timeLimit(.minutes(5)))
struct RunningTasksTests {
    @Test func `a task runs from the call to its end`() async throws {
        let bench = Bench(isOpen: false)
        let manager = bench.manager
        #expect(!manager.isRunning)
        let seen = Lock<[Bool]>([])
        let task = manager.load(bench.request(), on: .inline) { _ in
            seen.withLock { $0.append(manager.isRunning) }
        }
        #expect(manager.isRunning)
        bench.gate.open()
        _ = try await task.response
        try await waitUntil("the listener gets the end event") { seen.withLock { !$0.isEmpty } }
        #expect(seen.withLock { $0 } == [false], "the task was removed before its end event")
        #expect(!manager.isRunning)
    }

    @Test func `tasks are listed in the order in which they began`() async throws {
        let bench = Bench(isOpen: false)
        let tasks = (0..<20).map { bench.manager.load(ImageRequest("fake://host/\($0).raw")) }
        tasks[7].cancel()
        let listed = bench.manager.tasks.map { ObjectIdentifier($0) }
        #expect(listed == tasks.filter { $0 !== tasks[7] }.map { ObjectIdentifier($0) })
        bench.gate.open()
        for (index, task) in tasks.enumerated() where index != 7 { _ = try await task.response }
        #expect(bench.manager.tasks.isEmpty)
    }

    @Test func `a memory hit never counts as a running task`() async throws {
        let bench = Bench()
        _ = try await bench.manager.image(for: bench.request())
        let task = bench.manager.load(bench.request())
        #expect(task.isFinished)
        #expect(bench.manager.tasks.isEmpty)
    }

    @Test func `an awaited request counts as a running task, until it fails`() async throws {
        let bench = Bench(isOpen: false)
        bench.loader.answer(
            Bench.url.absoluteString, with: .failure(ImageError(.notFound, stage: .load, message: "is not there")))
        let waiting = Task { try await bench.manager.image(for: bench.request()) }
        await bench.gate.waitForArrivals(1)
        #expect(bench.manager.tasks.map(\.request.url) == [Bench.url])
        bench.gate.open()
        let error = await imageError { try await waiting.value }
        #expect(error?.code == .notFound)
        #expect(!bench.manager.isRunning)
    }

    @Test func `a task runs to its end even if it is not retained`() async throws {
        let bench = Bench(isOpen: false)
        bench.manager.load(bench.request())
        await bench.gate.waitForArrivals(1)
        #expect(bench.manager.tasks.count == 1)
        bench.gate.open()
        try await waitUntil("no task is running") { !bench.manager.isRunning }
        #expect(bench.manager.cachedResponse(for: bench.request()) != nil)
    }

    @Test func `cancelAll cancels each task, and new ones may begin`() async throws {
        let bench = Bench(isOpen: false)
        let tasks = (0..<10).map { bench.manager.load(ImageRequest("fake://host/\($0).raw")) }
        await bench.gate.waitForArrivals(1)
        bench.manager.cancelAll()
        #expect(!bench.manager.isRunning)
        for task in tasks {
            let error = await imageError { try await task.response }
            #expect(error?.code == .cancelled)
        }
        try await waitUntil("no task is running") { bench.manager.isIdle && bench.loader.activeCount == 0 }
        bench.gate.open()
        #expect(try await bench.manager.image(for: bench.request()).width == 40)
        bench.manager.cancelAll()
        #expect(!bench.manager.isRunning)
    }

    @Test func `a task that times out is no longer running`() async throws {
        let bench = Bench(isOpen: false)
        let task = bench.manager.load(bench.request([.timeout(.seconds(1))]))
        await bench.gate.waitForArrivals(1)
        bench.time.advance(by: .seconds(2))
        #expect(task.isFinished)
        #expect(!bench.manager.isRunning)
    }

    @Test func `a manager released during a load is deallocated when the load ends`() async throws {
        let gate: Gate
        let task: ImageTask
        weak var manager: ImageManager?
        do {
            let bench = Bench(isOpen: false)
            (gate, task, manager) = (bench.gate, bench.manager.load(bench.request()), bench.manager)
        }
        await gate.waitForArrivals(1)
        gate.open()
        #expect(try await task.response.image.width == 40)
        try await waitUntil("the manager is released") { manager == nil }
    }
}
