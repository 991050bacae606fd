import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Reading and writing by file descriptor, all of it or an error number.
enum Descriptor {
    /// Writes all bytes. Blocks.
    /// - Returns: The error number; 0 when all was written.
    @discardableResult
    static func send(_ data: Data, to descriptor: Int32) -> Int32 {
        data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Int32 in
            guard let start = bytes.baseAddress else { return 0 }
            var sent = 0
            while sent < bytes.count {
                let count = write(descriptor, start + sent, bytes.count - sent)
                let code = errno
                if count >= 0 {
                    sent += count
                } else if !isPassing(code, descriptor, for: Int16(POLLOUT)) {
                    return code
                }
            }
            return 0
        }
    }

    /// Reads what is there, at most as much as there is room for. Blocks until something is.
    /// - Returns: How many bytes were read, 0 at the end; or the error number.
    static func receive(into buffer: inout [UInt8], from descriptor: Int32) -> (count: Int, code: Int32) {
        while true {
            let (count, code) = buffer.withUnsafeMutableBytes { bytes -> (Int, Int32) in
                (read(descriptor, bytes.baseAddress, bytes.count), errno)
            }
            if count >= 0 { return (count, 0) }
            if !isPassing(code, descriptor, for: Int16(POLLIN)) { return (0, code) }
        }
    }

    /// Whether it is worth trying again, which it is after waiting for the descriptor when somebody made it one that
    /// does not block: terminals are shared.
    private static func isPassing(_ code: Int32, _ descriptor: Int32, for events: Int16) -> Bool {
        if code == EINTR { return true }
        guard code == EAGAIN else { return false }
        var entry = pollfd(fd: descriptor, events: events, revents: 0)
        return poll(&entry, 1, -1) >= 0 || errno == EINTR
    }
}
