import Dispatch

/// A serial queue on which a prefetcher calls its delegate and closures, so that counts arrive in order.
///
/// It does not use the thread pool of tasks, so a delegate that does not return stalls only its prefetcher.
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
