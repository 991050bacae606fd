#if HTTP
import CCurlShim
import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The thread that runs all transfers of a loader: its loop and its state.
///
/// A reader is usually woken at the end of a round of the loop. It is woken earlier when a full chunk of data has
/// arrived for it (``CurlTransfer/chunkSize``).
final class CurlThread {
    private let engine: CurlEngine
    private let multi: UnsafeMutableRawPointer
    private var queue: LoadQueue<CurlTransfer>
    private var exchanges: [ObjectIdentifier: CurlExchange] = [:]
    /// The redirects of transfers that wait in the queues of their new origins, keyed by the transfers.
    private var detours: [ObjectIdentifier: CurlExchange.Detour] = [:]
    private var heldBodies: HeldBodies<CurlExchange>
    /// The maximum number of idle connections that are kept for later requests.
    private var keptConnectionCount: Int
    private var idleHandles = IdleHandles<CurlHandle>()
    /// The path of the file with the certificates that are trusted by default; nil for the system's certificates.
    private let authorities: String?
    private let hostAddresses: [String]
    private var headerLists = HeaderListCache()
    /// The origins whose connections are known to support several transfers at once, as with HTTP/2.
    private var sharingOrigins: Set<HTTPOrigin> = []
    private static let mostSharingOrigins = 1000
    /// The exchanges whose readers are woken at the end of the round.
    private var noted: [CurlExchange] = []
    /// The exchanges whose deadlines the thread checks.
    private var watched: [CurlExchange] = []
    /// Whether the current round is an extra one, which sends the requests of new transfers before readers are woken.
    private var isSending = false

    /// Creates the state of the thread. Call this on the thread itself.
    init(_ engine: CurlEngine) {
        self.engine = engine
        let configuration = engine.configuration
        multi = engine.multi
        authorities = configuration.certificateAuthorities?.path(percentEncoded: false)
        hostAddresses = configuration.hostAddresses
        heldBodies = HeldBodies(limit: configuration.heldByteLimit)
        queue = LoadQueue(order: configuration.order)
        keptConnectionCount = max(configuration.maxConcurrentLoads, Self.leastKeptConnections)
        keepConnections()
    }

    private static let leastKeptConnections = 8

    private func keepConnections() {
        ccurl_multi_set_number(multi, CURLMOPT_MAXCONNECTS, min(keptConnectionCount, Int(Int32.max)))
    }

    /// Runs the loop until the engine stops.
    func run() {
        blockPipeSignals()
        while takeTurn() != nil {
            var count: Int32 = 0
            let status = curl_multi_perform(multi, &count)
            endCompleted()
            endOverdue()
            boundHeldBodies()
            guard status == CURLM_OK else {
                giveUp(status)
                continue
            }
            guard let turn = takeTurn() else { break }
            // New transfers send their requests before readers are woken, so that the server works in the meantime.
            // Readers wait for one round at most.
            isSending = turn == .started && !isSending
            if isSending { continue }
            tellReaders()
            // The effects of a command are processed in another round before the thread sleeps.
            if turn == .idle, engine.fallAsleep(activeCount: queue.activeCount, isFull: queue.isFull) { sleep() }
        }
        for exchange in exchanges.values {
            curl_multi_remove_handle(multi, exchange.handle.easy)
            exchange.handle.exchange = nil
        }
        (exchanges, noted, watched) = ([:], [], [])
        idleHandles.removeAll()
        heldBodies.removeAll()
        engine.retire()
        curl_multi_cleanup(multi)
    }

    /// Makes the thread wake an exchange's reader at the end of the round.
    func note(_ exchange: CurlExchange) {
        guard !exchange.isNoted else { return }
        exchange.isNoted = true
        noted.append(exchange)
    }

    /// Returns whether connections to an origin are known to support several transfers at once.
    func sharesConnections(to origin: HTTPOrigin) -> Bool { origin.isSecure && sharingOrigins.contains(origin) }

    /// Updates ``sharingOrigins`` after a request of the exchange has ended.
    private func noteSharing(_ exchange: CurlExchange, _ code: CURLcode) {
        let origin = exchange.address.origin
        guard origin.isSecure else { return }
        guard code == CURLE_OK, exchange.handle.number(CURLINFO_HTTP_VERSION) == CURL_HTTP_VERSION_2_0 else {
            sharingOrigins.remove(origin)
            return
        }
        if sharingOrigins.count >= Self.mostSharingOrigins { sharingOrigins = [] }
        sharingOrigins.insert(origin)
    }

