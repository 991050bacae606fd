#if HTTP
public import Calotype

/// A set of HTTP statuses.
///
/// ```swift
/// let codes: HTTPStatusCodes = [200...299, 410...410]
/// ```
///
/// The text form is a list such as `200-299,410`, or `none`.
public struct HTTPStatusCodes: Sendable, Hashable {
    /// The ranges of statuses: sorted, disjoint and not adjacent.
    private let ranges: [ClosedRange<Int>]

    /// The statuses 200 to 299.
    public static let successful = HTTPStatusCodes([200...299])

    /// Creates a set of all statuses in the ranges. Numbers outside 100 to 999 are ignored.
    public init(_ ranges: [ClosedRange<Int>]) {
        let known = 100...999
        var merged: [ClosedRange<Int>] = []
        for range in ranges.filter({ $0.overlaps(known) }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            let range = range.clamped(to: known)
            guard let last = merged.last, range.lowerBound <= last.upperBound + 1 else {
                merged.append(range)
                continue
            }
            merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
        }
        self.ranges = merged
    }

    /// Returns whether the set contains a status.
    public func contains(_ code: Int) -> Bool { ranges.contains { $0.contains(code) } }
}

extension HTTPStatusCodes: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: ClosedRange<Int>...) { self.init(elements) }
}

extension HTTPStatusCodes: ContextValue {
    public var contextText: String {
        guard !ranges.isEmpty else { return "none" }
        return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: ",")
    }

    public static var contextSyntax: String { "statuses and ranges of them, such as 200-299,410, or none" }

    public init?(contextText: String) {
        guard contextText != "none" else {
            self.init([])
            return
        }
        var ranges: [ClosedRange<Int>] = []
        for part in contextText.split(separator: ",", omittingEmptySubsequences: false) {
            let bounds = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard bounds.count <= 2, let first = bounds[0], let last = bounds[bounds.count - 1],
                100 <= first, first <= last, last <= 999
            else { return nil }
            ranges.append(first...last)
        }
        self.init(ranges)
    }
}
#endif
