#if HTTP
import CCurlShim
import Calotype

/// A transfer in progress: its libcurl handle and the state of its response. Stays on the loader's thread.
///
/// The exchange follows redirects itself instead of libcurl, so that each redirect is checked and headers stay with
/// their origin.
final class CurlExchange {
    /// The treatment of a response.
    enum Plan {
        /// The treatment is not decided yet.
        case undecided
        /// The body is the image.
        case deliver
        /// The response confirms the cached copy.
        case confirm
        /// The response is a redirect.
        indirect case follow(HTTPAddress)
        /// The response is not accepted.
        indirect case refuse(ImageError)
    }

    /// The maximum length and time for receiving an unwanted body, so that its connection can be reused.
    static let drainLimit = 64 << 10
    static let drainTime = Duration.milliseconds(500)
    /// The maximum length of all headers of a response.
    static let headerLimit = 256 << 10

    /// The status after which another protocol follows. It is never requested, so it counts as a final response.
    private static let switchingProtocols = 101
    /// The beginning of a status line. No field begins like this.
    private static let statusLineStart = "HTTP/".utf8.map { CChar(bitPattern: $0) }

    let transfer: CurlTransfer
    var handle: CurlHandle
    unowned let thread: CurlThread

    /// The time at which the transfer left the queue, plus the time of later waits in the queues of other origins.
    var begin: ContinuousClock.Instant
    /// The time at which the request to the current address began.
    var hopBegin: ContinuousClock.Instant
    /// The milliseconds that were left at that time.
    var timeLeft: Int
    var address: HTTPAddress
    /// Whether a redirect led to another origin, so that headers and credentials must not be sent.
    var isForeign = false
    var redirectCount = 0
    /// Whether the request goes through a proxy.
    var isProxied = false
    /// Whether the address policy has refused or allowed an address of the host.
    var hasRefusedAddress = false
    var hasAllowedAddress = false
    /// The headers that libcurl reads while it sends.
    var headerList: HeaderList?

    var plan = Plan.undecided
    /// Whether the whole head has arrived.
    var hasHead = false
    var headerByteCount = 0
    /// The header lines received so far; empty after the head has been examined.
    var lines = HeaderLines()
    private var codings = TransferCodingCheck()
    /// The number of received body bytes, and the length of the body if it is known.
    var receivedByteCount = 0
    var expectedByteCount: Int?
    /// The deadline that the thread checks, for the rest of an unwanted body and after a pause; otherwise nil. It is
    /// also nil during a pause.
    var deadline: ContinuousClock.Instant?
    /// Whether the thread's list of readers to notify contains the exchange.
    var isNoted = false
    /// Whether the exchange has ended, so that its handle is gone or reused.
    var isOver = false
    /// Whether libcurl receives nothing for the exchange because it holds too many bytes of others on the same
    /// connection.
    var isHeldBack = false

    /// The head and bytes that the reader cannot see yet.
    private var pendingHead: ReceivedHead?
    private var pending = Data()
    /// The maximum number of bytes that the reader can have left unread.
    private var unread = 0
    /// The start of the current pause, and the total time of earlier pauses.
    private var pauseBegin: ContinuousClock.Instant?
    private var pausedTime: Duration?

    init(_ transfer: CurlTransfer, _ handle: CurlHandle, on thread: CurlThread, at now: ContinuousClock.Instant) {
        self.transfer = transfer
        self.handle = handle
        self.thread = thread
        (begin, hopBegin) = (now, now)
        address = transfer.request.address
        timeLeft = transfer.request.transferTimeout
    }

    /// Receives a line of the head, including the empty line at its end. Returns less than its length to end the
    /// transfer.
    func receiveHeader(_ line: UnsafeBufferPointer<CChar>) -> Int {
        headerByteCount += line.count
        guard headerByteCount <= Self.headerLimit else {
            plan = .refuse(tooManyHeaders)
            return 0
        }
        guard !hasHead else { return receiveLateLine(line) }
        // This check must not wait and applies to every head: libcurl also decodes the bodies of informational
        // responses and redirects.
        if let coding = codings.refusedCoding(in: line) {
            plan = .refuse(refusedTransferCoding(coding))
            return 0
        }
        guard line.first == CChar(bitPattern: 13) || line.first == CChar(bitPattern: 10) else {
            lines.append(line)
            return line.count
        }
        let status = handle.number(CURLINFO_RESPONSE_CODE)
        guard status >= 200 || status == Self.switchingProtocols else {
            // An informational response (1xx) precedes the final one.
            lines.removeAll()
            return line.count
        }
        hasHead = true
        thread.note(self)
        guard status == Self.switchingProtocols else { return line.count }
        // Another protocol follows, so there is no body to wait for and no connection to reuse.
        judge()
        return 0
    }

