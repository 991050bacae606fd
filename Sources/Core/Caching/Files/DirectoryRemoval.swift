#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Removes directories with everything in them, each item by its name in the directory that is open: by its path,
/// another user who puts a link in the place of a directory meanwhile would have files elsewhere removed.
///
/// What is mounted in a directory stays, as does all above it, unless it is of the same disk.
enum DirectoryRemoval {
    /// The item that could not be removed.
    struct Failure {
        /// The error number.
        let code: Int32
        /// The names that lead to the item from the directory that was to be removed, each with a slash in front of it;
        /// empty for that directory.
        var path = ""
    }

    /// The most directories below each other, each of which takes a descriptor. A deeper one stays unless it is empty,
    /// as does all above it.
    static let depthLimit = 32
    /// The maximum number of times that a directory is listed. Some file systems pass over items while others are
    /// removed, and other processes may add items.
    private static let passLimit = 4

    /// Removes a directory that is in one that is open; returns what could not be removed, nil if all was.
    static func removeDirectory(_ name: UnsafePointer<CChar>, in directory: Int32) -> Failure? {
        removeDirectory(name, in: directory, depth: 0, device: nil)
    }

    /// - Parameter device: The device of the directory that it is in; nil if that is to be found.
    private static func removeDirectory(
        _ name: UnsafePointer<CChar>, in directory: Int32, depth: Int, device: dev_t?
    ) -> Failure? {
        guard depth < depthLimit else { return removeEmptyDirectory(name, in: directory) }
        for _ in 0..<passLimit {
            let descriptor = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            if descriptor < 0 {
                let code = errno
                // Whose directory it is decides whether it can be read, and not whether it can be removed.
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

    /// The devices of a directory that is open and of the one that it is in; nil if that cannot be told.
    private static func devices(of directory: Int32) -> (own: dev_t?, above: dev_t?) {
        var own = stat()
        var above = stat()
        return (
            fstat(directory, &own) == 0 ? own.st_dev : nil,
            fstatat(directory, "..", &above, AT_SYMLINK_NOFOLLOW) == 0 ? above.st_dev : nil
        )
    }

    /// Removes what is in a directory that is open, and closes it.
    private static func removeItems(of directory: Int32, depth: Int, device: dev_t) -> Failure? {
        guard let stream = fdopendir(directory) else {
            let code = errno
            close(directory)
            return Failure(code: code)
        }
        defer { closedir(stream) }
        while true {
            // The end and a failure look alike but for the error number.
            errno = 0
            guard let item = readdir(stream) else {
                let code = errno
                return code == 0 ? nil : Failure(code: code)
            }
            // By the bytes that the directory has, which need not be UTF-8.
            let failure = withUnsafePointer(to: &item.pointee.d_name) { bytes -> Failure? in
                let name = UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self)
                return strcmp(name, ".") == 0 || strcmp(name, "..") == 0
                    ? nil : removeItem(name, in: directory, depth: depth, device: device)
            }
            // Another process may have removed it.
            if let failure, failure.code != ENOENT { return failure }
        }
    }

    private static func removeItem(
        _ name: UnsafePointer<CChar>, in directory: Int32, depth: Int, device: dev_t
    ) -> Failure? {
        if unlinkat(directory, name, 0) == 0 { return nil }
        let reason = errno
        let path = "/\(String(cString: name))"
        // Of a directory, by Linux and by POSIX.
        guard reason == EISDIR || reason == EPERM else { return Failure(code: reason, path: path) }
        guard let failure = removeDirectory(name, in: directory, depth: depth + 1, device: device) else { return nil }
        let isDirectory = !failure.path.isEmpty || failure.code != ENOTDIR && failure.code != ELOOP
        return Failure(code: isDirectory ? failure.code : reason, path: path + failure.path)
    }
}
