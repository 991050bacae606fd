#if HTTP
import CCurlShim
import Calotype

/// A transfer under way: libcurl's handle of it, and what was made of the answer so far. Stays on the loader's thread.
///
/// Redirects are followed here and not by libcurl, so that each hop is judged, and headers stay with whom they are for.
final class CurlExchange {
    /// The treatment of an answer.
    enum Plan {
        /// There is none yet.
        case undecided
        /// Its body is the image.
        case deliver
        /// The answer confirms the copy at hand.
        case confirm
        /// The answer is a redirect.
        indirect case follow(HTTPAddress)
        /// The answer is not what was requested.
        indirect case refuse(ImageError)
    }

    /// Bodies that nobody wants are received up to this length and time, so that their connection can be used again.
    static let drainLimit = 64 << 10
    static let drainTime = Duration.milliseconds(500)
    /// The headers of an answer may be as long as this together.
    static let headerLimit = 256 << 10

    /// The status that another protocol follows. Nobody asked for one, so that it is an answer as any other.
    private static let switchingProtocols = 101
    /// The beginning of an answer's first line, which no field has.
    private static let statusLineStart = "HTTP/".utf8.map { CChar(bitPattern: $0) }

    let transfer: CurlTransfer
    var handle: CurlHandle
    unowned let thread: CurlThread

    /// The time at which the transfer's turn came, later by its waits since then for turns at other origins.
    var begin: ContinuousClock.Instant
    /// The time at which the request went to its present address.
    var hopBegin: ContinuousClock.Instant
    /// The milliseconds that were left then.
    var timeLeft: Int
    var address: HTTPAddress
    /// Whether it was sent on to another origin, so that headers and credentials are no longer for whom it goes to.
    var isForeign = false
    var redirectCount = 0
    /// Whether the request goes through a proxy.
    var isProxied = false
    /// Whether the address policy has refused an address of the host, and whether it has allowed one.
    var hasRefusedAddress = false
    var hasAllowedAddress = false
    /// The headers that libcurl reads while it sends.
    var headerList: HeaderList?

    var plan = Plan.undecided
    /// Whether the last header has come.
    var hasHead = false
    var headerByteCount = 0
    /// The head of the answer, as far as it has come; nothing once that has been judged.
    var lines = HeaderLines()
    private var codings = TransferCodingCheck()
    /// Bytes of the body so far, and in all if that is known.
    var receivedByteCount = 0
    var expectedByteCount: Int?
    /// The time until which the exchange may go on, if the thread watches over it: with the rest of a body that is not
    /// wanted, and after a pause. Nil in a pause.
    var deadline: ContinuousClock.Instant?
    /// Whether it stands in the thread's list of those whose readers are to be told.
    var isNoted = false
    /// Whether it has ended, and the handle is gone, or used by others.
    var isOver = false
    /// Whether libcurl was told to receive nothing for it, because it holds too much of others on its connection.
    var isHeldBack = false

    /// A head and bytes that the reader cannot see yet.
    private var pendingHead: ReceivedHead?
    private var pending = Data()
    /// The most that the reader can have left unread.
    private var unread = 0
    /// Since when it has been paused, and for how long it was before.
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

    /// Takes a line of the head, the empty one at its end included. Returns less than its length to end the transfer.
    func receiveHeader(_ line: UnsafeBufferPointer<CChar>) -> Int {
        headerByteCount += line.count
        guard headerByteCount <= Self.headerLimit else {
            plan = .refuse(tooManyHeaders)
            return 0
        }
        guard !hasHead else { return receiveLateLine(line) }
        // At once, and in any head: libcurl would undo the codings of an early answer and of a redirect too.
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
            // An answer that comes before the answer.
            lines.removeAll()
            return line.count
        }
        hasHead = true
        thread.note(self)
        guard status == Self.switchingProtocols else { return line.count }
        // What follows is not HTTP any more: there is no rest to be waited for, and no connection to be kept.
        judge()
        return 0
    }

    /// Takes a line that comes when the head is there, as those behind a body do. They say nothing that is looked at.
    private func receiveLateLine(_ line: UnsafeBufferPointer<CChar>) -> Int {
        guard line.starts(with: Self.statusLineStart) else { return line.count }
        // Another answer: libcurl asks again by itself where a connection of HTTP/2 turns out to want HTTP/1.1. The
        // bytes of both would be joined.
        switch plan {
        case .undecided, .deliver: plan = .refuse(incomplete)
        case .confirm, .follow, .refuse: break
        }
        return 0
    }

    /// Takes bytes of the body. Returns less than their number to end the transfer, or what makes libcurl keep them and
    /// pause.
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

    /// Decides what to do with the answer, as soon as its head is there. Doing so twice is no error.
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

    /// Whether it is paused until its reader has made room.
    var isPaused: Bool { pauseBegin != nil }

    /// The bytes of the body that libcurl has received and not handed on.
    var heldByteCount: Int { max(0, handle.offset(CURLINFO_SIZE_DOWNLOAD_T) - receivedByteCount) }

    /// Makes libcurl receive nothing for it. Returns false where it has no connection yet and so cannot be told.
    func stopReceiving() -> Bool { curl_easy_pause(handle.easy, CURLPAUSE_RECV) == CURLE_OK }

    /// Stops the time that the transfer may take, since its reader takes it now. From the first time on the thread
    /// watches over it: libcurl's goes on in a pause.
    private func stopClock() {
        if pauseBegin == nil { pauseBegin = .now }
        deadline = nil
        thread.notePause(of: self)
        guard pausedTime == nil else { return }
        pausedTime = .zero
        ccurl_set_number(handle.easy, CURLOPT_TIMEOUT_MS, 0)
        thread.watch(self)
    }

    /// Lets the time go on. Does nothing where it was not stopped.
    func startClock() {
        guard let pauseBegin, let before = pausedTime else { return }
        let now = ContinuousClock.now
        let paused = before + pauseBegin.duration(to: now)
        (self.pauseBegin, pausedTime) = (nil, paused)
        deadline = begin + .milliseconds(transfer.request.transferTimeout) + paused
    }

    /// Lets the reader see what has arrived, once it is decided what is done with it.
    func publish() {
        if hasHead { judge() }
        guard pendingHead != nil || !pending.isEmpty else { return }
        let (head, chunk) = (pendingHead, pending)
        (pendingHead, pending) = (nil, Data())
        unread = transfer.put(head, chunk)
    }

    /// Returns the number of bytes to allocate when the first bytes come: as many as follow, but never much more than
    /// there are, since a length that is merely claimed must cost nothing.
    private func capacity(for count: Int) -> Int {
        let left = expectedByteCount.map { max(count, $0 - receivedByteCount) } ?? count
        return min(left, max(count, min(8 * count, CurlTransfer.chunkSize)))
    }
}
#endif
