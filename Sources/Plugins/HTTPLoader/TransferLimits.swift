#if HTTP
/// The concurrency limits of a transfer. It begins when fewer transfers are in progress.
struct TransferLimits: Sendable, Equatable {
    /// The maximum number in total; at least 1.
    let total: Int
    /// The maximum number for the same scheme, host and port; at least 1.
    let perHost: Int

    /// Creates limits. A number below 1 counts as 1.
    init(total: Int, perHost: Int) {
        self.total = max(1, total)
        self.perHost = max(1, perHost)
    }

    /// Creates the limits of a request, with those of the loader as defaults.
    init(_ request: HTTPRequest, _ configuration: CurlImageLoader.Configuration) {
        self.init(
            total: request.maxConcurrentTransfers ?? configuration.maxConcurrentLoads,
            perHost: request.maxConcurrentTransfersPerHost ?? configuration.maxConcurrentLoadsPerHost)
    }
}
#endif
