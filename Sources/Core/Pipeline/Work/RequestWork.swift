/// The work for a request, as passed from stage to stage.
struct RequestWork: Sendable {
    /// The resolved request.
    let request: ResolvedRequest
    /// The waiter for the work: the request's task, or shared work.
    let waiter: any Waiter
    /// The value of ``CacheChanges/count(of:)`` for the request's source when the work began.
    let changeCount: Int

    /// Creates work that begins now.
    init(_ request: ResolvedRequest, for waiter: any Waiter, after changes: CacheChanges) {
        self.init(request, for: waiter, after: changes.count(of: request.variant.source))
    }

    init(_ request: ResolvedRequest, for waiter: any Waiter, after changeCount: Int) {
        self.request = request
        self.waiter = waiter
        self.changeCount = changeCount
    }

    /// The demand of the waiter.
    var demand: Demand { waiter.demand }

    /// Returns the same work for another waiter.
    func awaited(by waiter: any Waiter) -> RequestWork { RequestWork(request, for: waiter, after: changeCount) }

    /// Returns the same work with another ``changeCount``.
    func begun(after changeCount: Int) -> RequestWork { RequestWork(request, for: waiter, after: changeCount) }
}

extension WorkTable {
    /// Returns the value for a key: see ``value(for:waiter:startsHere:onReport:onJoin:body:)``.
    ///
    /// `body` must pass its argument on to later stages instead of `work`: the argument's waiter is the shared work.
    func value(
        for key: Key, _ work: RequestWork, startsHere: Bool = true,
        onReport: ReportReceiver? = nil, onJoin: () -> Void = {},
        body: @escaping @Sendable (RequestWork) async throws -> Value
    ) async throws -> Value {
        try await value(
            for: key, waiter: work.waiter, startsHere: startsHere, onReport: onReport, onJoin: onJoin
        ) { waiter in
            try await body(work.awaited(by: waiter))
        }
    }
}
