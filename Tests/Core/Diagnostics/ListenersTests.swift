import CalotypeTesting
import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct ListenersTests {
    /// A listener that is a value, and so has no identity.
    private struct Forwarding: EventListener {
        let listener: RecordingListener
        func received(_ event: PipelineEvent) { listener.received(event) }
    }

    private let far = RecordingListener()
    private let near = RecordingListener()
    private let channels = EventChannels()

    private func tell(_ contexts: [ImageContext]) async {
        Listeners(contexts, through: channels).tell(PipelineEvent(.began, stage: .load, subject: "a"))
        await channels.waitForEvents()
    }

    @Test func `the listeners of all layers get each event, and a repeated one gets it once`() async {
        await tell([[.eventListener(far)], [], [.eventListener(near)], [.eventListener(far)]])
        #expect(far.events.count == 1)
        #expect(near.events.count == 1)
    }

    @Test func `off silences listeners of lower layers, but not of higher ones`() async {
        await tell([[.eventListener(far)], [.off(.eventListener)], [.eventListener(near)]])
        #expect(far.events.isEmpty)
        #expect(near.events.count == 1)
        #expect(Listeners([[.eventListener(far)], [.off(.eventListener)]], through: channels).isEmpty)
        #expect(Listeners([[], []], through: channels).isEmpty)
    }

    @Test func `equal listener values each get the event`() async {
        await tell([[.eventListener(Forwarding(listener: far))], [.eventListener(Forwarding(listener: far))]])
        #expect(far.events.count == 2)
    }

    @Test func `a listener value that layers share through one setting gets each event once`() async {
        let context: ImageContext = [.eventListener(Forwarding(listener: far))]
        await tell([context, context.merging([.timeout(.seconds(1))])])
        #expect(far.events.count == 1)
    }

    @Test func `without listeners there is no channel`() async {
        await tell([[], [.timeout(.seconds(1))], [.off(.eventListener)]])
        #expect(channels.count == 0)
    }
}
