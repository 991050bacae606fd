public import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Keeps each version of a file under a key of its own: a file that has changed is loaded again.
///
/// ```swift
/// let manager = ImageManager(plugins: [.standard], context: [.cacheKeyFilter(FileVersionKeyFilter())])
/// ```
///
/// Without it, a file is known by its URL alone, as everything else is, and what is cached answers until it is removed.
/// A version is told by its length and the time of its last change; what was kept of an older one goes as the cache's
/// limits say. A request remembers the version that it was first asked for: make a new one to look again.
public struct FileVersionKeyFilter: CacheKeyFilter {
    /// A filter.
    public init() {}

    public func key(for url: URL, context: ResolvedContext) throws -> String? {
        guard url.isFileURL else { return nil }
        var status = stat()
        guard stat(url.path(percentEncoded: false), &status) == 0 else { return nil }
        return "\(url.absoluteString)#\(status.st_size)-\(OpenFile.modificationTime(status))"
    }
}
