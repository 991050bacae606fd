#if HTTP
import Calotype
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The end of the process, for which the threads of all loaders are stopped.
///
/// The libraries below libcurl, OpenSSL among them, free their shared state while the process exits. A thread that
/// still runs library code would read freed memory.
enum ProcessExit {
    /// The engines with running threads.
    private static let engines = Lock<[ObjectIdentifier: CurlEngine]>([:])
    private static let beginning = Atomic(false)

    /// The milliseconds that the process waits for the threads. A callback of the caller may take longer.
    private static let patience = 1000

    /// Whether the process is exiting. A thread must then stop before it calls libcurl again.
    static var hasBegun: Bool { beginning.load(ordering: .acquiring) }

    /// The key of a thread-specific value whose destructor runs when a thread has ended.
    private static let threadKey: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key) { ProcessExit.threadHasEnded($0) }
        return key
    }()

    /// Registers for the end of threads and for the exit of the process.
    ///
    /// Call this once, after libcurl is initialized. The libraries below have registered their handlers by then: exit
    /// handlers run in reverse order, thread destructors in order of registration.
    static func prepare() {
        _ = threadKey
        atexit { ProcessExit.restThreads() }
    }

    /// Adds the thread of an engine.
    static func add(_ engine: CurlEngine) {
        engines.withLock { $0[ObjectIdentifier(engine)] = engine }
    }

    /// Arranges for the removal of an engine after the calling thread has ended and libraries have freed their
    /// thread-specific state.
    static func watchThread(of engine: CurlEngine) {
        pthread_setspecific(threadKey, Unmanaged.passRetained(engine).toOpaque())
    }

    private static func threadHasEnded(_ context: UnsafeMutableRawPointer?) {
        guard let context else { return }
        remove(Unmanaged<CurlEngine>.fromOpaque(context).takeRetainedValue())
    }

    /// Removes the thread of an engine.
    static func remove(_ engine: CurlEngine) {
        engines.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(engine)) }
    }

    /// Stops the calling thread, which belongs to this engine, until the process is gone.
    static func rest(_ engine: CurlEngine) -> Never {
        remove(engine)
        while true { pause() }
    }

    private static func restThreads() {
        beginning.store(true, ordering: .releasing)
        for engine in engines.withLock({ Array($0.values) }) { engine.wake() }
        for _ in 0..<patience {
            if engines.withLock({ $0.isEmpty }) { return }
            usleep(1000)
        }
    }
}
#endif
