import CalotypeStandard

/// The report on the contents of a cache.
struct CacheInfoReport: CacheReport {
    let directory: String
    let entryCount: Int
    let expiredCount: Int
    let byteCount: Int
    /// The byte limit of the cache; nil if the tool does not know it.
    let byteLimit: Int?
    /// The age in seconds; nil without entries.
    let oldestAge: Int?
    let newestAge: Int?
    let hits: Int
    let misses: Int
    /// The ratio from 0 to 1; nil if no reads are known.
    let hitRatio: Double?
    let largest: [CacheItemReport]

    init(_ inventory: DiskInventory, directory: String, byteLimit: Int?, now: Double) {
        self.directory = directory
        self.byteLimit = byteLimit
        entryCount = inventory.entryCount
        expiredCount = inventory.expiredCount
        byteCount = inventory.byteCount
        oldestAge = Self.age(of: inventory.oldest, at: now)
        newestAge = Self.age(of: inventory.newest, at: now)
        hits = inventory.hits
        misses = inventory.misses
        hitRatio = inventory.hitRatio
        largest = inventory.largest.map { CacheItemReport($0) }
    }

    /// Returns an age in seconds. It is not negative, since clocks may be set back, and bounded, since a file's date
    /// can be arbitrary.
    private static func age(of stamp: Double?, at now: Double) -> Int? {
        stamp.map { Int(min(max(0, now - $0), 1e15)) }
    }

    var text: String {
        var rows = [
            ["directory", directory.printable],
            ["entries", "\(entryCount) (\(expiredCount) expired)"],
            ["bytes", "\(byteCount) (\(Quantity.bytes(byteCount)))"],
        ]
        if let byteLimit {
            let used = Quantity.percent(Double(byteCount) / Double(byteLimit))
            rows.append(["limit", "\(byteLimit) (\(Quantity.bytes(byteLimit))), \(used) used"])
        }
        rows += [
            ["oldest", Self.text(ofAge: oldestAge)],
            ["newest", Self.text(ofAge: newestAge)],
            ["hit ratio", hitText],
        ]
        let table = Table.text(rows, indent: 0)
        guard !largest.isEmpty else { return table }
        let sizes = largest.map { Quantity.bytes($0.byteCount) }
        let width = sizes.map(\.count).max() ?? 0
        let items = zip(sizes, largest).map { size, item in [size.aligned(to: width), item.name] }
        return "\(table)\n\nlargest:\n\(Table.text(items))"
    }

    private var hitText: String {
        guard let hitRatio else { return "unknown" }
        return "\(Quantity.percent(hitRatio)) (\(hits) of \(Quantity.count(hits + misses, "read")))"
    }

    private static func text(ofAge age: Int?) -> String {
        guard let age else { return "none" }
        return Quantity.age(age)
    }
}
