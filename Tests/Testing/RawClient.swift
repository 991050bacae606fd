import Foundation

@testable import CalotypeTesting

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A client that sends exact bytes, and returns the received bytes unmodified. Its calls block.
final class RawClient {
    /// The error number of a system call.
    struct Failure: Error, Equatable {
        let code: Int32
    }

    private var descriptor: Int32

    /// Connects to a port of the loopback interface.
    init(port: Int) throws {
        descriptor = socket(AF_INET, Socket.stream, 0)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        Socket.prepare(descriptor)
        // A server that never answers must fail the test instead of blocking it.
        var patience = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let connecting = descriptor
        let isConnected = withUnsafePointer(to: address) { (own: UnsafePointer<sockaddr_in>) -> Bool in
            own.withMemoryRebound(to: sockaddr.self, capacity: 1) { (general: UnsafePointer<sockaddr>) -> Bool in
                connect(connecting, general, size) == 0
            }
        }
        guard isConnected else { throw Failure(code: errno) }
    }

    convenience init(_ server: ScriptedServer) throws { try self.init(port: server.port) }

    deinit { disconnect() }

    /// Closes the connection.
    func disconnect() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        descriptor = -1
    }

    /// Sends a text unmodified.
    func write(_ text: String) throws {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { (buffer: UnsafeRawBufferPointer) -> Int? in
                Socket.transmit(UnsafeRawBufferPointer(rebasing: buffer[sent...]), hasMore: false, to: descriptor)
            }
            guard let count else { throw Failure(code: errno) }
            sent += count
        }
    }

    /// Sends a request.
    func ask(
        _ target: String, method: String = "GET", headers: ScriptedHeaders = ["Host": "test"], body: String = ""
    ) throws {
        let fields = headers.fields.map { "\($0.name): \($0.value)\r\n" }.joined()
        try write("\(method) \(target) HTTP/1.1\r\n\(fields)\r\n\(body)")
    }

    /// Returns the next `count` bytes; fewer if the connection ends before.
    func read(_ count: Int) throws -> Data {
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: min(count, 64 << 10))
        while data.count < count {
            let wanted = min(count - data.count, buffer.count)
            let got = recv(descriptor, &buffer, wanted, 0)
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw Failure(code: errno) }
            if got == 0 { break }
            data.append(contentsOf: buffer[..<got])
        }
        return data
    }

    /// Returns the next `count` bytes as a text; fewer if the connection ends before.
    func readText(_ count: Int) throws -> String { try String(decoding: read(count), as: UTF8.self) }

    /// Returns all bytes up to the end of the connection, as a text.
    func readToEnd() throws -> String { try readText(.max) }

    /// Reads as many bytes as a text has. Returns whether they are equal.
    func receives(_ expected: String) throws -> Bool { try readText(expected.utf8.count) == expected }

    /// Whether bytes, or the end of the connection, can be read now.
    var hasInput: Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    /// Returns the system error of `body`; nil if it throws none.
    static func failure<Result>(of body: () throws -> Result) throws -> Failure? {
        do {
            _ = try body()
            return nil
        } catch let failure as Failure {
            return failure
        }
    }
}
