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
        defaultFolder { name in getenv(name).map { String(cString: $0) } }
    }

    /// The folder in an environment. Paths that are not absolute are ignored, as the specification has it.
    static func defaultFolder(environment: (String) -> String?) -> URL {
        func folder(_ name: String) -> URL? {
            guard let path = environment(name), path.hasPrefix("/") else { return nil }
            return URL(filePath: path, directoryHint: .isDirectory)
        }
        let home = folder("HOME") ?? FileManager.default.homeDirectoryForCurrentUser
        #if os(macOS)
        let caches = home.appending(path: "Library/Caches", directoryHint: .isDirectory)
        #else
        let caches = folder("XDG_CACHE_HOME") ?? home.appending(path: ".cache", directoryHint: .isDirectory)
        #endif
        return caches.appending(path: "calotype", directoryHint: .isDirectory)
    }
}
