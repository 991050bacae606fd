#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A thread that is not joined.
package enum DetachedThread {
    private static let stackSize = 1 << 20

    /// Runs `body` on a new thread. Throws `outOfThreads` if the system cannot make a thread.
    /// - Parameter name: The name of the thread for tools. Linux keeps its first fifteen bytes.
    package static func start(name: String, _ body: @escaping @Sendable () -> Void) throws(ImageError) {
        // `pthread_attr_t()` is not used: the module that declares it depends on the order in which files are compiled.
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        defer { attributes.deallocate() }
        pthread_attr_init(attributes)
        pthread_attr_setstacksize(attributes, stackSize)
        pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
        defer { pthread_attr_destroy(attributes) }
        let life = Unmanaged.passRetained(Life(name: name, body: body))
        #if canImport(Darwin)
        var thread: pthread_t?
        let status = pthread_create(&thread, attributes, { DetachedThread.enter($0) }, life.toOpaque())
        #else
        var thread = pthread_t()
        let status = pthread_create(&thread, attributes, { DetachedThread.enter($0!) }, life.toOpaque())
        #endif
        guard status != 0 else { return }
        life.release()
        throw .noThread(name, reason: String(cString: strerror(status)))
    }

    /// The work of a thread.
    private final class Life: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    private static func enter(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        let life = Unmanaged<Life>.fromOpaque(context).takeRetainedValue()
        #if canImport(Darwin)
        pthread_setname_np(life.name)
        #else
        let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        if file >= 0 {
            let name = life.name.utf8.prefix(15)
            _ = Array(name).withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            close(file)
        }
        #endif
        life.body()
        return nil
    }
}
