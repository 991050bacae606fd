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

/// The code that stops the transfer threads of all loaders when the process exits.
///
/// Libraries such as OpenSSL free their shared state while the process exits. A thread that still ran library code
/// would read freed memory.
enum ProcessExit {
    /// The engines with running threads.
    private static let engines = Lock<[ObjectIdentifier: CurlEngine]>([:])
    private static let beginning = Atomic(false)

    /// The maximum time, in milliseconds, that the exit of the process waits for the transfer threads to stop.
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
    /// Call this once, after libcurl is initialized. The exit handler then runs before those of libcurl's libraries,
    /// and the thread destructor runs after theirs.
    static func prepare() {
        _ = threadKey
        atexit { ProcessExit.restThreads() }
    }

    /// Adds an engine with a running thread.
    static func add(_ engine: CurlEngine) {
        engines.withLock { $0[ObjectIdentifier(engine)] = engine }
    }

    /// Makes sure that an engine is removed after the calling thread has ended.
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

    /// Removes an engine, then blocks the calling thread, which must be the engine's, until the process has ended.
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
