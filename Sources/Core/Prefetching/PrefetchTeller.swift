import Dispatch

/// Makes the calls of a prefetcher to its users one after another, so that counts arrive in their order.
///
/// The delegate is called on a queue of its own, whose thread comes from outside the pool that tasks share: a delegate
/// that does not return stalls its prefetcher, and no load.
final class PrefetchTeller: Sendable {
    private let queue = DispatchQueue(label: "ct-prefetch")

    /// Calls `body` when those that came before have returned. Returns at once.
    func tellLater(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

    /// Calls `body` when those that came before have returned, and returns when it has.
    func tell(_ body: @escaping @Sendable () -> Void) async {
        let end = OneShot<Void>()
        tellLater {
            body()
            end.resolve(.success(()))
        }
        // It is never failed.
        _ = try? await end.value()
    }
}
