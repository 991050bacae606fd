import CalotypeStandard
import Synchronization

/// The progress of an operation. It can be updated from any thread.
final class WorkProgress: Sendable {
    private let thousandths = Atomic(0)

    /// Runs an operation on another thread, where it may block. If standard error is a terminal, shows a progress bar
    /// until the operation ends.
    /// - Parameters:
    ///   - name: The name in front of the bar.
    ///   - work: The operation. It calls its argument with its progress, from 0 to 1.
    @MainActor
    static func showing<Value: Sendable>(
        _ name: String, _ work: @escaping @Sendable ((Double) -> Void) throws -> Value
    ) async throws -> Value {
        guard Terminal.isThere else { return try await Lane.files.run { try work { _ in } } }
        let progress = WorkProgress()
        return try await ProgressLine.showing {
            progress.line(name, width: $0)
        } during: {
            try await Lane.files.run { try work { progress.report($0) } }
        }
    }

    /// Stores the progress, from 0 to 1.
    private func report(_ part: Double) { thousandths.store(Int(part * 1000), ordering: .relaxed) }

    /// Returns a line such as `verifying [=======> ] 29%`, of at most `width` characters.
    @MainActor
    private func line(_ name: String, width: Int) -> String {
        let part = Double(thousandths.load(ordering: .relaxed)) / 1000
        return ProgressLine.text(name, part: part, "\(Int(part * 100))%", width: width)
    }
}
