#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A value behind a mutex.
///
/// The one lock of the library. `Synchronization.Mutex` would do the same, but ThreadSanitizer does not see through its
/// futex on Linux and reports races that are none; a POSIX mutex costs the same and is understood by every tool.
///
/// Hold it for a few instructions, and never while calling code that is not ours.
package final class Lock<State>: @unchecked Sendable {
    // Sound because `state` is touched inside `withLock` alone, and there only while the mutex is held. Behind a
    // pointer, since the compiler's own check of exclusive access would cost as much again as the mutex that guarantees
    // it.
    private let state: UnsafeMutablePointer<State>
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// Puts a value behind a new mutex.
    package init(_ state: sending State) {
        self.state = .allocate(capacity: 1)
        self.state.initialize(to: state)
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// Runs `body` with the value while nobody else can; returns or throws what it does.
    ///
    /// Not recursive: taking the same lock inside `body` never returns.
    @inline(__always)
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state.pointee)
    }
}
