import CalotypeTesting

@testable import Calotype

extension EventChannel {
    /// Waits until a number of waiters wait for pending events.
    func waitForWaiters(_ count: Int) async throws {
        try await waitUntil("\(count) waiters wait for the channel") { waiterCount >= count }
    }
}
