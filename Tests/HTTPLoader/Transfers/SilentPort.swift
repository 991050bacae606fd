#if HTTP
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A port where the system accepts connections, and no data is ever sent.
final class SilentPort: Sendable {
    let port: Int
    private let descriptor: Int32

    init() throws {
        #if canImport(Glibc)
        let stream = Int32(SOCK_STREAM.rawValue)
        #else
        let stream = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, stream, 0)
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
        let isListening = withUnsafeMutablePointer(to: &address) { (own: UnsafeMutablePointer<sockaddr_in>) -> Bool in
            own.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                (general: UnsafeMutablePointer<sockaddr>) -> Bool in
                var size = socklen_t(MemoryLayout<sockaddr_in>.size)
                return bind(descriptor, general, size) == 0 && listen(descriptor, 5) == 0
                    && getsockname(descriptor, general, &size) == 0
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        try #require(isListening)
    }

    deinit { close(descriptor) }
}
#endif
