import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Reads from and writes to file descriptors. Errors are returned as error numbers.
enum Descriptor {
    /// Writes all bytes to a file descriptor. Blocks.
    /// - Returns: The error number; 0 if all bytes were written.
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

    /// Reads the available bytes, up to the size of the buffer. Blocks until there are bytes or the input ends.
    /// - Returns: The number of bytes that were read, 0 at the end of the input; and the error number, 0 for success.
    static func receive(into buffer: inout [UInt8], from descriptor: Int32) -> (count: Int, code: Int32) {
        while true {
            let (count, code) = buffer.withUnsafeMutableBytes { bytes -> (Int, Int32) in
                (read(descriptor, bytes.baseAddress, bytes.count), errno)
            }
            if count >= 0 { return (count, 0) }
            if !isPassing(code, descriptor, for: Int16(POLLIN)) { return (0, code) }
        }
    }

    /// Returns whether a failed operation should be retried.
    ///
    /// A terminal that is shared with other processes may be non-blocking. In that case, waits until the descriptor is
    /// ready.
    private static func isPassing(_ code: Int32, _ descriptor: Int32, for events: Int16) -> Bool {
        if code == EINTR { return true }
        guard code == EAGAIN else { return false }
        var entry = pollfd(fd: descriptor, events: events, revents: 0)
        return poll(&entry, 1, -1) >= 0 || errno == EINTR
    }
}
