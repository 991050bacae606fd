#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A removal of a directory with everything in it.
///
/// Each item is removed by its name in an open directory. If it were removed by its path, another user could meanwhile
/// replace a directory on the path with a link, so that files elsewhere would be removed.
///
/// A directory on which another disk is mounted remains, with all directories above it.
enum DirectoryRemoval {
    /// An item that could not be removed.
    struct Failure {
        /// The error number, as in `errno`.
        let code: Int32
        /// The path relative to the removed directory, with a slash at the start; empty for that directory itself.
        var path = ""
    }

    /// The maximum number of levels of nested directories that are removed, because each level takes a file descriptor.
    /// A directory nested more deeply is removed only if it is empty.
    static let depthLimit = 32
    /// The maximum number of times that a directory is listed. Some file systems skip items while others are removed,
    /// and other processes may add items.
    private static let passLimit = 4

    /// Removes a directory with everything in it, given its name in an open directory. Returns the item that could not
    /// be removed, if any.
    static func removeDirectory(_ name: UnsafePointer<CChar>, in directory: Int32) -> Failure? {
        removeDirectory(name, in: directory, depth: 0, device: nil)
    }

    /// Removes a directory with everything in it, given its name in an open directory. Returns the item that could not
    /// be removed, if any.
    /// - Parameters:
    ///   - depth: The number of levels below the directory whose removal was requested; 0 for that directory itself.
    ///   - device: The device of the parent directory; nil to determine it.
    private static func removeDirectory(
        _ name: UnsafePointer<CChar>, in directory: Int32, depth: Int, device: dev_t?
    ) -> Failure? {
        guard depth < depthLimit else { return removeEmptyDirectory(name, in: directory) }
        for _ in 0..<passLimit {
            let descriptor = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            if descriptor < 0 {
                let code = errno
                // An unreadable directory can still be removed if it is empty: removing depends on the permissions of
                // its parent.
                return code == EACCES && removeEmptyDirectory(name, in: directory) == nil ? nil : Failure(code: code)
            }
            let (own, above) = devices(of: descriptor)
            guard let own, own == device ?? above ?? own else {
                close(descriptor)
                return Failure(code: EBUSY)
            }
            if let failure = removeItems(of: descriptor, depth: depth, device: own) { return failure }
            guard let failure = removeEmptyDirectory(name, in: directory) else { return nil }
            guard failure.code == ENOTEMPTY || failure.code == EEXIST else { return failure }
        }
        return Failure(code: ENOTEMPTY)
    }

    private static func removeEmptyDirectory(_ name: UnsafePointer<CChar>, in directory: Int32) -> Failure? {
        unlinkat(directory, name, AT_REMOVEDIR) == 0 ? nil : Failure(code: errno)
    }

    /// Returns the devices of an open directory and of its parent directory. Each is nil if it cannot be determined.
    private static func devices(of directory: Int32) -> (own: dev_t?, above: dev_t?) {
        var own = stat()
        var above = stat()
        return (
            fstat(directory, &own) == 0 ? own.st_dev : nil,
            fstatat(directory, "..", &above, AT_SYMLINK_NOFOLLOW) == 0 ? above.st_dev : nil
        )
    }

    /// Removes the items of an open directory, and then closes it. Returns the item that could not be removed, if any.
    private static func removeItems(of directory: Int32, depth: Int, device: dev_t) -> Failure? {
        guard let stream = fdopendir(directory) else {
            let code = errno
            close(directory)
            return Failure(code: code)
        }
        defer { closedir(stream) }
        while true {
            // Only the error number distinguishes a failure from the end.
            errno = 0
            guard let item = readdir(stream) else {
                let code = errno
                return code == 0 ? nil : Failure(code: code)
            }
            // The name is passed on as bytes, since it need not be UTF-8.
            let failure = withUnsafePointer(to: &item.pointee.d_name) { bytes -> Failure? in
                let name = UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self)
                return strcmp(name, ".") == 0 || strcmp(name, "..") == 0
                    ? nil : removeItem(name, in: directory, depth: depth, device: device)
            }
            // Another process may have removed the item.
            if let failure, failure.code != ENOENT { return failure }
        }
    }

    private static func removeItem(
        _ name: UnsafePointer<CChar>, in directory: Int32, depth: Int, device: dev_t
    ) -> Failure? {
        if unlinkat(directory, name, 0) == 0 { return nil }
        let reason = errno
        let path = "/\(String(cString: name))"
        // The errors for a directory: `EISDIR` on Linux, `EPERM` according to POSIX.
        guard reason == EISDIR || reason == EPERM else { return Failure(code: reason, path: path) }
        guard let failure = removeDirectory(name, in: directory, depth: depth + 1, device: device) else { return nil }
        let isDirectory = !failure.path.isEmpty || failure.code != ENOTDIR && failure.code != ELOOP
        return Failure(code: isDirectory ? failure.code : reason, path: path + failure.path)
    }
}
