/// A directory in which a ``DiskCache`` looks for entries that its own directory does not have, such as pictures that
/// come with an application. The cache never changes a read-only directory.
///
/// ```swift
/// let bundled = ReadOnlyDirectory.files { $0.isOriginal ? "/usr/share/shop/\(name(of: $0.source))" : nil }
/// let cache = DiskCache(at: directory, readOnlyDirectories: [bundled])
/// ```
///
/// Entries in a read-only directory expire only at the date stored with them, if there is one. They are not copied to
/// the cache's own directory, and remain when the cache is cleared.
public struct ReadOnlyDirectory: Sendable {
    enum Content {
        case entries(KeptDirectory)
        case files(@Sendable (VariantKey) -> String?)
    }

    let content: Content

    /// Creates a reference to the directory of another disk cache, for example one made on another machine.
    ///
    /// Entries are verified, and damaged ones are misses. The file with the secret of that directory, `v2/secret`, must
    /// exist and be readable, since entries cannot be found without it. The directory may belong to any user; no
    /// symbolic link in it is followed.
    ///
    /// A directory that every user may write to is skipped, unless ``DiskCache/Configuration/trustsOtherUsers`` is set.
    /// A lookup that skips the directory throws if no other directory has the entry.
    public static func cache(at directory: URL) -> ReadOnlyDirectory {
        ReadOnlyDirectory(content: .entries(KeptDirectory(DiskCache.root(of: directory))))
    }

    /// Creates a reference to plain files, which are not verified. A file that is a symbolic link counts as missing.
    /// - Parameter path: Returns the absolute path of the file for a key, or nil if there is none. Called on many
    ///   threads at once, for each lookup of an entry that no earlier directory has.
    public static func files(_ path: @escaping @Sendable (VariantKey) -> String?) -> ReadOnlyDirectory {
        ReadOnlyDirectory(content: .files(path))
    }
}
