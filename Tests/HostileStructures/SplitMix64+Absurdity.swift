import CalotypeTesting

extension SplitMix64 {
    /// Returns true with a probability of one in `count`.
    mutating func isOneIn(_ count: Int) -> Bool {
        Int.random(in: 0..<count, using: &self) == 0
    }

    /// Returns a 32-bit number that often reveals errors in code that reads counts and offsets.
    mutating func absurdCount() -> Int {
        let numbers = [
            0, 1, 2, 7, 12, 100, 127, 128, 255, 256, 4_095, 4_096, 20_000, 32_767, 32_768, 65_535, 65_536, 1 << 20,
            1 << 24, (1 << 31) - 1, 1 << 31, (1 << 32) - 8, (1 << 32) - 1,
        ]
        return numbers.randomElement(using: &self) ?? 0
    }

    /// Returns a number of elements. It is usually small, so that most structures can be read to their end, and
    /// sometimes very large.
    mutating func elementCount(most: Int) -> Int {
        isOneIn(12) ? Int.random(in: 0...most, using: &self) : Int.random(in: 0...min(most, 4), using: &self)
    }
}
