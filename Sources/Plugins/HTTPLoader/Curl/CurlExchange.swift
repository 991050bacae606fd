#if HTTP
import CCurlShim
import Calotype

/// A transfer in progress: its libcurl handle and the state of its response. Used only on the transfer thread.
///
/// Redirects are followed here and not by libcurl, so that each redirect is checked and secret headers are not sent to
/// other origins.
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

    /// The maximum number of bytes to receive of an unwanted body: 64 KiB. The connection can be reused if the whole
    /// body is received.
    static let drainLimit = 64 << 10
    /// The maximum time for receiving an unwanted body. The connection can be reused if the whole body is received.
    static let drainTime = Duration.milliseconds(500)
    /// The maximum number of bytes of all headers of a response: 256 KiB.
    static let headerLimit = 256 << 10

    /// The status of a switch to another protocol. The loader never requests a switch, so it ends the exchange after
    /// such a response.
    private static let switchingProtocols = 101
    /// The beginning of a status line. No header field begins with this text.
    private static let statusLineStart = "HTTP/".utf8.map { CChar(bitPattern: $0) }

    let transfer: CurlTransfer
    var handle: CurlHandle
    unowned let thread: CurlThread

    /// The time at which the transfer's time limit begins. Each wait in the queue of another origin moves this time
    /// later.
    var begin: ContinuousClock.Instant
    /// The time at which the request to the current address began.
    var hopBegin: ContinuousClock.Instant
    /// The time that was left of the transfer's time limit at ``hopBegin``, in milliseconds.
    var timeLeft: Int
    var address: HTTPAddress
    /// Whether a redirect has led to another origin. If true, secret headers and credentials are not sent.
    var isForeign = false
    var redirectCount = 0
    /// Whether the request goes through a proxy.
    var isProxied = false
    /// Whether the address policy has refused an address of the current host.
    var hasRefusedAddress = false
    /// Whether the address policy has allowed an address of the current host.
    var hasAllowedAddress = false
    /// The list of headers that libcurl sends. It must exist until the request has been sent.
    var headerList: HeaderList?

    var plan = Plan.undecided
    /// Whether the whole head has arrived.
    var hasHead = false
    var headerByteCount = 0
    /// The header lines received so far; empty after the head has been examined.
    var lines = HeaderLines()
    private var codings = TransferCodingCheck()
    /// The number of bytes of the body that have been received.
    var receivedByteCount = 0
    /// The length of the body in bytes. Nil if the length is unknown, or if the body is not delivered as an image.
    var expectedByteCount: Int?
    /// The time at which the transfer thread ends the exchange; nil while the thread does not check the time.
    ///
    /// The thread limits the time for an unwanted body. It also checks the transfer's time limit after the first pause,
    /// because libcurl's own clock does not stop during a pause.
    var deadline: ContinuousClock.Instant?
    /// Whether the exchange is in the thread's list of exchanges whose readers must be woken.
    var isNoted = false
    /// Whether the exchange has ended. After the end, the handle may be gone, or in use by another exchange.
    var isOver = false
    /// Whether ``HeldBodies`` has stopped this transfer from receiving.
    var isHeldBack = false

    /// The received head that has not been given to the reader yet.
    private var pendingHead: ReceivedHead?
    /// The received bytes that have not been given to the reader yet.
    private var pending = Data()
    /// An upper bound for the number of bytes that the reader has been given but has not taken yet.
    private var unread = 0
    /// The start of the current pause; nil if the transfer is not paused.
    private var pauseBegin: ContinuousClock.Instant?
    /// The total time of earlier pauses; nil before the first pause.
    private var pausedTime: Duration?

    init(_ transfer: CurlTransfer, _ handle: CurlHandle, on thread: CurlThread, at now: ContinuousClock.Instant) {
        self.transfer = transfer
        self.handle = handle
        self.thread = thread
        (begin, hopBegin) = (now, now)
        address = transfer.request.address
        timeLeft = transfer.request.transferTimeout
    }

    /// Receives a line of the head. Returns its length, or a smaller number to make libcurl end the transfer.
    func receiveHeader(_ line: UnsafeBufferPointer<CChar>) -> Int {
        headerByteCount += line.count
        guard headerByteCount <= Self.headerLimit else {
            plan = .refuse(tooManyHeaders)
            return 0
        }
        guard !hasHead else { return receiveLateLine(line) }
        // This check must be made at once and for every head, because libcurl also decodes the bodies of informational
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

    /// Receives a line after the end of the head, such as a trailer. The result has the same meaning as that of
    /// ``receiveHeader(_:)``.
    private func receiveLateLine(_ line: UnsafeBufferPointer<CChar>) -> Int {
        guard line.starts(with: Self.statusLineStart) else { return line.count }
        // A second response begins: libcurl repeats the request by itself if an HTTP/2 connection turns out to need
        // HTTP/1.1. The bytes of the second response would be appended to those of the first.
        switch plan {
        case .undecided, .deliver: plan = .refuse(incomplete)
        case .confirm, .follow, .refuse: break
        }
        return 0
    }

    /// Receives bytes of the body. Returns their number, a smaller number to end the transfer, or
    /// `CURL_WRITEFUNC_PAUSE` to get the same bytes again after a pause.
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

    /// Decides how to treat the response after its head has arrived. Does nothing if this is already decided.
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

    /// Whether the transfer is paused until its reader has taken bytes.
    var isPaused: Bool { pauseBegin != nil }

    /// The number of bytes of the body that libcurl has received but not yet passed on.
    var heldByteCount: Int { max(0, handle.offset(CURLINFO_SIZE_DOWNLOAD_T) - receivedByteCount) }

    /// Makes libcurl stop receiving for the exchange. Returns false if there is no connection yet.
    func stopReceiving() -> Bool { curl_easy_pause(handle.easy, CURLPAUSE_RECV) == CURLE_OK }

    /// Stops the transfer's time limit during a pause. The first call also turns off libcurl's limit, because libcurl's
    /// own clock does not stop during a pause.
    private func stopClock() {
        if pauseBegin == nil { pauseBegin = .now }
        deadline = nil
        thread.notePause(of: self)
        guard pausedTime == nil else { return }
        pausedTime = .zero
        ccurl_set_number(handle.easy, CURLOPT_TIMEOUT_MS, 0)
        thread.watch(self)
    }

    /// Continues the time limit after a pause. Does nothing if the transfer is not paused.
    func startClock() {
        guard let pauseBegin, let before = pausedTime else { return }
        let now = ContinuousClock.now
        let paused = before + pauseBegin.duration(to: now)
        (self.pauseBegin, pausedTime) = (nil, paused)
        deadline = begin + .milliseconds(transfer.request.transferTimeout) + paused
    }

    /// Gives the received data to the reader if the head is complete and the response is accepted.
    func publish() {
        if hasHead { judge() }
        guard pendingHead != nil || !pending.isEmpty else { return }
        let (head, chunk) = (pendingHead, pending)
        (pendingHead, pending) = (nil, Data())
        unread = transfer.put(head, chunk)
    }

    /// Returns the capacity for a buffer whose first `count` bytes have arrived. The capacity is limited so that a
    /// false announcement of the length costs little memory.
    private func capacity(for count: Int) -> Int {
        let left = expectedByteCount.map { max(count, $0 - receivedByteCount) } ?? count
        return min(left, max(count, min(8 * count, CurlTransfer.chunkSize)))
    }
}
#endif
