import Calotype
import Synchronization

/// A clock that advances by a millisecond on each call of `now()`. A time limit is then a number of calls.
final class CountingTime: TimeSource {
    private let looks = Atomic(0)

    /// The number of calls of `now()`.
    var lookCount: Int { looks.load(ordering: .relaxed) }

    func now() -> Duration { .milliseconds(looks.wrappingAdd(1, ordering: .relaxed).newValue) }
    func wallTime() -> Double { 0 }
    func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) {}
}
