#if os(Linux)
import CFiles
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Opens and reads files where the system has all in memory that this takes, and says so where it has not.
///
/// Source: Linux, `openat2(2)` with `RESOLVE_CACHED` (since 5.12), `preadv2(2)` with `RWF_NOWAIT` (since 4.14) and
/// `statx(2)` with `AT_STATX_DONT_SYNC` (since 4.11). Each returns what the call did, or an error number below zero.
enum CachedFile {
    /// Whether the system does not know these calls: then it is not tried again.
    private static let isRefused = Atomic<Bool>(false)

    /// Opens a file for reading by its path below a directory. A pipe does not hold up, nor does a link lead elsewhere.
    static func open(_ name: String, below directory: Int32) -> Int32 {
        unlessRefused { name.withCString { cf_open_cached_file(directory, $0) } }
    }

    /// Opens a directory, to see which one it is.
    static func openDirectory(_ path: String) -> Int32 {
        unlessRefused { path.withCString { cf_open_cached_directory($0) } }
    }

    /// Reads the beginning of a file; what comes short of it is not in memory, or not in the file.
    static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawPointer, count: Int) -> Int {
        Int(unlessRefused { cf_read_cached(descriptor, buffer, count) })
    }

    /// Reads the version of a file by its path, following links. Returns zero on success.
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
