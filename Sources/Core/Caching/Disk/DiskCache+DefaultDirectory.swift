#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension DiskCache {
    /// The default directory for a user's cache: `$XDG_CACHE_HOME/calotype`, or `~/.cache/calotype` if the variable
    /// does not contain an absolute path; on macOS, `~/Library/Caches/calotype`.
    ///
    /// Source: XDG Base Directory Specification 0.8.
    public static var defaultDirectory: URL {
        defaultDirectory { name in getenv(name).map { String(cString: $0) } }
    }

    /// Returns the directory for a namespace, a named part of the default directory. Programs, or parts of a program,
    /// that use different namespaces share neither limits nor entries.
    ///
    /// ```swift
    /// let avatars = DiskCache(at: DiskCache.directory(forNamespace: "avatars"))
    /// ```
    /// - Parameter name: Any text, which becomes the name of the directory. ASCII letters, digits, `-`, `_`, and dots
    ///   that are not at the start are kept. Each byte of any other character is written as `=` and its two hexadecimal
    ///   digits. An empty name, or one like `v2`, gets an additional `=` at the start. If the result is longer than 200
    ///   bytes, the name of the directory is a digest instead. If the file system does not distinguish `A` from `a`,
    ///   names that differ only in case have the same directory.
    public static func directory(forNamespace name: String) -> URL {
        defaultDirectory.appending(path: directoryName(forNamespace: name), directoryHint: .isDirectory)
    }

    /// Returns the name of the directory of a namespace. Different namespaces have different names. The result is
    /// always a single name, so it cannot lead out of the default directory.
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

    /// Returns whether a name consists of `v` or `V` and digits. Such names are reserved for the layout directories of
    /// the cache without a namespace, also in future versions.
    private static func isLayout(_ name: String) -> Bool {
        let (decimal, digits) = (UInt8(ascii: "0")...UInt8(ascii: "9"), name.utf8.dropFirst())
        return name.lowercased().hasPrefix("v") && !digits.isEmpty && digits.allSatisfy { decimal.contains($0) }
    }

    /// Returns the default directory for an environment. Paths that are not absolute are ignored, as the XDG
    /// specification requires.
    /// - Parameter environment: Returns the value of a variable; nil if it is not set.
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
