@testable import Calotype

extension EventChannel {
    /// Waits until so many wait for what is to be told.
    func waitForWaiters(_ count: Int) async throws {
        while waiterCount < count {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
