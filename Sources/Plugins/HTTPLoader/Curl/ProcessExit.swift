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

/// The end of the process, before which the threads of all loaders come to rest.
///
/// The libraries beneath libcurl, OpenSSL among them, free what they share while the process exits. A thread that is
/// within them at that time would read what is freed.
enum ProcessExit {
    /// The engines whose threads run.
    private static let engines = Lock<[ObjectIdentifier: CurlEngine]>([:])
    private static let beginning = Atomic(false)

    /// The time that the process waits for the threads, in milliseconds. A callback of the caller may take longer.
    private static let patience = 1000

    /// Whether the process exits: a thread is to rest before it calls libcurl again.
    static var hasBegun: Bool { beginning.load(ordering: .acquiring) }

    /// The key of a value of each thread, whose destructor runs when the thread has ended.
    private static let threadKey: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key) { ProcessExit.threadHasEnded($0) }
        return key
    }()

    /// Asks to be told when threads end and when the process exits.
    ///
    /// To be called once, after libcurl is ready. What is registered last is told of the exit first, and of the end of
    /// a thread last; the libraries beneath have registered themselves by then.
    static func prepare() {
        _ = threadKey
        atexit { ProcessExit.restThreads() }
    }

    /// Adds the thread of an engine.
    static func add(_ engine: CurlEngine) {
        engines.withLock { $0[ObjectIdentifier(engine)] = engine }
    }

    /// Removes an engine when the calling thread has ended, and what libraries keep for each thread is gone as well.
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

    /// Holds the calling thread, which is the one of this engine, until the process is gone.
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
