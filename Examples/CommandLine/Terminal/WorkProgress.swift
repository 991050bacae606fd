import CalotypeStandard
import Synchronization

/// How far a piece of work has come. Told from any thread.
final class WorkProgress: Sendable {
    private let thousandths = Atomic(0)

    /// Does work on a thread that it may block, and shows a bar with its name where somebody sees it.
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

    /// Says how far it has come, from 0 to 1.
    private func report(_ part: Double) { thousandths.store(Int(part * 1000), ordering: .relaxed) }

    /// The line: `verifying  [=======>                ]  29%`, in at most `width` columns.
    @MainActor
    private func line(_ name: String, width: Int) -> String {
        let part = Double(thousandths.load(ordering: .relaxed)) / 1000
        return ProgressLine.text(name, part: part, "\(Int(part * 100))%", width: width)
    }
}
