import Calotype
import CalotypeTesting

extension RecordingListener {
    /// Waits until it was told of the ends of so many steps of a stage, or so many requests.
    func waitForEnds(_ count: Int, of stage: ImageError.Stage) async throws {
        try await waitUntil("so many ends of the stage '\(stage)' are told: \(count)") {
            events.count { $0.stage == stage && $0.isEnd } >= count
        }
    }
}
