#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Removes folders with everything in them, each item by its name in the folder that is open: by its path, another user
/// who puts a link in the place of a folder meanwhile would have files elsewhere removed.
///
/// What is mounted in a folder stays, as does all above it, unless it is of the same disk.
enum FolderRemoval {
    /// The item that could not be removed.
    struct Failure {
        /// The error number.
        let code: Int32
        /// The names that lead to the item from the folder that was to be removed, each with a slash in front of it;
        /// empty for that folder.
        var path = ""
    }

    /// The most folders below each other, each of which takes a descriptor. A deeper one stays unless it is empty, as
    /// does all above it.
    static let depthLimit = 32
    /// The maximum number of times that a folder is listed. Some file systems pass over items while others are removed,
    /// and other processes may add items.
    private static let passLimit = 4

    /// Removes a folder that is in one that is open; returns what could not be removed, nil where all was.
    static func removeFolder(_ name: UnsafePointer<CChar>, in folder: Int32) -> Failure? {
        removeFolder(name, in: folder, depth: 0, device: nil)
    }

    /// - Parameter device: The device of the folder that it is in; nil where that is to be found.
    private static func removeFolder(
        _ name: UnsafePointer<CChar>, in folder: Int32, depth: Int, device: dev_t?
    ) -> Failure? {
        guard depth < depthLimit else { return removeEmptyFolder(name, in: folder) }
        for _ in 0..<passLimit {
            let descriptor = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            if descriptor < 0 {
                let code = errno
                // Whose folder it is decides whether it can be read, and not whether it can be removed.
                return code == EACCES && removeEmptyFolder(name, in: folder) == nil ? nil : Failure(code: code)
            }
            let (own, above) = devices(of: descriptor)
            guard let own, own == device ?? above ?? own else {
                close(descriptor)
                return Failure(code: EBUSY)
            }
            if let failure = removeItems(of: descriptor, depth: depth, device: own) { return failure }
            guard let failure = removeEmptyFolder(name, in: folder) else { return nil }
            guard failure.code == ENOTEMPTY || failure.code == EEXIST else { return failure }
        }
        return Failure(code: ENOTEMPTY)
    }

    private static func removeEmptyFolder(_ name: UnsafePointer<CChar>, in folder: Int32) -> Failure? {
        unlinkat(folder, name, AT_REMOVEDIR) == 0 ? nil : Failure(code: errno)
    }

    /// The devices of a folder that is open and of the one that it is in; nil where that cannot be told.
    private static func devices(of folder: Int32) -> (own: dev_t?, above: dev_t?) {
        var own = stat()
        var above = stat()
        return (
            fstat(folder, &own) == 0 ? own.st_dev : nil,
            fstatat(folder, "..", &above, AT_SYMLINK_NOFOLLOW) == 0 ? above.st_dev : nil
        )
    }

    /// Removes what is in a folder that is open, and closes it.
    private static func removeItems(of folder: Int32, depth: Int, device: dev_t) -> Failure? {
        guard let stream = fdopendir(folder) else {
            let code = errno
            close(folder)
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
            // By the bytes that the folder has, which need not be UTF-8.
            let failure = withUnsafePointer(to: &item.pointee.d_name) { bytes -> Failure? in
                let name = UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self)
                return strcmp(name, ".") == 0 || strcmp(name, "..") == 0
                    ? nil : removeItem(name, in: folder, depth: depth, device: device)
            }
            // Somebody else may have removed it.
            if let failure, failure.code != ENOENT { return failure }
        }
    }

    private static func removeItem(
        _ name: UnsafePointer<CChar>, in folder: Int32, depth: Int, device: dev_t
    ) -> Failure? {
        if unlinkat(folder, name, 0) == 0 { return nil }
        let reason = errno
        let path = "/\(String(cString: name))"
        // Of a folder, by Linux and by POSIX.
        guard reason == EISDIR || reason == EPERM else { return Failure(code: reason, path: path) }
        guard let failure = removeFolder(name, in: folder, depth: depth + 1, device: device) else { return nil }
        let isFolder = !failure.path.isEmpty || failure.code != ENOTDIR && failure.code != ELOOP
        return Failure(code: isFolder ? failure.code : reason, path: path + failure.path)
    }
}
