#if HTTP
/// The range of bytes in a partial response. Source: RFC 9110, section 14.4.
struct ContentRange: Equatable {
    /// The offset of the first byte of the range.
    let first: Int
    /// The offset of the last byte of the range.
    let last: Int
    /// The length of the whole image in bytes; nil if unknown.
    let total: Int?

    /// Creates a range from the value of a `Content-Range` header. Returns nil if the value is invalid.
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
