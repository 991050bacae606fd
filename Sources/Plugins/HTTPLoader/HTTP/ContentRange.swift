#if HTTP
/// The part of a whole that a body is. Source: RFC 9110, section 14.4.
struct ContentRange: Equatable {
    let first: Int
    let last: Int
    /// The length of the whole; nil when it is not known.
    let total: Int?

    /// The range in a header's value; nil when it makes no sense.
    init?(_ value: String) {
        let parts = value.split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let sides = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        let bounds = sides[0].split(separator: "-", omittingEmptySubsequences: false)
        guard (bounds + [sides[1]]).allSatisfy({ !$0.hasPrefix("+") && !$0.hasPrefix("-") }) else { return nil }
        guard bounds.count == 2, let first = Int(bounds[0]), let last = Int(bounds[1]), 0 <= first, first <= last
        else { return nil }
        self.first = first
        self.last = last
        guard sides[1] != "*" else {
            total = nil
            return
        }
        guard let total = Int(sides[1]), last < total else { return nil }
        self.total = total
    }
}
#endif