    /// Receives a line after the head, such as a trailer. Trailers are ignored.
    private func receiveLateLine(_ line: UnsafeBufferPointer<CChar>) -> Int {
        guard line.starts(with: Self.statusLineStart) else { return line.count }
        // A second response begins: libcurl repeats the request by itself if an HTTP/2 connection turns out to need
        // HTTP/1.1. Its bytes would be appended to those of the first.
        switch plan {
        case .undecided, .deliver: plan = .refuse(incomplete)
        case .confirm, .follow, .refuse: break
        }
        return 0
    }

    /// Receives bytes of the body. Returns less than their number to end the transfer, or `CURL_WRITEFUNC_PAUSE` to
    /// make libcurl keep them and pause.
    func receive(_ bytes: UnsafeBufferPointer<CChar>) -> Int {
        if case .undecided = plan { judge() }
        guard case .deliver = plan else {
            receivedByteCount += bytes.count
            return receivedByteCount <= Self.drainLimit ? bytes.count : 0
        }
        if unread + pending.count + bytes.count > CurlTransfer.window {
            publish()
            transfer.wake()
            if unread + bytes.count > CurlTransfer.window, transfer.pause() {
                stopClock()
                return Int(CURL_WRITEFUNC_PAUSE)
            }
        } else if pending.count + bytes.count > CurlTransfer.chunkSize {
            publish()
            transfer.wake()
        }
        let byteCount = receivedByteCount + bytes.count
        guard transfer.grow(to: byteCount) else {
            plan = .refuse(noRoom(for: byteCount))
            return 0
        }
        if pending.isEmpty { pending = Data(capacity: capacity(for: bytes.count)) }
        pending.append(bytes)
        receivedByteCount = byteCount
        thread.note(self)
        return bytes.count
    }

    /// Decides how to treat the response after its head has arrived. Has no effect if that is decided.
    private func judge() {
        guard case .undecided = plan else { return }
        let head = takeHead()
        do {
            plan = try plan(for: head)
        } catch {
            plan = .refuse(error)
        }
        switch plan {
        case .deliver:
            expectedByteCount = head.bodyByteCount
            pendingHead = received(head, isConfirmation: false)
            return
        case .confirm: pendingHead = received(head, isConfirmation: true)
        case .undecided, .follow, .refuse: break
        }
        deadline = .now + Self.drainTime
        thread.watch(self)
    }

    /// Whether the transfer is paused until its reader has made room.
    var isPaused: Bool { pauseBegin != nil }

    /// The number of body bytes that libcurl has received and not yet delivered.
    var heldByteCount: Int { max(0, handle.offset(CURLINFO_SIZE_DOWNLOAD_T) - receivedByteCount) }

    /// Makes libcurl stop receiving for the exchange. Returns false if there is no connection yet.
    func stopReceiving() -> Bool { curl_easy_pause(handle.easy, CURLPAUSE_RECV) == CURLE_OK }

    /// Stops the transfer's time limit while the reader makes room.
    ///
    /// After the first pause the thread checks the limit itself, because libcurl's own clock does not stop.
    private func stopClock() {
        if pauseBegin == nil { pauseBegin = .now }
        deadline = nil
        thread.notePause(of: self)
        guard pausedTime == nil else { return }
        pausedTime = .zero
        ccurl_set_number(handle.easy, CURLOPT_TIMEOUT_MS, 0)
        thread.watch(self)
    }

    /// Resumes the time limit. Does nothing if it is not stopped.
    func startClock() {
        guard let pauseBegin, let before = pausedTime else { return }
        let now = ContinuousClock.now
        let paused = before + pauseBegin.duration(to: now)
        (self.pauseBegin, pausedTime) = (nil, paused)
        deadline = begin + .milliseconds(transfer.request.transferTimeout) + paused
    }

    /// Gives the received data to the reader if the treatment of the response is decided.
    func publish() {
        if hasHead { judge() }
        guard pendingHead != nil || !pending.isEmpty else { return }
        let (head, chunk) = (pendingHead, pending)
        (pendingHead, pending) = (nil, Data())
        unread = transfer.put(head, chunk)
    }

    /// Returns the number of bytes to allocate for the first `count` bytes.
    ///
    /// The result covers the announced length but is limited by the received bytes, so that a false announcement costs
    /// no memory.
    private func capacity(for count: Int) -> Int {
        let left = expectedByteCount.map { max(count, $0 - receivedByteCount) } ?? count
        return min(left, max(count, min(8 * count, CurlTransfer.chunkSize)))
    }
}
#endif
