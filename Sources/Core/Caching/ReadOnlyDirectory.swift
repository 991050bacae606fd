/// A directory in which a ``DiskCache`` looks for entries that it does not have, and which it never changes: pictures
/// that come with an application.
///
/// ```swift
/// let bundled = ReadOnlyDirectory.files { $0.isOriginal ? "/usr/share/shop/\(name(of: $0.source))" : nil }
/// let cache = DiskCache(at: directory, readOnlyDirectories: [bundled])
/// ```
///
/// What is found there ends at a date of its own alone, is not copied, and stays when the cache is cleared.
public struct ReadOnlyDirectory: Sendable {
    enum Content {
        case entries(KeptDirectory)
        case files(@Sendable (VariantKey) -> String?)
    }

    let content: Content

    /// The directory of another disk cache, made on another machine perhaps: entries are verified, and damaged ones are
    /// misses. They are found by the secret of that directory, `v2/secret`, which has to be there and readable. The
    /// directory may belong to any user; no symbolic link in it is followed. A directory that every user may write to
    /// is not read: reads throw unless ``DiskCache/Configuration/trustsOtherUsers`` is set or another directory has the
    /// entry.
    public static func cache(at directory: URL) -> ReadOnlyDirectory {
        ReadOnlyDirectory(content: .entries(KeptDirectory(DiskCache.root(of: directory))))
    }

    /// Plain files, which are not verified. A symbolic link counts as none.
    /// - Parameter path: The absolute path of the file for a key; nil when there is none. Called on many threads at
    ///   once, for every miss.
    public static func files(_ path: @escaping @Sendable (VariantKey) -> String?) -> ReadOnlyDirectory {
        ReadOnlyDirectory(content: .files(path))
    }
}
