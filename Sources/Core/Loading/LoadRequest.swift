/// A request to a loader.
public struct LoadRequest: Sendable {
    /// The URL to load.
    public var url: URL
    /// The values in force: a loader reads its own keys here.
    public var context: ResolvedContext
    /// The validators of an older copy. A loader that can asks whether it still holds, and answers `.notModified`.
    public var validators: Validators?
    /// The number of bytes of the same version that are already there; 0 for none. A loader that can begins there, and
    /// says in ``LoadHead/offset`` where it really began.
    public var resumeOffset: Int
    /// The demand of the load's waiters; nil for a request that a loader is given directly.
    var demand: Demand?
    /// Asks the manager's delegate whether a redirect may be followed; nil if there is none to ask.
    var redirectApproval: (@Sendable (_ url: URL) async throws -> Bool)?

    /// A request for the whole of a URL unless told.
    public init(
        url: URL, context: ResolvedContext = .builtIn, validators: Validators? = nil, resumeOffset: Int = 0
    ) {
        self.url = url
        self.context = context
        self.validators = validators
        self.resumeOffset = resumeOffset
    }

    /// Returns the request with `context` over its values.
    public func adding(_ context: ImageContext) -> LoadRequest {
        var request = self
        request.context = self.context.adding(.processor, context)
        return request
    }

    /// The current urgency of the load, which is that of its most urgent waiter.
    public var priority: Priority { demand?.priority ?? context[.priority] }

    /// Whether there is a delegate to ask about redirects: if not, ``shouldFollowRedirect(to:)`` always returns true.
    public var needsRedirectApproval: Bool { redirectApproval != nil }

    /// Returns whether the load may follow a redirect, which is what the manager's delegate says. A loader that follows
    /// redirects calls it for each of them, once it has found that its own rules allow it, and throws
    /// `redirectRefused` when it returns false.
    ///
    /// Throws `CancellationError` when the task is cancelled.
    /// - Parameter url: Where the server redirects to: absolute, and without user and password.
    public func shouldFollowRedirect(to url: URL) async throws -> Bool { try await redirectApproval?(url) ?? true }

    /// Calls `body` with the ``priority``, now and at each change, until what is returned goes. It is called on
    /// whatever thread the change happened, never under a lock, and must return soon. Nil if nothing can change.
    public func observePriority(_ body: @escaping @Sendable (Priority) -> Void) -> PriorityObservation? {
        demand.map { PriorityObservation(of: $0, body) }
    }
}
