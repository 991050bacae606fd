/// A request to a loader.
public struct LoadRequest: Sendable {
    /// The URL to load.
    public var url: URL
    /// The values in force. A loader reads its own keys here.
    public var context: ResolvedContext
    /// The validators of an older copy. A loader that supports them asks whether the copy is still valid, and returns
    /// `.notModified` if so.
    public var validators: Validators?
    /// The number of bytes of the same version that are already present; 0 for none. A loader that supports this begins
    /// there, and states in ``LoadHead/offset`` where it actually began.
    public var resumeOffset: Int
    /// The demand of the load's waiters; nil for a request that is passed directly to a loader.
    var demand: Demand?
    /// The function that asks the manager's delegate whether a redirect may be followed; nil if there is no delegate.
    var redirectApproval: (@Sendable (_ url: URL) async throws -> Bool)?

    /// Creates a request for a URL, by default for the whole of it.
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

    /// The current priority of the load, which is that of its most urgent waiter.
    public var priority: Priority { demand?.priority ?? context[.priority] }

    /// Whether there is a delegate to ask about redirects. If not, ``shouldFollowRedirect(to:)`` always returns true.
    public var needsRedirectApproval: Bool { redirectApproval != nil }

    /// Returns whether the load may follow a redirect, which the manager's delegate decides. A loader that follows
    /// redirects calls it for each of them, after its own rules have allowed it, and throws `redirectRefused` if it
    /// returns false.
    ///
    /// Throws `CancellationError` when the task is cancelled.
    /// - Parameter url: The URL that the server redirects to: absolute, and without user and password.
    public func shouldFollowRedirect(to url: URL) async throws -> Bool { try await redirectApproval?(url) ?? true }

    /// Calls `body` with the ``priority``, now and at each change, until the returned observation is released. `body`
    /// is called on the thread of the change, never under a lock, and must return soon. Returns nil if the priority
    /// cannot change.
    public func observePriority(_ body: @escaping @Sendable (Priority) -> Void) -> PriorityObservation? {
        demand.map { PriorityObservation(of: $0, body) }
    }
}
