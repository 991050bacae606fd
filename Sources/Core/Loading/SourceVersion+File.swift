#if os(Linux)
import CFiles
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension SourceVersion {
    /// Returns the version of the file at a path, following symbolic links. Returns `absent` if there is no file, or if
    /// its properties cannot be read. Thread-safe.
    ///
    /// The version consists of the inode number, the length, and the times of the last changes of the contents and of
    /// the inode. The file is not opened for reading. Two changes are not distinguished if they keep the inode and the
    /// length, and occur within the resolution of the file system's clock, a few milliseconds on Linux.
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - mayWait: Whether the call may wait for a device or a network. If false, the call on Linux returns the
    ///     version only if the file's metadata is in memory, as for a recently used file; otherwise, it returns
    ///     `unknown`. On other systems, the call may wait in any case.
    public static func file(at path: String, mayWait: Bool) -> SourceVersion {
        guard !path.utf8.contains(0) else { return .absent }
        #if os(Linux)
        if !mayWait {
            var version = cf_version()
            guard CachedFile.readVersion(of: path, into: &version) == 0 else { return .unknown }
            return .file(
                version.inode, version.byte_count,
                modified: (version.modified_seconds, Int(version.modified_nanoseconds)),
                changed: (version.changed_seconds, Int(version.changed_nanoseconds)))
        }
        #endif
        var status = stat()
        guard stat(path, &status) == 0 else { return .absent }
        #if canImport(Darwin)
        let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
        #else
        let (modified, changed) = (status.st_mtim, status.st_ctim)
        #endif
        return .file(
            UInt64(truncatingIfNeeded: status.st_ino), UInt64(truncatingIfNeeded: status.st_size),
            modified: (Int64(modified.tv_sec), Int(modified.tv_nsec)),
            changed: (Int64(changed.tv_sec), Int(changed.tv_nsec)))
    }

    /// Returns the version of a file with these properties.
    /// - Parameters:
    ///   - modified: The time of the last change of the contents, in seconds and nanoseconds.
    ///   - changed: The time of the last change of the inode, in seconds and nanoseconds.
    private static func file(
        _ inode: UInt64, _ byteCount: UInt64, modified: (Int64, Int), changed: (Int64, Int)
    ) -> SourceVersion {
        .known("\(inode) \(byteCount) \(modified.0).\(modified.1) \(changed.0).\(changed.1)")
    }
}
