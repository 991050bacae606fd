import CalotypeTesting
import Testing

@testable import Calotype

/// Listeners with pending events, and waiting for their delivery.
@Suite(.timeLimit(.minutes(5)))
struct EventWaitingTests {
    private static let request = ["request began", "request failed"]

    private struct Weak: Sendable {
        weak var manager: ImageManager?
    }

    /// A listener that loads another picture in response to an event, through the same manager.
    private final class LoadingListener: EventListener {
        private let found = Lock(Weak())
        let heard = RecordingListener()

        func use(_ manager: ImageManager) { found.withLock { $0.manager = manager } }

        func received(_ event: PipelineEvent) {
            heard.received(event)
            guard event.line == "request began", event.subject == Bench.url.absoluteString else { return }
            found.withLock { $0.manager }?.load("fake://host/other.raw")
        }
    }

    @Test func `a listener gets pending events after its manager was released`() async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let listener = HeldListener { _ in gate }
        func loadOnce() async -> Weak {
            let manager = ImageManager(context: [.off(.imageCache), .eventListener(listener)])
            _ = await imageError { try await manager.image(for: "no scheme") }
            return Weak(manager: manager)
        }
        let found = await loadOnce()
        await gate.waitForArrivals(1)
        try await waitUntil("the manager is released") { found.manager == nil }
        #expect(listener.heard.events.isEmpty)
        gate.open()
        try await listener.heard.waitForEnds(1, of: .request)
        #expect(listener.heard.events.map(\.line) == Self.request)
    }

    @Test func `a listener may load through the manager that tells it`() async throws {
        let listener = LoadingListener()
        let bench = Bench(context: [.eventListener(listener)])
        listener.use(bench.manager)
        _ = try await bench.manager.image(for: bench.request())
        try await listener.heard.waitForEnds(2, of: .request)
        let requests = listener.heard.events.filter { $0.stage == .request }
        for url in [Bench.url.absoluteString, "fake://host/other.raw"] {
            #expect(requests.filter { $0.subject == url }.map(\.line) == ["request began", "request succeeded"])
        }
        #expect(bench.loader.loadCount == 2)
    }

    @Test func `waiting for one listener blocks no other, and ignores later events`() async throws {
        let (first, second) = (BlockingGate(), BlockingGate())
        defer {
            first.open()
            second.open()
        }
        let slow = HeldListener { _ in first }
        let other = HeldListener { $0.subject == "c" ? second : nil }
        let channels = EventChannels()
        let (way, otherWay) = (
            try #require(channels.channel(of: .eventListener(slow))),
            try #require(channels.channel(of: .eventListener(other)))
        )
        way.put(PipelineEvent(.began, stage: .load, subject: "a"))
        await first.waitForArrivals(1)
        let waiting = Task { await channels.waitForEvents() }
        try await way.waitForWaiters(1)
        for subject in ["b", "c"] { otherWay.put(PipelineEvent(.began, stage: .load, subject: subject)) }
        await second.waitForArrivals(1)
        #expect(other.heard.events.map(\.subject) == ["b"])
        #expect(way.waiterCount == 1)
        first.open()
        await waiting.value
        #expect(slow.heard.events.map(\.subject) == ["a"])
        #expect(other.heard.events.map(\.subject) == ["b"], "its listener still blocks")
        second.open()
        await channels.waitForEvents()
        #expect(other.heard.events.map(\.subject) == ["b", "c"])
    }
}
