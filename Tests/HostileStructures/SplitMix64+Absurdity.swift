import CalotypeTesting

extension SplitMix64 {
    /// Whether one of `count` equal chances came.
    mutating func isOneIn(_ count: Int) -> Bool {
        Int.random(in: 0..<count, using: &self) == 0
    }

    /// A number of 32 bits at which code that reads counts and offsets tends to go wrong.
    mutating func absurdCount() -> Int {
        let numbers = [
            0, 1, 2, 7, 12, 100, 127, 128, 255, 256, 4_095, 4_096, 20_000, 32_767, 32_768, 65_535, 65_536, 1 << 20,
            1 << 24, (1 << 31) - 1, 1 << 31, (1 << 32) - 8, (1 << 32) - 1,
        ]
        return numbers.randomElement(using: &self) ?? 0
    }

    /// A count of elements: few as a rule, so that most structures can be read to their end; sometimes very many.
    mutating func elementCount(most: Int) -> Int {
        isOneIn(12) ? Int.random(in: 0...most, using: &self) : Int.random(in: 0...min(most, 4), using: &self)
    }
}
