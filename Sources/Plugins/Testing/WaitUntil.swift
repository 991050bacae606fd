/// Waits until a condition holds. Use this function if nothing notifies the test of the change, for example when an
/// object is deallocated.
///
/// ```swift
/// try await waitUntil("the load is cancelled") { loader.cancelCount == 1 }
/// ```
///
/// The condition is evaluated repeatedly, and other tasks run in between. If the code under test can wait at a
/// ``Gate``, use a gate instead of this function.
/// - Parameters:
///   - expectation: A description of the condition for the error.
///   - limit: The time after which the wait fails. Default: two minutes, because a busy machine is slow.
///   - condition: A closure that returns whether the condition holds.
/// - Throws: ``WaitTimeout`` if the condition does not hold in time, `CancellationError` if the task is cancelled, and
///   the errors of `condition`.
public func waitUntil(
    _ expectation: String, within limit: Duration = .seconds(120), _ condition: () throws -> Bool
) async throws {
    let clock = ContinuousClock()
    let end = clock.now + limit
    while try !condition() {
        try Task.checkCancellation()
        guard clock.now < end else { throw WaitTimeout(expectation: expectation, limit: limit) }
        await Task.yield()
    }
}

/// The error of a wait whose condition did not hold in time.
public struct WaitTimeout: Error, Sendable, Hashable, CustomStringConvertible {
    /// The description of the condition.
    public let expectation: String
    /// The time limit of the wait.
    public let limit: Duration

    public var description: String { "not true within \(limit): \(expectation)" }
}
