import CalotypeTesting

@testable import Calotype

extension ImageManager {
    /// Waits until so many wait for the original of a request, so that all of them share its load.
    func waitForWaiters(_ count: Int, forOriginalOf request: ImageRequest) async throws {
        let key = OriginalKey(try await resolution(of: request), after: pipeline.changes)
        try await waitUntil("so many wait for the original: \(count)") {
            pipeline.originals.waiterCount(for: key) >= count
        }
    }
}
