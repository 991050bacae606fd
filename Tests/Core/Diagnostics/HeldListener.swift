import Calotype
import CalotypeTesting

/// A listener that blocks in some calls until a gate is opened.
final class HeldListener: EventListener {
    private let gate: @Sendable (PipelineEvent) -> BlockingGate?
    private let calls = Lock(0)
    /// The recorded events.
    let heard = RecordingListener()

    /// - Parameter gate: Returns the gate to pass before an event is recorded; nil for none.
    init(_ gate: @escaping @Sendable (PipelineEvent) -> BlockingGate?) { self.gate = gate }

    /// The number of calls.
    var callCount: Int { calls.withLock { $0 } }

    func received(_ event: PipelineEvent) {
        calls.withLock { $0 += 1 }
        gate(event)?.pass()
        heard.received(event)
    }
}
