/// A seeded random number generator, which avoids further dependencies of the process.
///
/// Source: Knuth, The Art of Computer Programming, volume 2, section 3.3.4. The high bits are the better ones, and
/// those that a draw from a range uses.
struct LinearCongruence: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state
    }
}
