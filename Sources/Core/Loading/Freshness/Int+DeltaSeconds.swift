extension Int {
    /// The longest time that HTTP counts in seconds, 68 years. Longer times, and numbers that overflow, count as this.
    package static let longestDeltaSeconds = 1 << 31

    /// Reads the seconds in a header's value; nil if it is no number, or negative. Source: RFC 9111, section 1.2.2.
    package init?(deltaSeconds text: some StringProtocol) {
        let digits = text.utf8
        guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        self = Swift.min(Int(text) ?? Self.longestDeltaSeconds, Self.longestDeltaSeconds)
    }
}
