#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension DiskCache {
    /// The directory for a user's cache: `$XDG_CACHE_HOME/calotype`, else `~/.cache/calotype`; on macOS
    /// `~/Library/Caches/calotype`.
    ///
    /// Source: XDG Base Directory Specification 0.8.
    public static var defaultDirectory: URL {
        defaultDirectory { name in getenv(name).map { String(cString: $0) } }
    }

    /// The directory of a namespace: one below the default directory, so that parts of a program, or several programs,
    /// do not share limits and entries.
    ///
    /// ```swift
    /// let avatars = DiskCache(at: DiskCache.directory(forNamespace: "avatars"))
    /// ```
    /// - Parameter name: Any text. What is not an ASCII letter, a digit, `-`, `_` or a dot in the middle is written in
    ///   hexadecimal, and a long name as its digest. Where the file system takes `A` for `a`, names that differ in
    ///   nothing else have one directory.
    public static func directory(forNamespace name: String) -> URL {
        defaultDirectory.appending(path: directoryName(forNamespace: name), directoryHint: .isDirectory)
    }

    /// The name of the directory of a namespace: different for different names, as long as the file system tells `A`
    /// from `a`, and never one that leads elsewhere.
    static func directoryName(forNamespace name: String) -> String {
        var directoryName = ""
        for (index, byte) in name.utf8.enumerated() {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                directoryName.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: ".") where index > 0:
                directoryName += "."
            default:
                directoryName += "=\(DiskEntryName.hexadecimal(byte))"
            }
        }
        let longest = 200
        if directoryName.utf8.count > longest { return "==\(SHA256.hex(of: name, byteCount: 16))" }
        return directoryName.isEmpty || isLayout(directoryName) ? "=\(directoryName)" : directoryName
    }

    /// Whether the cache without a namespace has a directory of this name, or may have one day: `v` and digits.
    private static func isLayout(_ name: String) -> Bool {
        let (decimal, digits) = (UInt8(ascii: "0")...UInt8(ascii: "9"), name.utf8.dropFirst())
        return name.lowercased().hasPrefix("v") && !digits.isEmpty && digits.allSatisfy { decimal.contains($0) }
    }

    /// The directory in an environment. Paths that are not absolute are ignored, as the specification has it.
    static func defaultDirectory(environment: (String) -> String?) -> URL {
        func directory(_ name: String) -> URL? {
            guard let path = environment(name), path.hasPrefix("/") else { return nil }
            return URL(filePath: path, directoryHint: .isDirectory)
        }
        let home = directory("HOME") ?? FileManager.default.homeDirectoryForCurrentUser
        #if os(macOS)
        let caches = home.appending(path: "Library/Caches", directoryHint: .isDirectory)
        #else
        let caches = directory("XDG_CACHE_HOME") ?? home.appending(path: ".cache", directoryHint: .isDirectory)
        #endif
        return caches.appending(path: "calotype", directoryHint: .isDirectory)
    }
}
