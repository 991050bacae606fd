import Calotype
import Synchronization

/// A clock that goes on by a millisecond each time somebody looks at it: a limit of time becomes one of looks, which
/// does not depend on how fast the machine is.
final class CountingTime: TimeSource {
    private let looks = Atomic(0)

    /// The number of looks at the clock.
    var lookCount: Int { looks.load(ordering: .relaxed) }

    func now() -> Duration { .milliseconds(looks.wrappingAdd(1, ordering: .relaxed).newValue) }
    func wallTime() -> Double { 0 }
    func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) {}
}
