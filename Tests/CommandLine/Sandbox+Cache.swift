#if PNG
import CalotypeStandard
import CalotypeTesting
import Foundation

extension Sandbox {
    /// A cache of the library's own in the directory `mine` of the working directory, so many seconds ago.
    func cache(secondsAgo: Double = 0, transform: (any DataTransform)? = nil) -> DiskCache {
        let time = ManualTime(wallTime: Date().timeIntervalSince1970 - secondsAgo)
        return DiskCache(
            at: URL(filePath: path("mine"), directoryHint: .isDirectory), transform: transform, time: time)
    }

    /// Stores entries there, so many seconds ago.
    func fill(_ sources: String..., byteCount: Int = 1000, secondsAgo: Double = 0) throws {
        try fill(sources, byteCount: byteCount, secondsAgo: secondsAgo)
    }

    /// Stores entries there, so many seconds ago.
    func fill(_ sources: [String], byteCount: Int = 1000, secondsAgo: Double = 0) throws {
        let cache = self.cache(secondsAgo: secondsAgo)
        for source in sources {
            try cache.store(CacheEntry(data: Data(repeating: 7, count: byteCount)), for: Self.key(source))
        }
        cache.waitForTrimming()
    }

    /// Which of these are there.
    func kept(_ sources: String...) -> [String] {
        sources.filter { FileManager.default.fileExists(atPath: cache().path(for: Self.key($0))) }
    }

    /// The key of an original.
    static func key(_ source: String) -> VariantKey { VariantKey(source: SourceKey(source)) }

    /// Puts a file where a directory of the cache would be, so that the directory can be neither listed nor mended.
    func blockDirectory() throws {
        let names = (0..<256).map { String(format: "mine/v2/%02x", $0) }
        guard let free = names.first(where: { !exists($0) }) else { throw CocoaError(.fileWriteUnknown) }
        try write(Data(), as: free)
    }
}
#endif
