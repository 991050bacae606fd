import Calotype
import CalotypeTesting

/// A listener that does not return from some calls before a gate is opened.
final class HeldListener: EventListener {
    private let gate: @Sendable (PipelineEvent) -> BlockingGate?
    private let calls = Lock(0)
    /// Remembers what it was told.
    let heard = RecordingListener()

    /// - Parameter gate: What it passes before it takes note of an event; nil for nothing.
    init(_ gate: @escaping @Sendable (PipelineEvent) -> BlockingGate?) { self.gate = gate }

    /// How often it was called.
    var callCount: Int { calls.withLock { $0 } }

    func received(_ event: PipelineEvent) {
        calls.withLock { $0 += 1 }
        gate(event)?.pass()
        heard.received(event)
    }
}
