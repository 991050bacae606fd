import CalotypeTesting

@testable import Calotype

extension EventChannel {
    /// Waits until so many wait for what is to be told.
    func waitForWaiters(_ count: Int) async throws {
        try await waitUntil("so many wait for the channel: \(count)") { waiterCount >= count }
    }
}
