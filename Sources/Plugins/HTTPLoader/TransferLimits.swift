#if HTTP
/// The concurrency limits of one transfer. The transfer begins only while fewer transfers are in progress than the
/// limits permit.
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

    /// Creates the limits of a request. The configuration supplies the limits that the request does not set.
    init(_ request: HTTPRequest, _ configuration: CurlImageLoader.Configuration) {
        self.init(
            total: request.maxConcurrentTransfers ?? configuration.maxConcurrentLoads,
            perHost: request.maxConcurrentTransfersPerHost ?? configuration.maxConcurrentLoadsPerHost)
    }
}
#endif
