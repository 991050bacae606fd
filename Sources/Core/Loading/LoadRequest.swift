/// A request that the manager passes to a loader.
public struct LoadRequest: Sendable {
    /// The URL to load.
    public var url: URL
    /// The resolved context values of the request, including the keys of the loader.
    public var context: ResolvedContext
    /// The validators of an older copy of the data, such as one in a cache; nil if there is none. A loader that
    /// supports validators asks the source whether the copy is still valid, and returns `.notModified` if it is.
    public var validators: Validators?
    /// The number of bytes that the caller already has of the version that ``validators`` identifies; 0 for none. A
    /// loader that can resume a load begins at this offset. Every loader states the offset at which it began in
    /// ``LoadHead/offset``.
    public var resumeOffset: Int
    /// The combined demand of the requests that wait for the load; nil if no manager made the request.
    var demand: Demand?
    /// A closure that asks the delegate whether a redirect may be followed; nil if there is no delegate.
    var redirectApproval: (@Sendable (_ url: URL) async throws -> Bool)?

    /// Creates a request for a URL. By default, the whole image is loaded, with built-in context values.
    public init(
        url: URL, context: ResolvedContext = .builtIn, validators: Validators? = nil, resumeOffset: Int = 0
    ) {
        self.url = url
        self.context = context
        self.validators = validators
        self.resumeOffset = resumeOffset
    }

    /// Returns the request with `context` added. The values in `context` take precedence over those of the request.
    public func adding(_ context: ImageContext) -> LoadRequest {
        var request = self
        request.context = self.context.adding(.processor, context)
        return request
    }

    /// The current priority of the load: that of the most urgent request that waits for it.
    public var priority: Priority { demand?.priority ?? context[.priority] }

    /// Whether a delegate decides about redirects. If false, ``shouldFollowRedirect(to:)`` always returns true.
    public var needsRedirectApproval: Bool { redirectApproval != nil }

    /// Returns whether the load may follow a redirect, as decided by the delegate. Throws `CancellationError` if the
    /// task is cancelled.
    ///
    /// A loader that follows redirects calls this method for each redirect, after its own rules have allowed the
    /// redirect. If the method returns false, the loader must throw `redirectRefused`.
    /// - Parameter url: The target of the redirect: an absolute URL without user and password.
    public func shouldFollowRedirect(to url: URL) async throws -> Bool { try await redirectApproval?(url) ?? true }

    /// Observes the ``priority`` until the returned observation is released. Returns nil if the priority cannot change.
    /// - Parameter body: A closure that is called with the current priority at once, and with the new priority after
    ///   each change. The first call is made on the current thread, later calls on the thread that changes the
    ///   priority. The closure is never called under a lock, and must return soon.
    public func observePriority(_ body: @escaping @Sendable (Priority) -> Void) -> PriorityObservation? {
        demand.map { PriorityObservation(of: $0, body) }
    }
}
