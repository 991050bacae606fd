#if HTTP
/// The numbers of transfers under way below which a transfer begins.
struct TransferLimits: Sendable, Equatable {
    /// The number in all; at least 1.
    let total: Int
    /// The number to the same host, which is a scheme, a name and a port; at least 1.
    let perHost: Int

    /// Limits; a number below 1 counts as 1.
    init(total: Int, perHost: Int) {
        self.total = max(1, total)
        self.perHost = max(1, perHost)
    }

    /// The limits of a request, and those of the loader where the request has none.
    init(_ request: HTTPRequest, _ configuration: CurlImageLoader.Configuration) {
        self.init(
            total: request.maxConcurrentTransfers ?? configuration.maxConcurrentLoads,
            perHost: request.maxConcurrentTransfersPerHost ?? configuration.maxConcurrentLoadsPerHost)
    }
}
#endif
