/// Numbers that differ from seed to seed: enough to choose operations by, and nothing to link but the cache.
///
/// Source: Knuth, The Art of Computer Programming, volume 2, section 3.3.4; the high bits are the good ones, and those
/// that a draw from a range takes.
struct LinearCongruence: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state
    }
}
