import Calotype
import CalotypeTesting

extension RecordingListener {
    /// Waits until it has received the ends of a number of steps in a stage, or of requests.
    func waitForEnds(_ count: Int, of stage: ImageError.Stage) async throws {
        try await waitUntil("so many ends of the stage '\(stage)' are told: \(count)") {
            events.count { $0.stage == stage && $0.isEnd } >= count
        }
    }
}
