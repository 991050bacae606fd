import CalotypeTesting
import Testing

@testable import Calotype

/// The delivery of events to listeners: asynchronously, in order, and independently for each listener.
@Suite(.timeLimit(.minutes(5)))
struct EventChannelTests {
    private let channels = EventChannels()

    private func tell(_ subjects: some Sequence<String>, to listener: any EventListener) {
        let listeners = Listeners([[.eventListener(listener)]], through: channels)
        for subject in subjects { listeners.tell(PipelineEvent(.began, stage: .load, subject: subject)) }
    }

    private func names(_ numbers: Range<Int>) -> [String] { numbers.map { "\($0)" } }

    // MARK: Order

    @Test func `events from several threads all arrive, in order for each thread`() async {
        let listener = RecordingListener()
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask { tell((0..<500).map { "\(thread) \($0)" }, to: listener) }
            }
        }
        await channels.waitForEvents()
        let subjects = listener.events.map(\.subject)
        #expect(subjects.count == 2000)
        for thread in 0..<4 {
            let own = subjects.filter { $0.hasPrefix("\(thread) ") }
            #expect(own == (0..<500).map { "\(thread) \($0)" })
        }
    }

    @Test func `a listener may send events of its own`() async {
        let channels = channels
        let heard = RecordingListener()
        let listener = HeldListener { event in
            if event.subject == "a" {
                Listeners([[.eventListener(heard)]], through: channels)
                    .tell(PipelineEvent(.began, stage: .load, subject: "b"))
            }
            return nil
        }
        tell(["a"], to: listener)
        await channels.waitForEvents()
        await channels.waitForEvents()
        #expect(heard.events.map(\.subject) == ["b"])
    }

    // MARK: Overflow

    @Test func `events beyond the buffer are dropped, and the listener gets their number in their place`() async {
        let (first, second) = (BlockingGate(), BlockingGate())
        defer {
            first.open()
            second.open()
        }
        let listener = HeldListener { event in
            switch event.subject {
            case "0": first
            case "1": second
            default: nil
            }
        }
        let limit = EventChannel.limit
        tell(["0"], to: listener)
        await first.waitForArrivals(1)
        // Given an event in delivery, a full buffer, and more events
        tell(names(1..<limit + 100), to: listener)
        // When there is room for one more
        first.open()
        await second.waitForArrivals(1)
        tell(["later", "too late"], to: listener)
        second.open()
        await channels.waitForEvents()
        // Then the number of lost events is reported in their place
        let events = listener.heard.events
        #expect(events.prefix(limit).map(\.subject) == names(0..<limit))
        #expect(
            events.dropFirst(limit).map { "\($0.line) \($0.subject)" }
                == ["telling lost 100 ", "load began later", "telling lost 1 "])
        // And no later events are lost
        tell(["in time"], to: listener)
        await channels.waitForEvents()
        #expect(listener.heard.events.last?.subject == "in time")
    }

    // MARK: Waiting

    @Test func `a waiter does not wait for later events`() async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let listener = HeldListener { $0.subject == "b" ? gate : nil }
        let channel = try #require(channels.channel(of: .eventListener(listener)))
        tell(["a", "b"], to: listener)
        await gate.waitForArrivals(1)
        await channel.waitForEvents(1)
        #expect(listener.heard.events.map(\.subject) == ["a"])
    }

    @Test func `a wait for a blocked listener ends when its task is cancelled`() async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let listener = HeldListener { _ in gate }
        let bench = Bench(context: [.eventListener(listener)])
        let channel = try #require(bench.manager.pipeline.channels.channel(of: .eventListener(listener)))
        _ = await imageError { try await bench.manager.image(for: "no scheme") }
        await gate.waitForArrivals(1)
        let waiting = Task { await bench.manager.waitForEvents() }
        try await channel.waitForWaiters(1)
        waiting.cancel()
        await waiting.value
        #expect(channel.waiterCount == 0)
        gate.open()
        await bench.manager.waitForEvents()
    }

    // MARK: Identity

    @Test func `a listener object has one channel, whatever requests name it`() async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let bench = Bench()
        let listener = HeldListener { _ in gate }
        for index in 0..<10 {
            _ = try await bench.manager.image(
                for: ImageRequest("fake://host/\(index).raw", context: [.eventListener(listener)]))
        }
        await gate.waitForArrivals(1)
        #expect(
            bench.manager.pipeline.channels.count == 2,
            "one channel for the manager's listener and one for that of the requests")
        #expect(listener.callCount == 1, "the calls are sequential")
        gate.open()
        try await waitUntil("the listener gets the end event of all ten") {
            listener.heard.events.count { $0.stage == .request && $0.isEnd } >= 10
        }
        #expect(listener.heard.events.count(where: { $0.line == "request began" }) == 10)
    }

    @Test func `a listener value of the manager has one channel, even if other settings change`() async throws {
        struct Forwarding: EventListener {
            let listener: HeldListener
            func received(_ event: PipelineEvent) { listener.received(event) }
        }
        let gate = BlockingGate()
        defer { gate.open() }
        let listener = HeldListener { _ in gate }
        let bench = Bench(context: [.eventListener(Forwarding(listener: listener))])
        _ = try await bench.manager.image(for: bench.request())
        bench.manager.context.set(.timeout(.seconds(9)))
        _ = try await bench.manager.image(for: "fake://host/other.raw")
        await gate.waitForArrivals(1)
        #expect(bench.manager.pipeline.channels.count == 1)
        #expect(listener.callCount == 1)
    }

    // MARK: Release

    private struct Weak<Object: AnyObject & Sendable>: Sendable {
        weak var object: Object?
    }

    @Test func `a listener is retained until it has received its events`() async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        func tellNew() -> Weak<HeldListener> {
            let listener = HeldListener { _ in gate }
            tell(["a", "b"], to: listener)
            return Weak(object: listener)
        }
        let told = tellNew()
        await gate.waitForArrivals(1)
        #expect(told.object != nil)
        #expect(channels.count == 1)
        gate.open()
        try await waitUntil("the listener is released") { told.object == nil }
        #expect(channels.count == 0)
    }

    @Test func `a manager releases a request's listener, and its own when it is replaced`() async throws {
        let manager = ImageManager(context: [.off(.imageCache)])
        func load() async -> [Weak<RecordingListener>] {
            let (own, other) = (RecordingListener(), RecordingListener())
            manager.context.set(.eventListener(own))
            _ = await imageError {
                try await manager.image(for: ImageRequest(Bench.url, context: [.eventListener(other)]))
            }
            await manager.waitForEvents()
            for listener in [own, other] { #expect(listener.events.first?.line == "request began") }
            return [Weak(object: own), Weak(object: other)]
        }
        let listeners = await load()
        #expect(listeners[0].object != nil, "it is still the manager's listener")
        manager.context.set(.off(.eventListener))
        try await waitUntil("both listeners are released") { listeners.allSatisfy { $0.object == nil } }
        #expect(manager.pipeline.channels.count == 0)
    }
}
