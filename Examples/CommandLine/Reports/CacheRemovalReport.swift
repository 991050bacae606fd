import CalotypeStandard

/// What is told of entries that were removed.
struct CacheRemovalReport: CacheReport {
    /// Removes something, telling how far it is, from 0 to 1.
    typealias Removal = @Sendable ((Double) -> Void) throws -> Void

    let removedCount: Int
    let removedByteCount: Int
    /// What is left.
    let entryCount: Int
    let byteCount: Int

    /// Removes, one after the other, and counts before and after. One that fails does not keep the next from being
    /// tried, nor does what cannot be counted; throws the first error when all is done.
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
        // Others may store meanwhile.
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
