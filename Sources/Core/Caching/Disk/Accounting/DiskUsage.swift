/// The size in bytes and the number of the entries of a disk cache, or of a part of it. Both may be negative if this is
/// the difference between two usages.
struct DiskUsage: Sendable, Hashable {
    var byteCount = 0
    var count = 0

    /// The maximum number of bytes that are counted for one file, 1 TiB, so that the length of a sparse file cannot
    /// overflow a sum.
    private static let largestFile = 1 << 40

    /// Creates a usage. Default: zero bytes and zero entries.
    init(byteCount: Int = 0, count: Int = 0) {
        self.byteCount = byteCount
        self.count = count
    }

    /// Creates the usage of one entry.
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

    /// Returns whether the bytes or the number of entries exceed `limit`.
    func exceeds(_ limit: DiskUsage) -> Bool { byteCount > limit.byteCount || count > limit.count }
}
