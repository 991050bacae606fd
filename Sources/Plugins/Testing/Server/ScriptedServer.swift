public import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An HTTP server for tests, on the loopback interface, which does what it is told: good or bad.
///
/// ```swift
/// let server = try ScriptedServer()
/// server.answer("/good.png", with: .bytes(picture, contentType: "image/png"))
/// server.answer("/short.png", with: .bytes(picture).cut(after: 100))
/// server.answer("/slow.png", with: .bytes(picture).stalled(after: 100, at: gate))
/// server.answer("/moody.png") { $0.attempt == 1 ? .status(503) : .bytes(picture) }
///
/// let image = try await manager.image(for: server.url("/good.png"))
/// print(image.size, server.requestCount(of: "/good.png"), server.connectionCount)
/// server.stop()
/// ```
///
/// It speaks HTTP/1.1: connections stay open for more requests, which are answered in their order also when they come
/// before an answer has ended. A path for which nothing is scripted is answered with 404, what is no request with the
/// status that says so; such are in no count of requests. What is there is counted as it happens, and the methods that
/// wait spare a test every guess about time.
///
/// Each connection has a thread. A server stops when it goes, so keep it as long as it is to answer; stop it when an
/// answer's closure holds it.
public final class ScriptedServer: Sendable {
    /// The port at which it listens; the system has chosen it.
    public let port: Int
    private let script = ServerScript()
    private let log = ServerLog()
    private let threads = ServerThreads()
    /// The pipe that ends the thread that takes connections; nil if the server was stopped.
    private let stopping: Lock<WakePipe?>

    /// A server that listens.
    ///
    /// Throws an error of the code `connectionFailed` when the system has no descriptor for it, and of the code
    /// `outOfThreads` when it has no thread.
    /// - Parameter sendBufferSize: How many bytes of an answer the system takes ahead of the client, in each
    ///   connection; it may round. Nil for as many as it likes, which is some megabytes. With few,
    ///   ``ScriptedRequest/bytesSent`` shows whether a client that does not read holds up the sending.
    public init(sendBufferSize: Int? = nil) throws(ImageError) {
        guard let stopping = WakePipe() else { throw ServerListener.failure() }
        let listener = try ServerListener(sendBufferSize: sendBufferSize)
        port = listener.port
        self.stopping = Lock(stopping)
        do throws(ImageError) {
            try threads.start { [script, log, threads] in
                listener.takeConnections(until: stopping) { (descriptor: Int32) -> Bool in
                    guard let connection = ServerConnection(descriptor, script: script, log: log) else { return false }
                    do throws(ImageError) {
                        try threads.start { connection.run() }
                    } catch {
                        // Without another thread, connections are served one after the other.
                        connection.run()
                    }
                    return true
                }
                listener.stop()
            }
        } catch {
            listener.stop()
            throw error
        }
    }

    deinit { stop() }

    /// Stops: closes the port and all connections, whatever they are at, forgets the answers, and waits until all
    /// threads have ended. What was recorded stays. Calling it again does nothing.
    ///
    /// Blocks as long as an answer's closure does. Called by such a closure, waits for all connections but its own.
    public func stop() {
        guard let stopping = stopping.withLock({ $0.take() }) else { return }
        log.stop()
        stopping.wake()
        threads.waitForAll()
        script.clear()
    }

    // MARK: Answers

    /// The URL of a path.
    /// - Parameters:
    ///   - path: The path, with a slash before it and percent-encoded, and a query if there is one.
    ///   - host: The host's name, which may also be `localhost`.
    public func url(_ path: String, host: String = "127.0.0.1") -> URL {
        guard path.hasPrefix("/"), let url = URL(string: "http://\(host):\(port)\(path)") else {
            preconditionFailure("'\(path)' is no path of a URL; begin with a slash, and percent-encode the rest")
        }
        return url
    }

    /// Sets the answer to a path.
    /// - Parameters:
    ///   - path: The path as it is sent, percent-encoded. With a query, it goes before the one without.
    ///   - response: The answer.
    public func answer(_ path: String, with response: ScriptedResponse) {
        script.set({ _ in response }, for: path)
    }

    /// Sets the answer to a path.
    /// - Parameters:
    ///   - path: The path as it is sent, percent-encoded. With a query, it goes before the one without.
    ///   - body: Called for each request, on the connection's thread; for several at once.
    public func answer(_ path: String, _ body: @escaping @Sendable (ScriptedRequest) -> ScriptedResponse) {
        script.set(body, for: path)
    }

    /// Sets the answer to all paths that have none of their own.
    /// - Parameter body: Called for each request, on the connection's thread; for several at once.
    public func answerOthers(_ body: @escaping @Sendable (ScriptedRequest) -> ScriptedResponse) {
        script.set(body, for: nil)
    }

    // MARK: What has happened

    /// The requests so far, in the order in which they came, with what is known of their answers now.
    public var requests: [ScriptedRequest] { log.requests }
    /// The number of requests so far.
    public var requestCount: Int { log.requestCount }
    /// Returns the number of requests for a path; for a path with a query, of those with exactly this query.
    public func requestCount(of path: String) -> Int { log.requestCount(of: path) }
    /// The number of bytes that the system has taken in all; see ``ScriptedRequest/bytesSent``.
    public var bytesSent: Int { log.bytesSent }
    /// The number of connections so far.
    public var connectionCount: Int { log.connectionCount }
    /// The number of connections that are open, as far as the server knows. One that the server closes is no longer
    /// counted when the client learns of it.
    public var openConnectionCount: Int { log.openConnectionCount }

    /// Waits until there have been `count` requests in all.
    public func waitForRequests(_ count: Int) async { await log.waitForRequests(count) }
    /// Waits until there have been `count` requests for a path; for one with a query, with just this query.
    public func waitForRequests(_ count: Int, of path: String) async { await log.waitForRequests(count, of: path) }
    /// Waits until `count` answers in all have ended, be it because the client has left: what was sent is known then.
    public func waitForAnswers(_ count: Int) async { await log.waitForAnswers(count) }
    /// Waits until at most `count` connections are open.
    public func waitForOpenConnections(atMost count: Int) async { await log.waitForOpenConnections(atMost: count) }
}
