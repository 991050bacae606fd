extension Int {
    /// The longest time that HTTP counts in seconds, 68 years. What is more than that, or more than can be counted, is
    /// taken for it.
    package static let longestDeltaSeconds = 1 << 31

    /// The seconds in a header's value; nil for what is no number, or a negative one. Source: RFC 9111, section 1.2.2.
    package init?(deltaSeconds text: some StringProtocol) {
        let digits = text.utf8
        guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        self = Swift.min(Int(text) ?? Self.longestDeltaSeconds, Self.longestDeltaSeconds)
    }
}
