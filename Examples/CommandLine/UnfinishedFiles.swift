import CalotypeStandard
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The files that are being written: what must go when the process ends before they are whole.
enum UnfinishedFiles {
    private struct State {
        var paths: Set<String> = []
        /// Whether the process is ending.
        var isClosed = false
    }

    private static let state = Lock(State())
    /// Begins anywhere: in containers every process is number 1, and must not meet what one before it left behind.
    private static let counter = Atomic<UInt64>(UInt64.random(in: 0..<(1 << 48)))

    /// Makes an empty file in a folder, under a name that nobody else uses.
    /// - Returns: Its path and a descriptor to write to it, or -1 and the error number.
    static func create(in folder: String) -> (path: String, descriptor: Int32, code: Int32) {
        let number = counter.wrappingAdd(1, ordering: .relaxed).newValue
        let path = "\(folder)/.calotype-\(getpid())-\(number)"
        // Made under the lock, or it could appear after everything was removed.
        return state.withLock { state -> (path: String, descriptor: Int32, code: Int32) in
            guard !state.isClosed else { return (path, -1, EINTR) }
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            guard descriptor >= 0 else { return (path, -1, errno) }
            state.paths.insert(path)
            return (path, descriptor, 0)
        }
    }

    /// Says that a file has got its name, or is gone.
    static func forget(_ path: String) {
        state.withLock { state in
            _ = state.paths.remove(path)
        }
    }

    /// Removes all of them; no more can be made.
    static func removeAll() {
        state.withLock { state in
            state.isClosed = true
            for path in state.paths { unlink(path) }
        }
    }
}
