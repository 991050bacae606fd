#if os(Linux)
import CFiles
import Synchronization
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Functions that open files and directories without following any symbolic link in their paths.
///
/// Each function returns a descriptor, or a negative error number: `-ELOOP` for a symbolic link.
///
/// Source: Linux, `openat2(2)` with `RESOLVE_NO_SYMLINKS` (since 5.6). On other systems, on older kernels, and where a
/// sandbox refuses the call, the directories are opened one by one.
package enum LinklessPath {
    #if os(Linux)
    /// Whether the system has refused `openat2`, so that it is not called again.
    private static let isRefused = Atomic<Bool>(false)
    /// The flag `O_PATH` of open(2), whose definition Swift does not import. A directory that is opened with it need
    /// not be readable. The number is the same on all architectures that Swift supports.
    package static let searchOnly: Int32 = 0o10000000
    #else
    package static let searchOnly: Int32 = 0
    #endif

    /// Opens a file for reading by its path relative to an open directory. Opening a pipe does not block.
    static func openFile(_ name: String, below directory: Int32) -> Int32 {
        #if os(Linux)
        if let outcome = openAtOnce(name, { cf_open_file(directory, $0) }) { return outcome }
        #endif
        return openFileInSteps(name, below: directory)
    }

    /// Opens a directory by its path relative to an open directory. The descriptor serves to change the directory's
    /// items; on Linux, it cannot list them.
    static func openDirectory(_ name: String, below directory: Int32) -> Int32 {
        #if os(Linux)
        if let outcome = openAtOnce(name, { cf_open_directory(directory, $0) }) { return outcome }
        #endif
        return openDirectoryInSteps(name, below: directory)
    }

    /// Opens a file in the same way as ``openFile(_:below:)``, but opens the directories on the path one by one.
    static func openFileInSteps(_ name: String, below directory: Int32) -> Int32 {
        openInSteps(name, below: directory, O_NONBLOCK)
    }

    /// Opens a directory in the same way as ``openDirectory(_:below:)``, but opens the directories on the path in turn.
    static func openDirectoryInSteps(_ name: String, below directory: Int32) -> Int32 {
        openInSteps(name, below: directory, O_DIRECTORY | searchOnly)
    }

    #if os(Linux)
    /// Opens an item by a single system call, `openat2`. Returns nil if the system refuses that call.
    /// - Parameter call: The function that makes the system call.
    private static func openAtOnce(_ name: String, _ call: (UnsafePointer<CChar>) -> Int32) -> Int32? {
        if isRefused.load(ordering: .relaxed) { return nil }
        // Passing the string itself would copy it; this lends its bytes.
        let outcome = name.withCString { call($0) }
        // Old sandboxes return `EPERM` for calls that they do not know.
        guard outcome == -ENOSYS || outcome == -EPERM else { return outcome }
        isRefused.store(true, ordering: .relaxed)
        return nil
    }
    #endif

    /// Opens an item by its path relative to an open directory, and opens the directories on the path one by one.
    /// - Parameter flags: The flags for opening the item itself.
    private static func openInSteps(_ name: String, below directory: Int32, _ flags: Int32) -> Int32 {
        let names = name.split(separator: "/").map { String($0) }
        var directories: [Int32] = []
        defer { for directory in directories { close(directory) } }
        for name in names.dropLast() {
            let next = open(name, below: directories.last ?? directory, O_DIRECTORY)
            guard next >= 0 else { return next }
            directories.append(next)
        }
        return open(names.last ?? ".", below: directories.last ?? directory, flags)
    }

    /// Opens an item of an open directory. Returns the descriptor, or a negative error number.
    private static func open(_ name: String, below directory: Int32, _ flags: Int32) -> Int32 {
        let descriptor = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | flags)
        guard descriptor < 0 else { return descriptor }
        let code = errno
        guard code == ENOTDIR else { return -code }
        // With `O_DIRECTORY`, opening a link fails with the same error number.
        var status = stat()
        let isLink = fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_mode & S_IFMT == S_IFLNK
        return isLink ? -ELOOP : -ENOTDIR
    }
}
