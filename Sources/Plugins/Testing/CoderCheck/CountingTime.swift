import Calotype
import Synchronization

/// A clock that advances by a millisecond on each call of `now()`. It turns a time limit into a number of calls, which
/// does not depend on the speed of the machine.
final class CountingTime: TimeSource {
    private let looks = Atomic(0)

    /// The number of calls of `now()`.
    var lookCount: Int { looks.load(ordering: .relaxed) }

    func now() -> Duration { .milliseconds(looks.wrappingAdd(1, ordering: .relaxed).newValue) }
    func wallTime() -> Double { 0 }
    func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) {}
}
