import CalotypeTesting
import Testing

@testable import Calotype

/// The pictures that are decoded together, limited by the memory budget.
@Suite(.timeLimit(.minutes(5)))
struct AdmissionTests {
    /// The memory of a picture with up to 16 columns and `rowCount` rows.
    private static let unit = rowCount * 64
    private static let rowCount = 16

    private let coder = GatedCoder()
    private let bench: Bench

    /// Creates a manager with eight decoding threads, and a budget for two of the pictures.
    init() {
        bench = Bench(concurrency: Concurrency(decodes: 8, decodeMemory: 2 * Self.unit))
        bench.manager.registry.coders.add(coder)
    }

    private var gate: AsyncGate { bench.manager.pipeline.lanes.decodingGate }

    /// Loads a picture of a width up to 16 that takes a number of units. `isWhole` tells whether its last row is
    /// present.
    private func load(
        _ width: Int, units: Int = 1, isWhole: Bool = true, _ context: ImageContext = []
    ) -> ImageTask {
        let url = "fake://host/\(width).raw"
        let file = RawImageCoder.file(width: width, height: units * Self.rowCount)
        bench.loader.answer(url, with: .bytes(isWhole ? file : file.dropLast(1)))
        return bench.manager.load(ImageRequest(url, context: context))
    }

    /// Waits until exactly these numbers of decodes wait and have begun.
    private func wait(waiting: Int, begun: Int) async throws {
        try await waitUntil("\(waiting) decodes wait, and \(begun) have begun") {
            gate.waitingCount == waiting && coder.widths.count == begun
        }
    }

    /// Waits until no memory is taken.
    private func waitUntilNothingIsTaken() async throws {
        try await waitUntil("no memory is taken") { gate.takenCost == 0 }
    }

    // MARK: Together and alone

