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

/// Opens files and directories by paths on which no symbolic link is followed, neither at the end nor on the way.
///
/// Source: Linux, `openat2(2)` with `RESOLVE_NO_SYMLINKS` (since 5.6). Elsewhere, and where a sandbox refuses the call,
/// directory after directory is opened. Each function returns a descriptor, or an error number below zero: `-ELOOP` for
/// a link.
package enum LinklessPath {
    #if os(Linux)
    /// Whether the system does not know the call: then it is not tried again.
    private static let isRefused = Atomic<Bool>(false)
    /// `O_PATH`, whose definition Swift does not see: open(2). What is opened with it need not be readable. The number
    /// is the same on all architectures that Swift has.
    package static let searchOnly: Int32 = 0o10000000
    #else
    package static let searchOnly: Int32 = 0
    #endif

    /// Opens a file for reading by its path below a directory that is open. Opening a pipe does not block.
    static func openFile(_ name: String, below directory: Int32) -> Int32 {
        #if os(Linux)
        if let outcome = openAtOnce(name, { cf_open_file(directory, $0) }) { return outcome }
        #endif
        return openFileInSteps(name, below: directory)
    }

    /// Opens a directory by its path below one that is open, to change what it lists. It cannot be read everywhere.
    static func openDirectory(_ name: String, below directory: Int32) -> Int32 {
        #if os(Linux)
        if let outcome = openAtOnce(name, { cf_open_directory(directory, $0) }) { return outcome }
        #endif
        return openDirectoryInSteps(name, below: directory)
    }

    /// Opens a file as ``openFile(_:below:)`` does, directory after directory.
    static func openFileInSteps(_ name: String, below directory: Int32) -> Int32 {
        openInSteps(name, below: directory, O_NONBLOCK)
    }

    /// Opens a directory as ``openDirectory(_:below:)`` does, directory after directory.
    static func openDirectoryInSteps(_ name: String, below directory: Int32) -> Int32 {
        openInSteps(name, below: directory, O_DIRECTORY | searchOnly)
    }

    #if os(Linux)
    /// Opens by one call; nil if the system does not know it.
    private static func openAtOnce(_ name: String, _ call: (UnsafePointer<CChar>) -> Int32) -> Int32? {
        if isRefused.load(ordering: .relaxed) { return nil }
        // A string passed to C is copied; the bytes that it has are lent instead.
        let outcome = name.withCString { call($0) }
        // Old sandboxes answer calls that they do not know with the second.
        guard outcome == -ENOSYS || outcome == -EPERM else { return outcome }
        isRefused.store(true, ordering: .relaxed)
        return nil
    }
    #endif

    /// - Parameter flags: How the last of them is opened.
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

    private static func open(_ name: String, below directory: Int32, _ flags: Int32) -> Int32 {
        let descriptor = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | flags)
        guard descriptor < 0 else { return descriptor }
        let code = errno
        guard code == ENOTDIR else { return -code }
        // A link is no directory either.
        var status = stat()
        let isLink = fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_mode & S_IFMT == S_IFLNK
        return isLink ? -ELOOP : -ENOTDIR
    }
}
