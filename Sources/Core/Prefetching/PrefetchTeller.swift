import Dispatch

/// A serial queue on which a prefetcher calls its delegate and closures, so that counts arrive in order.
///
/// The queue does not use the thread pool that tasks share. A delegate that does not return therefore stalls its
/// prefetcher, but no load.
final class PrefetchTeller: Sendable {
    private let queue = DispatchQueue(label: "ct-prefetch")

    /// Schedules a call of `body` after the calls that were scheduled earlier. Returns immediately.
    func tellLater(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

    /// Calls `body` after the calls that were scheduled earlier, and returns when `body` has returned.
    func tell(_ body: @escaping @Sendable () -> Void) async {
        let end = OneShot<Void>()
        tellLater {
            body()
            end.resolve(.success(()))
        }
        // The wait never fails.
        _ = try? await end.value()
    }
}
