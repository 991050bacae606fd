#if HTTP
/// A limit on the bytes that libcurl holds for paused transfers. Use it on one thread.
///
/// For a paused transfer with its own connection, libcurl holds at most ``CurlHandle/bufferSize``. From a shared HTTP/2
/// connection, libcurl before 8.1 holds all data that arrives for a paused transfer, up to 32 MiB for each pause.
///
/// If libcurl holds more than ``limit``, transfers of the same origins as the paused ones stop receiving too, until
/// libcurl holds at most half of ``limit``. The time limits of the stopped transfers go on.
struct HeldBodies<Exchange: HoldableExchange> {
    /// The maximum number of bytes that libcurl holds for all paused transfers. A single call to libcurl may exceed it.
    let limit: Int

    private var paused: [ObjectIdentifier: Exchange] = [:]
    private var heldBack: [Exchange] = []

    init(limit: Int) { self.limit = limit }

    /// Adds a paused exchange. Its bytes are counted until its pause ends.
    mutating func add(_ exchange: Exchange) { paused[ObjectIdentifier(exchange)] = exchange }

    /// Removes all exchanges.
    mutating func removeAll() { (paused, heldBack) = ([:], []) }

    /// Stops exchanges from receiving if libcurl holds too many bytes for paused ones. Returns the stopped exchanges
    /// that may receive again.
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
