#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The calls to a connection's socket, in a form that Linux and Darwin share. All of them block.
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
    /// `POLLRDHUP`, which glibc defines only for programs that ask for its extensions.
    private static let peerHasLeft: Int16 = 0x2000
    #endif

    /// Readies a connection that was taken.
    static func prepare(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        setOption(TCP_NODELAY, of: Int32(IPPROTO_TCP), to: 1, descriptor)
        #if canImport(Darwin)
        // There it does not block when the socket at which it arrived does not.
        _ = fcntl(descriptor, F_SETFL, 0)
        setOption(SO_NOSIGPIPE, of: SOL_SOCKET, to: 1, descriptor)
        #endif
    }

    static func setOption(_ option: Int32, of level: Int32, to value: Int32, _ descriptor: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Sends some of the bytes, at least one.
    /// - Parameter hasMore: Whether more follow at once, so that these may wait to travel with them.
    /// - Returns: How many; nil when the connection is no more.
    static func transmit(_ bytes: UnsafeRawBufferPointer, hasMore: Bool, to descriptor: Int32) -> Int? {
        while true {
            let count = send(descriptor, bytes.baseAddress, bytes.count, hasMore ? quietly | withMore : quietly)
            if count >= 0 { return count }
            guard errno == EINTR else { return nil }
        }
    }

    /// Receives what is there, at most as much as there is room for.
    /// - Returns: How many bytes; 0 when no more come.
    static func receive(into buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32) -> Int {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count >= 0 { return count }
            guard errno == EINTR else { return 0 }
        }
    }

    /// Waits until the other side has left, this one was shut down, or `other` can be read from.
    /// - Returns: Whether it is `other`.
    static func waitForHangUp(of descriptor: Int32, or other: Int32? = nil) -> Bool {
        // A negative descriptor is passed over.
        var entries = [
            pollfd(fd: descriptor, events: peerHasLeft, revents: 0),
            pollfd(fd: other ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            guard poll(&entries, nfds_t(entries.count), -1) < 0 else { return entries[0].revents == 0 }
            guard errno == EINTR else { return false }
        }
    }

    /// Closes a connection in an orderly way.
    static func finish(_ descriptor: Int32) {
        // The other side is told even if a process that was started meanwhile has the descriptor too.
        shutdown(descriptor, Int32(SHUT_WR))
        // Closed with bytes unread, the connection would break, and the last bytes sent might be lost.
        withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 1) {
            (buffer: UnsafeMutableRawBufferPointer) -> Void in
            for _ in 0..<64 {
                let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
                if count <= 0 { break }
            }
        }
        close(descriptor)
    }

    /// Breaks a connection: the other side sees `ECONNRESET`.
    static func reset(_ descriptor: Int32) {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close(descriptor)
    }
}
