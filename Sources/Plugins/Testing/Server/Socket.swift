#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Socket functions that behave the same on Linux and Darwin. `transmit`, `receive` and `waitForHangUp` block.
enum Socket {
    #if canImport(Glibc)
    static let stream = Int32(SOCK_STREAM.rawValue)
    #else
    static let stream = SOCK_STREAM
    #endif

    #if canImport(Darwin)
    private static let quietly: Int32 = 0
    private static let withMore: Int32 = 0
    private static let peerHasLeft = Int16(POLLHUP)
    #else
    private static let quietly = Int32(MSG_NOSIGNAL)
    private static let withMore = Int32(MSG_MORE)
    /// `POLLRDHUP`, the event of `poll` for a peer that has left. glibc defines it only with its extensions enabled.
    private static let peerHasLeft: Int16 = 0x2000
    #endif

    /// Sets the options of an accepted connection, such as sending small amounts of data without delay.
    static func prepare(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        setOption(TCP_NODELAY, of: Int32(IPPROTO_TCP), to: 1, descriptor)
        #if canImport(Darwin)
        // On Darwin an accepted socket inherits the non-blocking mode of its listener.
        _ = fcntl(descriptor, F_SETFL, 0)
        setOption(SO_NOSIGPIPE, of: SOL_SOCKET, to: 1, descriptor)
        #endif
    }

    static func setOption(_ option: Int32, of level: Int32, to value: Int32, _ descriptor: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Sends at least one of the bytes. Returns the number of bytes sent, or nil if the connection is gone.
    /// - Parameter hasMore: Whether more bytes follow at once, so that the system may send them together.
    static func transmit(_ bytes: UnsafeRawBufferPointer, hasMore: Bool, to descriptor: Int32) -> Int? {
        while true {
            let count = send(descriptor, bytes.baseAddress, bytes.count, hasMore ? quietly | withMore : quietly)
            if count >= 0 { return count }
            guard errno == EINTR else { return nil }
        }
    }

    /// Waits for bytes, and receives those that fit into the buffer. Returns 0 if the connection has ended.
    static func receive(into buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32) -> Int {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count >= 0 { return count }
            guard errno == EINTR else { return 0 }
        }
    }

    /// Waits until the connection ends or `other` is readable. Returns false if the connection has ended.
    static func waitForHangUp(of descriptor: Int32, or other: Int32? = nil) -> Bool {
        // `poll` ignores a negative descriptor.
        var entries = [
            pollfd(fd: descriptor, events: peerHasLeft, revents: 0),
            pollfd(fd: other ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            guard poll(&entries, nfds_t(entries.count), -1) < 0 else { return entries[0].revents == 0 }
            guard errno == EINTR else { return false }
        }
    }

    /// Closes a connection normally.
    static func finish(_ descriptor: Int32) {
        // `shutdown` informs the peer even if a child process still has the descriptor.
        shutdown(descriptor, Int32(SHUT_WR))
        // Closing a connection with unread bytes would reset it, and the last bytes sent could be lost.
        withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 1) {
            (buffer: UnsafeMutableRawBufferPointer) -> Void in
            for _ in 0..<64 {
                let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
                if count <= 0 { break }
            }
        }
        close(descriptor)
    }

    /// Resets a connection, so that the peer receives `ECONNRESET`.
    static func reset(_ descriptor: Int32) {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close(descriptor)
    }
}
