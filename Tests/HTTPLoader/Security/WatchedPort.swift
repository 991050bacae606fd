#if HTTP
import Calotype
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A port on all addresses of this machine that detects connections, and never sends data.
///
/// The system accepts connections by itself. So if no connection arrived, none was attempted, and no data was sent.
final class WatchedPort: Sendable {
    let port: Int
    /// Whether it also listens on IPv6 addresses, which not every machine has.
    let hasIPv6: Bool
    private let descriptors: [Int32]

    #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    #else
    private static let stream = SOCK_STREAM
    #endif

    init() throws {
        let descriptor = socket(AF_INET, Self.stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        let isListening = withUnsafeMutablePointer(to: &address) { (own: UnsafeMutablePointer<sockaddr_in>) -> Bool in
            own.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                (general: UnsafeMutablePointer<sockaddr>) -> Bool in
                var size = socklen_t(MemoryLayout<sockaddr_in>.size)
                return bind(descriptor, general, size) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, general, &size) == 0
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        let other = Self.listenIPv6(at: address.sin_port)
        hasIPv6 = other != nil
        descriptors = [descriptor] + (other.map { [$0] } ?? [])
        try #require(isListening)
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }

    /// Returns the socket for IPv6; nil if unsupported.
    /// - Parameter port: The port, in network byte order.
    private static func listenIPv6(at port: in_port_t) -> Int32? {
        let descriptor = socket(AF_INET6, stream, 0)
        guard descriptor >= 0 else { return nil }
        var only: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &only, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port
        let isListening = withUnsafePointer(to: &address) { (own: UnsafePointer<sockaddr_in6>) -> Bool in
            own.withMemoryRebound(to: sockaddr.self, capacity: 1) { (general: UnsafePointer<sockaddr>) -> Bool in
                bind(descriptor, general, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
                    && listen(descriptor, 64) == 0
            }
        }
        if isListening { return descriptor }
        close(descriptor)
        return nil
    }

    /// Accepts and closes the connections that have arrived, and returns their number.
    func takeConnections() -> Int {
        var count = 0
        for descriptor in descriptors {
            while Self.waitForConnection(at: [descriptor], timeout: 0) {
                let connection = accept(descriptor, nil, nil)
                if connection >= 0 { close(connection) }
                count += 1
            }
        }
        return count
    }

    /// Waits until a connection has arrived.
    func waitForConnection() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            do throws(ImageError) {
                try DetachedThread.start(name: "ct-watch") { [descriptors] in
                    _ = Self.waitForConnection(at: descriptors, timeout: -1)
                    continuation.resume()
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    /// Blocks until a connection has arrived or the timeout in milliseconds has elapsed; false for the latter.
    private static func waitForConnection(at descriptors: [Int32], timeout: Int32) -> Bool {
        var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        return poll(&entries, nfds_t(entries.count), timeout) > 0
    }
}
#endif
