#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A value behind a mutex.
///
/// This is the only lock of the library. `Synchronization.Mutex` would do the same, but ThreadSanitizer does not
/// understand its futex on Linux and reports false races; a POSIX mutex costs the same and is understood by every tool.
///
/// Hold the lock for a few instructions only, and never while calling client code.
///
/// `@unchecked Sendable` is sound, whatever `State` is:
/// - Only `withLock` and `withLockUnchecked` read and write the state. They do so while they hold the mutex, which
///   orders the accesses.
/// - Nothing that is not `Sendable` is shared between the state and code outside the lock. `init` takes the state as
///   `sending`. In `withLock`, `body` takes it as `inout sending`, so that it can neither put in what it captures nor
///   assign a part of the state to a captured variable. Results must be `Sendable`, and so is every error. The compiler
///   checks all of this. The callers of `withLockUnchecked` explain why it holds for them.
/// - Copies of a lock share one block. Its `deinit` runs when no copy is left, and so after the last access: the
///   methods keep the block until they have unlocked the mutex.
///
/// The state is behind a pointer, since the compiler would otherwise check for exclusive access. The mutex already
/// guarantees exclusive access, and the check costs as much as the mutex. The state and the mutex share one block of
/// memory, since nearly every object of the library has a lock of its own.
package struct Lock<State>: @unchecked Sendable {
    private let storage: ManagedBuffer<pthread_mutex_t, State>

    private final class Storage: ManagedBuffer<pthread_mutex_t, State> {
        deinit {
            withUnsafeMutablePointers { mutex, state in
                _ = state.deinitialize(count: 1)
                pthread_mutex_destroy(mutex)
            }
        }
    }

    /// Creates a lock around a value. Copies of a lock are the same lock.
    package init(_ state: sending State) {
        storage = Storage.create(minimumCapacity: 1) { _ in pthread_mutex_t() }
        storage.withUnsafeMutablePointers { mutex, memory in
            pthread_mutex_init(mutex, nil)
            memory.initialize(to: state)
        }
    }

    /// Runs `body` with exclusive access to the value, and returns its result or throws its error.
    ///
    /// The lock is not recursive: taking the same lock inside `body` never returns.
    @inline(__always)
    package func withLock<Result: Sendable & ~Copyable, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let state = lock()
        defer { unlock() }
        return try body(&state.pointee)
    }

    /// Runs `body` like ``withLock(_:)``, but parts of the value that are not `Sendable` can enter and leave it without
    /// an error by the compiler. Each caller explains why no such part is used inside and outside the lock.
    @inline(__always)
    package func withLockUnchecked<Result: ~Copyable, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let state = lock()
        defer { unlock() }
        return try body(&state.pointee)
    }

    /// Locks the mutex, and returns the memory of the value, which stays in place as long as a copy of the lock exists.
    @inline(__always)
    private func lock() -> UnsafeMutablePointer<State> {
        storage.withUnsafeMutablePointers { mutex, state in
            pthread_mutex_lock(mutex)
            return state
        }
    }

    @inline(__always)
    private func unlock() {
        _ = storage.withUnsafeMutablePointerToHeader { pthread_mutex_unlock($0) }
    }
}
