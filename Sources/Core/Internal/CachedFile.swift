#if os(Linux)
import CFiles
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// File operations that never wait for a device. They succeed only if the required data is in memory. Each method
/// returns the result of its system call, or a negative error number if the call fails.
///
/// Source: Linux, `openat2(2)` with `RESOLVE_CACHED` (since 5.12), `preadv2(2)` with `RWF_NOWAIT` (since 4.14) and
/// `statx(2)` with `AT_STATX_DONT_SYNC` (since 4.11).
enum CachedFile {
    /// Whether a call has failed because the system does not support it. From then on, no call is made.
    private static let isRefused = Atomic<Bool>(false)

    /// Opens a file for reading by its path below a directory. Does not block on a pipe, and does not follow symbolic
    /// links.
    static func open(_ name: String, below directory: Int32) -> Int32 {
        unlessRefused { name.withCString { cf_open_cached_file(directory, $0) } }
    }

    /// Opens a directory in order to identify it.
    static func openDirectory(_ path: String) -> Int32 {
        unlessRefused { path.withCString { cf_open_cached_directory($0) } }
    }

    /// Reads at most `count` bytes from the beginning of a file, and only those in memory. Returns their number.
    static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawPointer, count: Int) -> Int {
        Int(unlessRefused { cf_read_cached(descriptor, buffer, count) })
    }

    /// Reads the version of a file by its path. Follows symbolic links. Returns zero on success.
    static func readVersion(of path: String, into version: inout cf_version) -> Int32 {
        unlessRefused { path.withCString { cf_cached_version($0, &version) } }
    }

    private static func unlessRefused<Outcome: FixedWidthInteger>(_ call: () -> Outcome) -> Outcome {
        guard !isRefused.load(ordering: .relaxed) else { return Outcome(-EAGAIN) }
        let outcome = call()
        if outcome == Outcome(-ENOSYS) { isRefused.store(true, ordering: .relaxed) }
        return outcome
    }
}
#endif
