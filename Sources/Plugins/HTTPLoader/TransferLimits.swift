#if HTTP
/// The concurrency limits of one transfer. The transfer begins only when the number of transfers in progress is below
/// the limit, both in total and for its host.
struct TransferLimits: Sendable, Equatable {
    /// The maximum number of concurrent transfers in total, at least 1.
    let total: Int
    /// The maximum number of concurrent transfers with the same scheme, host and port, at least 1.
    let perHost: Int

    /// Creates limits. Values below 1 count as 1.
    init(total: Int, perHost: Int) {
        self.total = max(1, total)
        self.perHost = max(1, perHost)
    }

    /// Creates the limits of a request. The configuration of the loader supplies each limit that the request does
    /// not set.
    init(_ request: HTTPRequest, _ configuration: CurlImageLoader.Configuration) {
        self.init(
            total: request.maxConcurrentTransfers ?? configuration.maxConcurrentLoads,
            perHost: request.maxConcurrentTransfersPerHost ?? configuration.maxConcurrentLoadsPerHost)
    }
}
#endif