    @Test func `two of ten decodes that each take half of the memory run at once`() async throws {
        let tasks = (1...10).map { load($0) }
        for index in 0..<10 {
            try await wait(waiting: max(0, 8 - index), begun: min(index + 2, 10))
            #expect(gate.takenCost <= 2 * Self.unit)
            coder.gate(coder.widths[index]).open()
        }
        for task in tasks { #expect(try await task.response.image.height == Self.rowCount) }
        #expect(coder.beginnings.allSatisfy { $0.others.count < 2 })
        try await waitUntilNothingIsTaken()
    }

    @Test func `a decode that exceeds the memory runs alone, and no equal one passes it`() async throws {
        let small = load(1)
        try await wait(waiting: 0, begun: 1)
        // Given a large decode, and two behind it that would fit
        let huge = load(16, units: 5)
        try await wait(waiting: 1, begun: 1)
        let others = [load(2), load(3)]
        try await wait(waiting: 3, begun: 1)
        coder.gate(1).open()
        try await wait(waiting: 2, begun: 2)
        #expect(gate.takenCost == 5 * Self.unit)
        for width in [2, 3, 16] { coder.gate(width).open() }
        for task in [small, huge] + others { _ = try await task.response }
        #expect(coder.widths.prefix(2) == [1, 16])
        #expect(coder.beginnings.allSatisfy { !$0.others.contains(16) && ($0.width != 16 || $0.others.isEmpty) })
        try await waitUntilNothingIsTaken()
    }

    @Test func `more urgent work passes work that waits for memory`() async throws {
        let small = load(1)
        try await wait(waiting: 0, begun: 1)
        let huge = load(16, units: 5)
        try await wait(waiting: 1, begun: 1)
        let urgent = load(2, [.priority(.high)])
        try await wait(waiting: 1, begun: 2)
        #expect(coder.widths == [1, 2])
        for width in [1, 2, 16] { coder.gate(width).open() }
        for task in [small, huge, urgent] { _ = try await task.response }
    }

    @Test func `urgent work goes first, also if it becomes urgent while it waits`() async throws {
        let holder = load(16)
        try await wait(waiting: 0, begun: 1)
        // Given four decodes that wait for memory
        let wishes: [(Int, Priority)] = [(1, .veryLow), (2, .low), (3, .normal), (4, .high)]
        var tasks: [ImageTask] = []
        for (width, priority) in wishes {
            tasks.append(load(width, units: 2, [.priority(priority)]))
            try await waitUntil("\(tasks.count + 1) decoders are made") {
                coder.decoderCount > tasks.count
            }
            try await wait(waiting: tasks.count, begun: 1)
        }
        tasks[0].priority = .veryHigh
        try await waitUntil("the first task is the most urgent waiter") { gate.highestWaitingPriority == .veryHigh }
        for width in [16, 1, 2, 3, 4] { coder.gate(width).open() }
        for task in [holder] + tasks { _ = try await task.response }
        #expect(coder.widths == [16, 1, 4, 3, 2])
    }

    // MARK: Leaving

    @Test func `cancelling a decode that waits for memory lets those behind it continue`() async throws {
        let small = load(1)
        try await wait(waiting: 0, begun: 1)
        let huge = load(16, units: 5)
        try await wait(waiting: 1, begun: 1)
        let other = load(2)
        try await wait(waiting: 2, begun: 1)
        huge.cancel()
        try await wait(waiting: 0, begun: 2)
        for width in [1, 2] { coder.gate(width).open() }
        for task in [small, other] { _ = try await task.response }
        #expect(coder.widths == [1, 2])
        try await waitUntilNothingIsTaken()
    }

    @Test func `a failing decode releases its memory`() async throws {
        for width in 1...6 { coder.gate(width).open() }
        let damaged = (1...3).map { load($0, units: 2, isWhole: false) }
        let good = (4...6).map { load($0, units: 2) }
        for task in damaged { #expect(await imageError { try await task.response }?.code == .badData) }
        for task in good { _ = try await task.response }
        try await waitUntilNothingIsTaken()
    }

    @Test func `a decode without waiters counts until its thread finishes`() async throws {
        let cancelled = load(1, units: 2)
        try await wait(waiting: 0, begun: 1)
        cancelled.cancel()
        #expect(await imageError { try await cancelled.response }?.code == .cancelled)
        let next = load(2)
        try await wait(waiting: 1, begun: 1)
        #expect(gate.takenCost == 2 * Self.unit)
        coder.gate(2).open()
        coder.gate(1).open()
        _ = try await next.response
        try await waitUntilNothingIsTaken()
    }

    @Test func `an unknown format and a picture over the limits take no memory`() async throws {
        bench.loader.answer("fake://host/unknown", with: .bytes(Data(count: 1000)))
        let unknown = await imageError { try await bench.manager.image(for: ImageRequest("fake://host/unknown")) }
        #expect(unknown?.code == .unknownFormat)
        let large = await imageError { try await load(16, units: 5, [.maxPixels(100)]).response }
        #expect(large?.code == .limitExceeded)
        #expect(gate.takenCost == 0)
        #expect(coder.widths == [])
    }

    // MARK: Previews and other decodes

    @Test func `a preview waits for memory`() async throws {
        let small = load(1)
        try await wait(waiting: 0, begun: 1)
        let file = RawImageCoder.file(width: 12, height: 2 * Self.rowCount)
        let rest = Gate()
        coder.gate(12).open()
        bench.loader.answer(
            Bench.url.absoluteString,
            with: .pieces([(Gate(isOpen: true), Data(file.prefix(file.count - 48))), (rest, Data(file.suffix(48)))]))
        let shown = bench.manager.load(bench.request([.progressiveLoad, .previewInterval(.zero)]))
        try await wait(waiting: 1, begun: 1)
        coder.gate(1).open()
        var previewCount = 0
        for try await event in shown {
            guard case .preview = event else { continue }
            previewCount += 1
            rest.open()
        }
        #expect(previewCount > 0)
        _ = try await small.response
        try await waitUntilNothingIsTaken()
    }

    @Test func `an image from a loader that is to be scaled down waits for memory`() async throws {
        let small = load(1)
        try await wait(waiting: 0, begun: 1)
        let image = Image(pixels: try PixelBuffer.noise(PixelSize(40, 30), seed: 1))
        bench.loader.answer(Bench.url.absoluteString, with: .image(image))
        let cut = bench.manager.load(bench.request([.thumbnailPixelSize(20, 20)]))
        try await wait(waiting: 1, begun: 1)
        coder.gate(1).open()
        #expect(try await cut.response.image.size == PixelSize(20, 15))
        _ = try await small.response
        try await waitUntilNothingIsTaken()
    }

    @Test func `decoding data directly waits for memory`() async throws {
        let small = load(1)
        try await wait(waiting: 0, begun: 1)
        coder.gate(2).open()
        let file = RawImageCoder.file(width: 2, height: 2 * Self.rowCount)
        let byHand = Task { [manager = bench.manager] in try await manager.decode(file) }
        try await wait(waiting: 1, begun: 1)
        coder.gate(1).open()
        #expect(try await byHand.value.size == PixelSize(2, 2 * Self.rowCount))
        _ = try await small.response
        try await waitUntilNothingIsTaken()
    }

    // MARK: The gate

    @Test func `work that takes more than announced releases its part and waits for the whole`() async throws {
        let gate = AsyncGate(width: 3, budget: 100)
        let held = Gate()
        let holder = Task {
            try await gate.runOnBudget(for: Demand(.normal)) { admission in
                try admission.take(60)
                try await held.pass()
                withExtendedLifetime(admission) {}
            }
        }
        await held.waitForArrivals(1)
        let attempts = Lock(0)
        let growing = Task {
            try await gate.runOnBudget(for: Demand(.normal)) { admission in
                attempts.withLock { $0 += 1 }
                try admission.take(40)
                try admission.take(50)
                #expect(gate.takenCost == 50)
            }
        }
        // The first cost is released with its admission, possibly after the work has begun to wait.
        try await waitUntil("the work waits, and has released what it took") {
            gate.waitingCount >= 1 && gate.takenCost == 60
        }
        held.open()
        try await holder.value
        try await growing.value
        #expect(attempts.withLock { $0 } == 2)
        #expect(gate.takenCost == 0)
    }

    @Test func `a waiter is admitted when cancelled work leaves, even if that wanted more`() async throws {
        let gate = AsyncGate(width: 2, budget: 50)
        let held = Gate()
        let kept = Lock<AsyncGate.Admission?>(nil)
        let leaving = Task {
            try await gate.runOnBudget(for: Demand(.low)) { admission in
                try admission.take(10)
                kept.withLock { $0 = admission }
                try await held.pass()
            }
        }
        await held.waitForArrivals(1)
        let waiting = Task {
            try await gate.runOnBudget(for: Demand(.high)) { admission in try admission.take(45) }
        }
        try await waitUntil("one waiter is queued at the gate") { gate.waitingCount >= 1 }
        // Given cancelled work, whose thread continues
        leaving.cancel()
        _ = await leaving.result
        #expect(throws: AsyncGate.Deferral.self) { try kept.withLock { $0 }?.take(20) }
        // When it releases its admission
        kept.withLock { $0 = nil }
        try await waiting.value
        #expect(gate.takenCost == 0)
    }

    // MARK: Limits

    @Test(arguments: [Int.max, .min])
    func `a manager works with any bounds`(bound: Int) async throws {
        let bounds = Concurrency(
            loads: bound, reads: bound, decodes: bound, decodeMemory: bound, transforms: bound, writes: bound)
        let bench = Bench(concurrency: bounds)
        #expect(try await bench.manager.image(for: bench.request()).size == PixelSize(40, 30))
    }
}
