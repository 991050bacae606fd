#if HTTP
/// A limit for the bodies that libcurl holds while their transfers are paused.
///
/// For a paused transfer with its own connection, libcurl holds at most ``CurlHandle/bufferSize``: it stops reading
/// from that connection, which applies back-pressure to the server. libcurl reads an HTTP/2 connection as long as any
/// of its transfers continues. Before 8.1, it holds the data that arrives for a paused transfer: up to 32 MiB for each
/// pause, and a transfer fails at 64 MiB.
///
/// If libcurl holds more than ``limit`` in total, the transfers that share these connections stop receiving too, until
/// half of it has been taken. That time counts toward their time limits. Use it on one thread.
struct HeldBodies<Exchange: HoldableExchange> {
    /// The maximum number of bytes that libcurl holds for all paused transfers of a loader, apart from those of one
    /// call.
    let limit: Int

    private var paused: [ObjectIdentifier: Exchange] = [:]
    private var heldBack: [Exchange] = []

    init(limit: Int) { self.limit = limit }

    /// Adds an exchange that is paused until its reader has made room.
    mutating func add(_ exchange: Exchange) { paused[ObjectIdentifier(exchange)] = exchange }

    /// Removes all exchanges.
    mutating func removeAll() { (paused, heldBack) = ([:], []) }

    /// Returns the exchanges that may receive again, usually none. Stops others from receiving if too much is held.
    /// - Parameter exchanges: All exchanges in progress.
    mutating func update(among exchanges: some Collection<Exchange>) -> [Exchange] {
        guard !paused.isEmpty || !heldBack.isEmpty else { return [] }
        for (id, exchange) in paused where exchange.isOver || !exchange.isPaused { paused[id] = nil }
        let byteCount = paused.values.reduce(0) { $0 + $1.heldByteCount }
        if byteCount > limit {
            holdBack(among: exchanges)
            return []
        }
        guard byteCount <= limit / 2 else { return [] }
        defer { heldBack = [] }
        return heldBack.filter { !$0.isOver && $0.isHeldBack }
    }

    private mutating func holdBack(among exchanges: some Collection<Exchange>) {
        let ownByteCount = min(CurlHandle.bufferSize, limit)
        let growing = paused.values.filter { $0.heldByteCount > ownByteCount }
        let origins = Set(growing.map(\.origin))
        for exchange in exchanges
        where !exchange.isPaused && !exchange.isHeldBack && origins.contains(exchange.origin) {
            // An exchange without a connection cannot be stopped yet; the next round tries again.
            guard exchange.stopReceiving() else { continue }
            exchange.isHeldBack = true
            heldBack.append(exchange)
        }
    }
}
#endif
