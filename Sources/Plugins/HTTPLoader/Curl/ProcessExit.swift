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

/// Stops the transfer threads of all loaders when the process exits.
///
/// The libraries that libcurl uses, such as OpenSSL, free their shared state while the process exits. A thread that
/// still ran library code would read freed memory.
enum ProcessExit {
    /// The engines with running threads.
    private static let engines = Lock<[ObjectIdentifier: CurlEngine]>([:])
    private static let beginning = Atomic(false)

    /// The maximum time, in milliseconds, that the exit of the process waits for the transfer threads to stop. After
    /// this time, the process exits even if some of the threads still run.
    private static let patience = 1000

    /// Whether the process is exiting. Transfer threads must then stop before they call libcurl again.
    static var hasBegun: Bool { beginning.load(ordering: .acquiring) }

    /// The key of a thread-specific value whose destructor runs when a thread has ended.
    private static let threadKey: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key) { ProcessExit.threadHasEnded($0) }
        return key
    }()

    /// Registers handlers for the end of threads and for the exit of the process.
    ///
    /// Call this once, after libcurl is initialized. By then, the libraries that libcurl uses have registered their own
    /// handlers. Exit handlers run in reverse order of registration, so the exit handler of this type runs first.
    /// Thread destructors run in order of registration, so the thread destructor of this type runs last.
    static func prepare() {
        _ = threadKey
        atexit { ProcessExit.restThreads() }
    }

    /// Adds an engine with a running thread.
    static func add(_ engine: CurlEngine) {
        engines.withLock { $0[ObjectIdentifier(engine)] = engine }
    }

    /// Makes sure that an engine is removed after the calling thread has ended and the libraries have freed their
    /// thread-specific state.
    static func watchThread(of engine: CurlEngine) {
        pthread_setspecific(threadKey, Unmanaged.passRetained(engine).toOpaque())
    }

    private static func threadHasEnded(_ context: UnsafeMutableRawPointer?) {
        guard let context else { return }
        remove(Unmanaged<CurlEngine>.fromOpaque(context).takeRetainedValue())
    }

    /// Removes an engine whose thread no longer calls libcurl.
    static func remove(_ engine: CurlEngine) {
        engines.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(engine)) }
    }

    /// Removes an engine, then blocks the calling thread until the process has ended. Call this on the thread of the
    /// engine.
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
