import CalotypeStandard

/// The report of `calotype cache clear` and `calotype cache trim`.
struct CacheRemovalReport: CacheReport {
    /// A function that removes entries. It calls its argument with its progress, from 0 to 1.
    typealias Removal = @Sendable ((Double) -> Void) throws -> Void

    /// The number of removed entries.
    let removedCount: Int
    /// The total size of the removed entries, in bytes.
    let removedByteCount: Int
    /// The number of remaining entries.
    let entryCount: Int
    /// The total size of the remaining entries, in bytes.
    let byteCount: Int

    /// Performs the removals one after another, and counts the entries of the cache before and after.
    ///
    /// All removals are performed, even if one of them or the first count fails. Then the first error of a removal is
    /// thrown or, if all removals succeeded, the first error of a count.
    init(of removals: [Removal], from cache: DiskCache, progress: (Double) -> Void) throws {
        let partCount = Double(removals.count + 2)
        let before = Result { try cache.inventory(largestCount: 0) { progress($0 / partCount) } }
        var problem: (any Error)?
        for (index, removal) in removals.enumerated() {
            do {
                try removal { progress((Double(index + 1) + $0) / partCount) }
            } catch {
                problem = problem ?? error
            }
        }
        if let problem { throw problem }
        let present = try before.get()
        let left = try cache.inventory(largestCount: 0) { progress((partCount - 1 + $0) / partCount) }
        // Other processes may store meanwhile.
        removedCount = max(0, present.entryCount - left.entryCount)
        removedByteCount = max(0, present.byteCount - left.byteCount)
        entryCount = left.entryCount
        byteCount = left.byteCount
    }

    var text: String {
        let removed = "\(Quantity.count(removedCount, "file")), \(Quantity.bytes(removedByteCount))"
        return "removed \(removed); \(Quantity.count(entryCount, "file")), \(Quantity.bytes(byteCount)) left"
    }
}
