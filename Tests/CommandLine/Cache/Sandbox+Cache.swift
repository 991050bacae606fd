#if PNG
import CalotypeStandard
import CalotypeTesting
import Foundation

extension Sandbox {
    /// Returns a disk cache in the directory `mine` of the working directory, with a clock `secondsAgo` in the past.
    func cache(secondsAgo: Double = 0, transform: (any DataTransform)? = nil) -> DiskCache {
        let time = ManualTime(wallTime: Date().timeIntervalSince1970 - secondsAgo)
        return DiskCache(
            at: URL(filePath: path("mine"), directoryHint: .isDirectory), transform: transform, time: time)
    }

    /// Stores entries in that cache, `secondsAgo` in the past.
    func fill(_ sources: String..., byteCount: Int = 1000, secondsAgo: Double = 0) throws {
        try fill(sources, byteCount: byteCount, secondsAgo: secondsAgo)
    }

    /// Stores entries in that cache, `secondsAgo` in the past.
    func fill(_ sources: [String], byteCount: Int = 1000, secondsAgo: Double = 0) throws {
        let cache = self.cache(secondsAgo: secondsAgo)
        for source in sources {
            try cache.store(CacheEntry(data: Data(repeating: 7, count: byteCount)), for: Self.key(source))
        }
        cache.waitForTrimming()
    }

    /// Returns the sources among these that have an entry.
    func kept(_ sources: String...) -> [String] {
        sources.filter { FileManager.default.fileExists(atPath: cache().path(for: Self.key($0))) }
    }

    /// Returns the key of an original.
    static func key(_ source: String) -> VariantKey { VariantKey(source: SourceKey(source)) }

    /// Creates a file in place of a cache directory, which can then be neither listed nor repaired.
    func blockDirectory() throws {
        let names = (0..<256).map { String(format: "mine/v2/%02x", $0) }
        guard let free = names.first(where: { !exists($0) }) else { throw CocoaError(.fileWriteUnknown) }
        try write(Data(), as: free)
    }
}
#endif
