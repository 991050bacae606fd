/// Bytes and entries of a disk cache, or of a part of it; differences too, which may be negative.
struct DiskUsage: Sendable, Hashable {
    var byteCount = 0
    var count = 0

    /// The maximum length that a file counts in sums. A sparse file can claim more than any sum has room for.
    private static let largestFile = 1 << 40

    /// Creates a usage of zero unless values are given.
    init(byteCount: Int = 0, count: Int = 0) {
        self.byteCount = byteCount
        self.count = count
    }

    /// One entry.
    init(of file: FileAttributes) {
        self.init(byteCount: min(max(0, file.byteCount), Self.largestFile), count: 1)
    }

    static func + (one: DiskUsage, other: DiskUsage) -> DiskUsage {
        DiskUsage(byteCount: one.byteCount + other.byteCount, count: one.count + other.count)
    }

    static func - (one: DiskUsage, other: DiskUsage) -> DiskUsage {
        DiskUsage(byteCount: one.byteCount - other.byteCount, count: one.count - other.count)
    }

    static func += (one: inout DiskUsage, other: DiskUsage) { one = one + other }

    static func -= (one: inout DiskUsage, other: DiskUsage) { one = one - other }

    /// Whether one of both is more than in `limit`.
    func exceeds(_ limit: DiskUsage) -> Bool { byteCount > limit.byteCount || count > limit.count }
}