    /// Starts counting the bytes that libcurl holds for a paused exchange. The counting stops when the pause ends.
    func notePause(of exchange: CurlExchange) { heldBodies.add(exchange) }

    /// Adds an exchange to those whose deadlines are checked, until it ends.
    func watch(_ exchange: CurlExchange) { watched.append(exchange) }

    private func obey(_ command: CurlEngine.Command) {
        switch command {
        case .add(let transfer):
            // The transfer may have been cancelled already.
            guard let priority = transfer.wantedPriority else { return }
            queue.add(
                transfer, origin: transfer.request.address.origin, priority: priority, limits: transfer.limits)
        case .cancel(let transfer):
            guard !queue.remove(transfer) else {
                detours[ObjectIdentifier(transfer)] = nil
                return
            }
            guard let exchange = exchanges[ObjectIdentifier(transfer)] else { return }
            curl_multi_remove_handle(multi, exchange.handle.easy)
            release(exchange)
            queue.end(transfer)
        case .resume(let transfer):
            guard let exchange = exchanges[ObjectIdentifier(transfer)] else { return }
            exchange.startClock()
            let code = curl_easy_pause(exchange.handle.easy, CURLPAUSE_CONT)
            if code != CURLE_OK { end(exchange, code) }
        case .follow(let transfer, to: let target):
            guard let exchange = exchanges[ObjectIdentifier(transfer)], case .follow(let address) = exchange.plan,
                address.url.isSame(as: target.url)
            else { return }
            follow(exchange, to: address)
        case .leave(let transfer):
            queue.end(transfer)
        case .prioritize(let transfer):
            queue.setPriority(transfer.priority, of: transfer)
        }
    }

    /// The result of processing commands and starting transfers.
    private enum Turn {
        /// No command was posted, and no transfer started.
        case idle
        /// Commands were processed, and no transfer started.
        case obeyed
        /// At least one transfer started.
        case started
    }

    /// Processes all posted commands, then starts waiting transfers as far as the limits allow. With this order, a new
    /// urgent transfer can start before others. Returns nil if the thread must end.
    private func takeTurn() -> Turn? {
        guard let commands = engine.nextCommands() else { return nil }
        for command in commands { obey(command) }
        var turn = commands.isEmpty ? Turn.idle : .obeyed
        while let transfer = queue.next() {
            start(transfer)
            turn = .started
        }
        return turn
    }

    private func start(_ transfer: CurlTransfer) {
        let now = ContinuousClock.now
        let detour = detours.removeValue(forKey: ObjectIdentifier(transfer))
        if detour == nil { transfer.begin(at: now) }
        if transfer.limits.total > keptConnectionCount {
            keptConnectionCount = transfer.limits.total
            keepConnections()
        }
        do throws(ImageError) {
            let handle = try takeHandle(for: transfer.request)
            let exchange = CurlExchange(transfer, handle, on: self, at: now)
            if let detour { try exchange.take(detour, at: now) }
            try exchange.setOptions(&headerLists)
            try add(exchange)
            handle.exchange = exchange
            exchanges[ObjectIdentifier(transfer)] = exchange
        } catch {
            if transfer.end(.failure(error)) { queue.end(transfer) }
            transfer.wake()
        }
    }

    /// Returns an idle or new handle that trusts the same authorities as the request.
    func takeHandle(for request: HTTPRequest) throws(ImageError) -> CurlHandle {
        let authorities = request.certificateAuthorities ?? self.authorities
        if let handle = idleHandles.take(trusting: authorities) { return handle }
        return try CurlHandle(authorities: authorities, hostAddresses: hostAddresses)
    }

    private func add(_ exchange: CurlExchange) throws(ImageError) {
        let status = curl_multi_add_handle(multi, exchange.handle.easy)
        guard status != CURLM_OK else { return }
        throw Self.failure(status)
    }

