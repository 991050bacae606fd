#if PNG && DEFLATE
import CKernels

/// A filter of rows that chooses one of PNG's filters for each row. Use an instance on one thread at a time.
struct PNGRowFilter: ~Copyable {
    /// A rule for the choice of filters.
    enum Rule {
        /// Rows remain as they are. Best for indices into a palette, and for pixels of less than a byte.
        case none
        /// The difference to the row above, in all rows.
        case up
        /// The filter after which the sum of all bytes is smallest, as signed numbers without their signs. Best for
        /// photographs. Source: W3C PNG, third edition, section 12.7.
        case smallestSum
        /// The filter after which the row has the fewest different pairs of adjacent bytes. Best for drawings and
        /// screenshots, in which patterns repeat.
        case fewestPairs
    }

    /// The filters in the order in which they are tried. In drawings, many rows are the same as the row above, and
    /// averages destroy repeating patterns.
    private static let filters = (
        forSums: [CK_FILTER_UP, CK_FILTER_SUB, CK_FILTER_PAETH, CK_FILTER_AVERAGE, CK_FILTER_NONE],
        forPairs: [CK_FILTER_UP, CK_FILTER_NONE, CK_FILTER_SUB, CK_FILTER_PAETH]
    )

    private let rule: Rule
    /// The number of bytes of a row.
    private let byteCount: Int
    /// The number of bytes of a pixel.
    private let step: Int
    private let pairs: UnsafeMutablePointer<ck_pairs>?

    init(_ rule: Rule, byteCount: Int, step: Int) {
        self.rule = rule
        self.byteCount = byteCount
        self.step = step
        pairs = rule == .fewestPairs ? .allocate(capacity: 1) : nil
        pairs?.initialize(to: ck_pairs())
    }

    deinit {
        pairs?.deallocate()
    }

    /// Filters a row.
    /// - Parameters:
    ///   - row: The bytes of the row.
    ///   - above: The bytes of the row above; zeros for the first row.
    ///   - candidate: Memory for another row.
    ///   - target: Memory for the number of the filter, and the filtered row.
    func apply(
        to row: UnsafePointer<UInt8>, above: UnsafePointer<UInt8>, candidate: UnsafeMutablePointer<UInt8>,
        into target: UnsafeMutablePointer<UInt8>
    ) {
        let filtered = target + 1
        switch rule {
        case .none:
            target.pointee = UInt8(CK_FILTER_NONE.rawValue)
            filtered.update(from: row, count: byteCount)
            return
        case .up:
            target.pointee = UInt8(CK_FILTER_UP.rawValue)
            _ = ck_filter_row(CK_FILTER_UP, filtered, row, above, byteCount, step)
            return
        case .smallestSum, .fewestPairs: break
        }
        var least = UInt64.max
        for filter in rule == .fewestPairs ? Self.filters.forPairs : Self.filters.forSums {
            // The first filter is the best one so far.
            let place = least == .max ? filtered : candidate
            let sum = ck_filter_row(filter, place, row, above, byteCount, step)
            let cost = sum > 0 ? pairCount(of: place, limit: least) ?? sum : 0
            guard cost < least else { continue }
            least = cost
            target.pointee = UInt8(filter.rawValue)
            if place == candidate { filtered.update(from: candidate, count: byteCount) }
            // No filter can be better than one that leaves zeros.
            if sum == 0 { break }
        }
    }

    /// Returns the number of different pairs in a filtered row, or `limit` if they are more; nil if the rule does not
    /// need it.
    private func pairCount(of filtered: UnsafePointer<UInt8>, limit: UInt64) -> UInt64? {
        pairs.map { UInt64(ck_count_pairs($0, filtered, byteCount, Int(clamping: limit))) }
    }
}
#endif
