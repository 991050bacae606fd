#if HTTP
/// The bodies that libcurl holds while their transfers are paused, within a limit.
///
/// A paused transfer with a connection of its own holds at most ``CurlHandle/bufferSize``: libcurl reads no more from
/// that connection, and the server waits. A connection of HTTP/2 is read for as long as any of its transfers goes on.
/// What then arrives for a paused one is held by libcurl before 8.1: up to 32 MiB for each pause, and a transfer that
/// comes to 64 MiB fails. So, once more than ``limit`` is held in all, the transfers that share the connections of
/// those bodies receive nothing either, until half of it has been taken. That time counts as theirs. Used by one
/// thread.
struct HeldBodies<Exchange: HoldableExchange> {
    /// The most bytes that libcurl holds for all paused transfers of a loader, but for what one call brings.
    let limit: Int

    private var paused: [ObjectIdentifier: Exchange] = [:]
    private var heldBack: [Exchange] = []

    init(limit: Int) { self.limit = limit }

    /// Adds an exchange that pauses until its reader has made room.
    mutating func add(_ exchange: Exchange) { paused[ObjectIdentifier(exchange)] = exchange }

    /// Forgets all exchanges.
    mutating func removeAll() { (paused, heldBack) = ([:], []) }

    /// Returns the exchanges that may receive again; an empty list as a rule. Holds others back where too much is held.
    /// - Parameter exchanges: All exchanges under way.
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
            // One that has no connection yet cannot be told, and is in the next round.
            guard exchange.stopReceiving() else { continue }
            exchange.isHeldBack = true
            heldBack.append(exchange)
        }
    }
}
#endif