    /// Ends the exchanges that libcurl has completed.
    private func endCompleted() {
        var count: Int32 = 0
        while let message = curl_multi_info_read(multi, &count) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
            guard let exchange = CurlHandle.exchange(of: ccurl_context(easy)) else { continue }
            end(exchange, message.pointee.data.result)
        }
    }

    /// Ends the exchanges whose deadlines have passed.
    private func endOverdue() {
        guard !watched.isEmpty else { return }
        let now = ContinuousClock.now
        for exchange in watched where exchange.deadline.map({ $0 <= now }) ?? false {
            end(exchange, exchange.overdueCode)
        }
    }

    /// Finishes a request, then follows its redirect, asks the reader to approve the redirect, or ends the exchange.
    private func end(_ exchange: CurlExchange, _ code: CURLcode) {
        // An exchange that waits for the approval of its redirect receives nothing, and must not be ended a second
        // time.
        exchange.isHeldBack = false
        noteSharing(exchange, code)
        let next = exchange.next(after: code)
        curl_multi_remove_handle(multi, exchange.handle.easy)
        if !watched.isEmpty { watched.removeAll { $0 === exchange } }
        switch next {
        case .follow(let address):
            guard exchange.transfer.request.needsRedirectApproval else { return follow(exchange, to: address) }
            exchange.transfer.ask(from: exchange.address, to: address)
            note(exchange)
        case .end(let result):
            finish(exchange, result)
        }
    }

    /// Follows a redirect. If the new origin has reached its limit of transfers, the transfer waits in the queue first.
    private func follow(_ exchange: CurlExchange, to address: HTTPAddress) {
        let transfer = exchange.transfer
        guard queue.move(transfer, to: address.origin, priority: transfer.priority) else {
            detours[ObjectIdentifier(transfer)] = exchange.detour(to: address)
            release(exchange)
            return
        }
        do throws(ImageError) {
            try exchange.follow(address, &headerLists)
            try add(exchange)
        } catch {
            finish(exchange, .failure(error))
        }
    }

    private func finish(_ exchange: CurlExchange, _ result: Result<LoadOutcome, ImageError>) {
        let isPlaceFree = exchange.transfer.end(result, exchange.metrics)
        note(exchange)
        release(exchange)
        if isPlaceFree { queue.end(exchange.transfer) }
    }

    /// Stops or resumes receiving so that the bytes that libcurl holds for paused transfers stay within the limit.
    private func boundHeldBodies() {
        for exchange in heldBodies.update(among: exchanges.values) where exchange.isHeldBack {
            exchange.isHeldBack = false
            let code = curl_easy_pause(exchange.handle.easy, CURLPAUSE_CONT)
            if code != CURLE_OK { end(exchange, code) }
        }
    }

    /// Removes an ended exchange, and makes its handle available to other transfers if handles can be reused.
    private func release(_ exchange: CurlExchange) {
        exchange.isOver = true
        exchanges[ObjectIdentifier(exchange.transfer)] = nil
        if !watched.isEmpty { watched.removeAll { $0 === exchange } }
        exchange.handle.exchange = nil
        if CurlHandle.canBeUsedAgain { idleHandles.add(exchange.handle, trusting: exchange.handle.authorities) }
    }

    private func tellReaders() {
        for exchange in noted {
            exchange.isNoted = false
            if !exchange.isOver { exchange.publish() }
            exchange.transfer.wake()
        }
        noted.removeAll(keepingCapacity: true)
    }

    /// Waits for network activity, for a command, or for the earliest deadline.
    private func sleep() {
        var timeout = Int32.max
        if let end = watched.lazy.compactMap(\.deadline).min() {
            let left = ContinuousClock.now.duration(to: end).milliseconds
            timeout = Int32(min(max(left.rounded(.up), 1), Double(timeout)))
        }
        let status = curl_multi_poll(multi, nil, 0, timeout, nil)
        if status != CURLM_OK { giveUp(status) }
    }

    /// Ends all transfers in progress after a failure of libcurl. Waits briefly, because the failure may repeat.
    private func giveUp(_ status: CURLMcode) {
        for exchange in exchanges.values {
            exchange.publish()
            curl_multi_remove_handle(multi, exchange.handle.easy)
            if case .confirm = exchange.plan {
                finish(exchange, .success(.notModified))
            } else {
                finish(exchange, .failure(Self.failure(status)))
            }
        }
        tellReaders()
        poll(nil, 0, 10)
    }

    private static func failure(_ status: CURLMcode) -> ImageError {
        ImageError(
            .loadFailed, stage: .load,
            message: "libcurl cannot continue: \(String(cString: curl_multi_strerror(status)))",
            advice: "try again; check the limits on memory and file descriptors if this happens often")
    }

    /// Blocks `SIGPIPE`, so that writing to a closed connection returns an error instead of ending the process.
    private func blockPipeSignals() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
#endif
