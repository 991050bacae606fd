public import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An HTTP server for tests, which listens on the loopback interface. Its scripted responses can be correct or
/// incorrect.
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
/// The server supports HTTP/1.1. Connections stay open for further requests, which are answered in order even if they
/// arrive before the previous response has ended. A request for a path without a script receives the status 404.
/// Invalid requests receive an error status and are not counted. All counts are updated immediately. Tests can await
/// events with methods such as ``waitForRequests(_:)`` and need no delays.
///
/// Each connection has its own thread. While the system cannot create threads, connections are served one after
/// another. The server stops when it is deallocated, so retain it while you need it. If a closure that returns a
/// response retains the server, call ``stop()`` to break this reference cycle.
public final class ScriptedServer: Sendable {
    /// The port, which the system has chosen.
    public let port: Int
    private let script = ServerScript()
    private let log = ServerLog()
    private let threads = ServerThreads()
    /// The pipe that stops the listening thread; nil after the server was stopped.
    private let stopping: Lock<WakePipe?>

    /// Creates and starts a server.
    ///
    /// Throws `connectionFailed` if the server cannot listen, for example because the system has no descriptor left,
    /// and `outOfThreads` if the system has no thread left.
    /// - Parameter sendBufferSize: The number of bytes that the system buffers for each connection; nil for the
    ///   system's default, which can be several megabytes. The system may adjust the number. With a small buffer,
    ///   ``ScriptedRequest/bytesSent`` shows whether a client that does not read applies back-pressure.
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
                        // Without another thread, connections are served one after another.
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

    /// Stops the server.
    ///
    /// Closes the port and all connections, removes all scripts, and waits until all threads have ended. The recorded
    /// requests remain. Has no effect on a stopped server.
    ///
    /// Blocks while a closure that returns a response runs. If such a closure calls this method, the method does not
    /// wait for the thread of the closure.
    public func stop() {
        guard let stopping = stopping.withLock({ $0.take() }) else { return }
        log.stop()
        stopping.wake()
        threads.waitForAll()
        script.clear()
    }

    // MARK: Answers

    /// Returns the URL of a path.
    /// - Parameters:
    ///   - path: The percent-encoded path with a leading slash and an optional query.
    ///   - host: The name of the host, for example `localhost`.
    public func url(_ path: String, host: String = "127.0.0.1") -> URL {
        guard path.hasPrefix("/"), let url = URL(string: "http://\(host):\(port)\(path)") else {
            preconditionFailure("'\(path)' is not the path of a URL; begin with a slash, and percent-encode the rest")
        }
        return url
    }

    /// Sets the response to a path.
    /// - Parameters:
    ///   - path: The percent-encoded path as sent. A path with a query takes precedence over one without.
    ///   - response: The response.
    public func answer(_ path: String, with response: ScriptedResponse) {
        script.set({ _ in response }, for: path)
    }

    /// Sets a closure that returns the response to a path.
    /// - Parameters:
    ///   - path: The percent-encoded path as sent. A path with a query takes precedence over one without.
    ///   - body: A closure that is called for each request on the thread of its connection, and concurrently for
    ///     several requests.
    public func answer(_ path: String, _ body: @escaping @Sendable (ScriptedRequest) -> ScriptedResponse) {
        script.set(body, for: path)
    }

    /// Sets a closure that returns the response to all paths without a script.
    /// - Parameter body: A closure that is called for each request on the thread of its connection, and concurrently
    ///   for several requests.
    public func answerOthers(_ body: @escaping @Sendable (ScriptedRequest) -> ScriptedResponse) {
        script.set(body, for: nil)
    }

    // MARK: Recorded events

    /// The requests so far, in the order of arrival, with the current state of their responses.
    public var requests: [ScriptedRequest] { log.requests }
    /// The number of requests so far.
    public var requestCount: Int { log.requestCount }
    /// Returns the number of requests for a path. If the path has a query, counts only requests with the same query.
    public func requestCount(of path: String) -> Int { log.requestCount(of: path) }
    /// The number of bytes of all responses that the system has accepted for sending; see
    /// ``ScriptedRequest/bytesSent``.
    public var bytesSent: Int { log.bytesSent }
    /// The number of connections so far.
    public var connectionCount: Int { log.connectionCount }
    /// The number of connections that are open on the server's side. When the server closes a connection, the count is
    /// reduced before the client can notice.
    public var openConnectionCount: Int { log.openConnectionCount }

    /// Waits for a total of `count` requests.
    public func waitForRequests(_ count: Int) async { await log.waitForRequests(count) }
    /// Waits for `count` requests for a path. If the path has a query, counts only requests with the same query.
    public func waitForRequests(_ count: Int, of path: String) async { await log.waitForRequests(count, of: path) }
    /// Waits until a total of `count` responses have ended, including those that clients abandoned. The numbers of
    /// bytes sent for these responses are then final.
    public func waitForAnswers(_ count: Int) async { await log.waitForAnswers(count) }
    /// Waits until at most `count` connections are open.
    public func waitForOpenConnections(atMost count: Int) async { await log.waitForOpenConnections(atMost: count) }
}
