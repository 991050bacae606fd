import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A listening socket on the loopback interface, at a port that the system chooses.
struct ServerListener: Sendable {
    private static let backlog: Int32 = 1024

    /// The number of the port on which the socket listens.
    let port: Int
    private let descriptor: Int32

    /// Creates the socket and listens. Throws `connectionFailed`.
    /// - Parameter sendBufferSize: The size of a connection's send buffer in bytes; nil for the system's default.
    init(sendBufferSize: Int?) throws(ImageError) {
        let descriptor = socket(AF_INET, Socket.stream, 0)
        guard descriptor >= 0 else { throw Self.failure() }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        // In blocking mode, accepting a connection that was already closed would block the thread.
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        Socket.setOption(SO_REUSEADDR, of: SOL_SOCKET, to: 1, descriptor)
        if let sendBufferSize {
            Socket.setOption(SO_SNDBUF, of: SOL_SOCKET, to: Int32(clamping: sendBufferSize), descriptor)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { (own: UnsafeMutablePointer<sockaddr_in>) -> Bool in
            own.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                (general: UnsafeMutablePointer<sockaddr>) -> Bool in
                var given = size
                return bind(descriptor, general, size) == 0 && listen(descriptor, Self.backlog) == 0
                    && getsockname(descriptor, general, &given) == 0
            }
        }
        guard isListening else {
            let failure = Self.failure()
            close(descriptor)
            throw failure
        }
        self.descriptor = descriptor
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    /// Returns the error for a server that cannot start because of this system error number.
    static func failure(_ code: Int32 = errno) -> ImageError {
        ImageError(
            .connectionFailed, stage: .load, component: "ScriptedServer",
            message: "cannot listen on the loopback interface: \(String(cString: strerror(code)))",
            advice: "close unused files and connections; each server needs three descriptors, and each connection one")
    }

    /// Passes the descriptors of new connections to `body`. Blocks until `wake` is signaled or `body` returns false.
    func takeConnections(until wake: WakePipe, _ body: (_ descriptor: Int32) -> Bool) {
        var entries = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wake.readEnd, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            guard poll(&entries, nfds_t(entries.count), -1) >= 0 || errno == EINTR else { return }
            guard entries[1].revents == 0, let code = takeArrived(body) else { return }
            if code != EAGAIN {
                // The system has no resources for the new connection. Polling again at once would only report it again.
                var entry = entries[1]
                poll(&entry, 1, 10)
            }
        }
    }

    /// Accepts all pending connections.
    /// - Returns: `EAGAIN`, or the error number of a failure; nil if `body` returned false.
    private func takeArrived(_ body: (_ descriptor: Int32) -> Bool) -> Int32? {
        while true {
            let connection = accept(descriptor, nil, nil)
            let code = errno
            if connection >= 0 {
                Socket.prepare(connection)
                guard body(connection) else { return nil }
            } else if code != EINTR, code != ECONNABORTED {
                return code
            }
        }
    }

    /// Stops listening. Later connections are refused.
    func stop() {
        // This has effect even if a child process still has the descriptor.
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }
}
