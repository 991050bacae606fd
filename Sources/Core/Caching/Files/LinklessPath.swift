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

/// Functions that open files and directories without following symbolic links, neither at the end of the path nor on
/// the way.
///
/// Source: Linux, `openat2(2)` with `RESOLVE_NO_SYMLINKS` (since 5.6). On other systems, and where a sandbox refuses
/// the call, the directories are opened one by one. Each function returns a descriptor, or a negative error number:
/// `-ELOOP` for a link.
package enum LinklessPath {
    #if os(Linux)
    /// Whether the system does not know the call. It is then not tried again.
    private static let isRefused = Atomic<Bool>(false)
    /// `O_PATH` of open(2), whose definition Swift does not import. A directory that is opened with it need not be
    /// readable. The number is the same on all architectures that Swift supports.
    package static let searchOnly: Int32 = 0o10000000
    #else
    package static let searchOnly: Int32 = 0
    #endif

    /// Opens a file for reading by its path below an open directory. Opening a pipe does not block.
    static func openFile(_ name: String, below directory: Int32) -> Int32 {
        #if os(Linux)
        if let outcome = openAtOnce(name, { cf_open_file(directory, $0) }) { return outcome }
        #endif
        return openFileInSteps(name, below: directory)
    }

    /// Opens a directory by its path below an open one, in order to change its items. On some systems it cannot be
    /// read.
    static func openDirectory(_ name: String, below directory: Int32) -> Int32 {
        #if os(Linux)
        if let outcome = openAtOnce(name, { cf_open_directory(directory, $0) }) { return outcome }
        #endif
        return openDirectoryInSteps(name, below: directory)
    }

    /// Opens a file as ``openFile(_:below:)`` does, one directory after another.
    static func openFileInSteps(_ name: String, below directory: Int32) -> Int32 {
        openInSteps(name, below: directory, O_NONBLOCK)
    }

    /// Opens a directory as ``openDirectory(_:below:)`` does, one directory after another.
    static func openDirectoryInSteps(_ name: String, below directory: Int32) -> Int32 {
        openInSteps(name, below: directory, O_DIRECTORY | searchOnly)
    }

    #if os(Linux)
    /// Opens by a single call. Returns nil if the system does not know the call.
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

    /// - Parameter flags: The flags for opening the last item of the path.
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
        // A link has the same error number.
        var status = stat()
        let isLink = fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_mode & S_IFMT == S_IFLNK
        return isLink ? -ELOOP : -ENOTDIR
    }
}
