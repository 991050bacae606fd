import CalotypeTesting
import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct ListenersTests {
    /// A value, which has no identity.
    private struct Forwarding: EventListener {
        let listener: RecordingListener
        func received(_ event: PipelineEvent) { listener.received(event) }
    }

    private let far = RecordingListener()
    private let near = RecordingListener()

    private func tell(_ contexts: [ImageContext]) {
        Listeners(contexts).tell(PipelineEvent(.began, stage: .load, subject: "a"))
    }

    @Test func `all layers are told, one that stands in several once`() {
        tell([[.eventListener(far)], [], [.eventListener(near)], [.eventListener(far)]])
        #expect(far.events.count == 1)
        #expect(near.events.count == 1)
    }

    @Test func `a layer that says no silences those below it, and not those above`() {
        tell([[.eventListener(far)], [.off(.eventListener)], [.eventListener(near)]])
        #expect(far.events.isEmpty)
        #expect(near.events.count == 1)
        #expect(Listeners([[.eventListener(far)], [.off(.eventListener)]]).isEmpty)
        #expect(Listeners([[], []]).isEmpty)
    }

    @Test func `listeners that are values are told each`() {
        tell([[.eventListener(Forwarding(listener: far))], [.eventListener(Forwarding(listener: far))]])
        #expect(far.events.count == 2)
    }
}
