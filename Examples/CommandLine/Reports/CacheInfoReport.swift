import CalotypeStandard

/// The report of `calotype cache info`.
struct CacheInfoReport: CacheReport {
    let directory: String
    let entryCount: Int
    let expiredCount: Int
    let byteCount: Int
    /// The size limit of the cache, in bytes; nil if the tool does not know it.
    let byteLimit: Int?
    /// The age of the oldest entry, in seconds; nil if there are no entries.
    let oldestAge: Int?
    /// The age of the newest entry, in seconds; nil if there are no entries.
    let newestAge: Int?
    let hits: Int
    let misses: Int
    /// The share of reads that found an entry, from 0 to 1; nil if no reads are known.
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

    /// Returns the age of a time stamp in whole seconds, limited to 0...1e15, because clocks may be set back and the
    /// date of a file can be any number. Both times are in seconds since 1970.
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
