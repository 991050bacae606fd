/// Waits until a condition holds of which nothing tells, such as that an object has been released.
///
/// ```swift
/// try await waitUntil("the load is cancelled") { loader.cancelCount == 1 }
/// ```
///
/// The condition is looked at again and again, and other tasks run in between. Where the code under test can be held,
/// a ``Gate`` waits without looking.
/// - Parameters:
///   - expectation: The condition in words, for the error.
///   - limit: The time after which the wait fails. Default: two minutes, as a busy machine is slow.
///   - condition: Returns whether the condition holds.
/// - Throws: ``WaitTimeout`` when the condition does not hold in time, `CancellationError` when the task is cancelled,
///   and the errors of `condition`.
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

/// The error of a wait for a condition that did not hold in time.
public struct WaitTimeout: Error, Sendable, Hashable, CustomStringConvertible {
    /// The condition in words.
    public let expectation: String
    /// The time that was waited.
    public let limit: Duration

    public var description: String { "not so within \(limit): \(expectation)" }
}
