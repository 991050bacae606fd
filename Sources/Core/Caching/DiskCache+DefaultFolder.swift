#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension DiskCache {
    /// The folder for a user's cache: `$XDG_CACHE_HOME/calotype`, else `~/.cache/calotype`; on macOS
    /// `~/Library/Caches/calotype`.
    ///
    /// Source: XDG Base Directory Specification 0.8.
    public static var defaultFolder: URL {
        let home = FileManager.default.homeDirectoryForCurrentUser
        #if os(macOS)
        return home.appending(path: "Library/Caches/calotype", directoryHint: .isDirectory)
        #else
        return defaultFolder(cacheHome: getenv("XDG_CACHE_HOME").map { String(cString: $0) }, home: home)
        #endif
    }

    /// The folder by the specification, which has paths that are not absolute ignored.
    static func defaultFolder(cacheHome: String?, home: URL) -> URL {
        guard let cacheHome, cacheHome.hasPrefix("/") else {
            return home.appending(path: ".cache/calotype", directoryHint: .isDirectory)
        }
        return URL(filePath: cacheHome, directoryHint: .isDirectory)
            .appending(path: "calotype", directoryHint: .isDirectory)
    }
}
