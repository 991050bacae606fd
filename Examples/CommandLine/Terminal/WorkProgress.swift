import CalotypeStandard
import Synchronization

/// The progress of a piece of work. It can be reported from any thread.
final class WorkProgress: Sendable {
    private let thousandths = Atomic(0)

    /// Runs work that may block on another thread, and shows a bar with its name if there is a terminal.
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

    /// Returns the line `verifying [=======> ] 29%`, in at most `width` columns.
    @MainActor
    private func line(_ name: String, width: Int) -> String {
        let part = Double(thousandths.load(ordering: .relaxed)) / 1000
        return ProgressLine.text(name, part: part, "\(Int(part * 100))%", width: width)
    }
}
