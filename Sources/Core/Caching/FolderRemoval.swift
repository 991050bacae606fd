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
/// Functions return 0, or an error number.
enum FolderRemoval {
    /// The most folders below each other, each of which takes a descriptor. What is deeper stays, as does all above it.
    static let depthLimit = 32
    /// How often a folder is listed: some file systems pass over items while others are removed, and others may put
    /// something there.
    private static let passLimit = 4

    /// Removes a folder that is in one that is open.
    static func removeFolder(_ name: UnsafePointer<CChar>, in folder: Int32, depth: Int = 0) -> Int32 {
        guard depth < depthLimit else { return ENAMETOOLONG }
        for _ in 0..<passLimit {
            let descriptor = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            if descriptor < 0 { return errno }
            let code = removeItems(of: descriptor, depth: depth)
            if code != 0 { return code }
            if unlinkat(folder, name, AT_REMOVEDIR) == 0 { return 0 }
            let reason = errno
            guard reason == ENOTEMPTY || reason == EEXIST else { return reason }
        }
        return ENOTEMPTY
    }

    /// Removes what is in a folder that is open, and closes it.
    private static func removeItems(of folder: Int32, depth: Int) -> Int32 {
        guard let stream = fdopendir(folder) else {
            let code = errno
            close(folder)
            return code
        }
        defer { closedir(stream) }
        while true {
            // The end and a failure look alike but for the error number.
            errno = 0
            guard let item = readdir(stream) else { return errno }
            // By the bytes that the folder has, which need not be UTF-8.
            let code = withUnsafePointer(to: &item.pointee.d_name) { bytes -> Int32 in
                let name = UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self)
                return strcmp(name, ".") == 0 || strcmp(name, "..") == 0
                    ? 0 : removeItem(name, in: folder, depth: depth)
            }
            // Somebody else may have removed it.
            guard code == 0 || code == ENOENT else { return code }
        }
    }

    private static func removeItem(_ name: UnsafePointer<CChar>, in folder: Int32, depth: Int) -> Int32 {
        if unlinkat(folder, name, 0) == 0 { return 0 }
        let reason = errno
        // Of a folder, by Linux and by POSIX.
        guard reason == EISDIR || reason == EPERM else { return reason }
        let code = removeFolder(name, in: folder, depth: depth + 1)
        return code == ENOTDIR || code == ELOOP ? reason : code
    }
}
