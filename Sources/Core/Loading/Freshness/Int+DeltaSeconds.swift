extension Int {
    /// The maximum number of seconds in an HTTP header: 2,147,483,648, about 68 years. Greater numbers count as this
    /// number.
    package static let longestDeltaSeconds = 1 << 31

    /// Creates the number of seconds in the value of a header, at most ``longestDeltaSeconds``. Returns nil unless the
    /// value consists of digits only. Source: RFC 9111, section 1.2.2.
    package init?(deltaSeconds text: some StringProtocol) {
        let digits = text.utf8
        guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        self = Swift.min(Int(text) ?? Self.longestDeltaSeconds, Self.longestDeltaSeconds)
    }
}
