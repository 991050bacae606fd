#if JPEG
import Calotype

/// A clock that advances by a second at each reading.
final class TickingTime: TimeSource {
    let looks = Lock(0)

    func now() -> Duration {
        looks.withLock { looks -> Duration in
            looks += 1
            return .seconds(looks)
        }
    }

    func wallTime() -> Double { now().seconds }
    func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) {}
}
#endif
