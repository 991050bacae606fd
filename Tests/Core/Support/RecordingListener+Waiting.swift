import Calotype
import CalotypeTesting

extension RecordingListener {
    /// Waits until it has received the ends of a number of steps in a stage, or of requests.
    func waitForEnds(_ count: Int, of stage: ImageError.Stage) async throws {
        try await waitUntil("\(count) end events of the stage '\(stage)' have arrived") {
            events.count { $0.stage == stage && $0.isEnd } >= count
        }
    }
}
