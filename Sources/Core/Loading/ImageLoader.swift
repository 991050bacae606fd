/// A loader that gets an image's bytes from the location of a URL.
///
/// The pipeline asks the registered loaders, the newest first. All methods are called from many tasks at once and never
/// under a lock. Calls for different transfers run concurrently; a transfer is loaded once, however many requests want
/// it.
public protocol ImageLoader: Sendable {
    /// The name in messages, metrics and explanations. Default: the type's name.
    var name: String { get }

    /// The text that distinguishes this loader from others that are set with the context value `imageLoader`. Two
    /// loaders with equal identities must return equal bytes for equal requests: they share transfers and cache
    /// entries. It must contain no secrets. Default: the name and the distinction.
    var identity: String { get }

    /// The text that distinguishes the images of this loader from those of others that take the same requests, for
    /// example the name of a user, or the certificate authorities that the loader trusts. Default: empty, for no
    /// distinction.
    ///
    /// It is part of the identity of the requests that the loader takes, whether it is registered with a manager or set
    /// by the context value `imageLoader`: requests to loaders with different distinctions share neither loads nor
    /// cache entries, also if managers share a cache directory. It must not change while the loader is in use: create
    /// another loader for another user. It is printed and written to disk caches, so it must not be a secret.
    var distinction: String { get }

    /// Whether the loader itself limits its concurrent loads, and prefers urgent ones. If so, the manager passes it all
    /// loads; otherwise no more at once than its ``Concurrency`` allows. Default: false.
    var queuesLoads: Bool { get }

    /// Returns whether this loader takes the request. It is called often, and must answer at once, from the request
    /// alone.
    func canLoad(_ request: LoadRequest) -> Bool

    /// Returns the value of a field that the loader would send with the request, such as `Accept`.
    ///
    /// A server may have chosen a cached response by such fields (`Vary`). The response is then not used for a loader
    /// that sends another value. A loader that sets ``LoadHead/caching`` must return the same value here as it passed
    /// to that record.
    ///
    /// The method must answer at once, from the request and the loader's own settings. The answer must not change while
    /// a load of the request runs: otherwise its result would be stored under a value that was never sent. A digest of
    /// the value is stored, from which a short value can be guessed. Secrets belong in a key that affects
    /// ``ContextEffects/stored``: return only that such a field is sent, and not its value.
    /// - Parameter name: The name of the field, in lower case.
    /// - Returns: The value; nil if the field would not be sent. Default: nil.
    func requestField(_ name: String, for request: LoadRequest) -> String?

    /// Returns the version of the data that the request would load now, such as the version of a file
    /// (``SourceVersion/file(at:mayWait:)``). Default: `unversioned`.
    ///
    /// The version is part of the identity of requests: requests for two versions share neither loads nor cache
    /// entries, so that an edited picture is loaded again. It is not part of the source, so that removing a source
    /// removes every version. The method is called for each request, even if memory has the image; never for `http`,
    /// `https` and `data`.
    /// - Parameters:
    ///   - request: The request. Its URL has one of the loader's schemes, unless the loader is the request's own.
    ///   - mayWait: Whether the answer may wait for a device or a network. If not, the method is called on the thread
    ///     of the caller, and must answer at once: with `unknown` if it would have to wait.
    func version(of request: LoadRequest, mayWait: Bool) -> SourceVersion

    /// Loads, and passes the bytes to `sink` as they arrive.
    ///
    /// Call `sink.begin` once before the first byte, then `sink.write` for each piece in order; both return when there
    /// is room for more, so awaiting them is the back-pressure. Alternatively, pass a ``ByteSource`` to `sink.take` in
    /// place of writing. Let the errors of the sink through: they mean that no waiter wants the rest. Stop soon after
    /// the task is cancelled. Do not block: run blocking calls on a ``Lane``, and let long ones check its ``Job``.
    ///
    /// A loader that opens network connections must obey ``AddressPolicy``, and one that follows redirects must call
    /// ``LoadRequest/shouldFollowRedirect(to:)``.
    ///
    /// A loader may load something else through the manager that called it, and gives up its place among the loads when
    /// it does. To request the same transfer that it is loading is an error, unless from caches only.
    /// - Returns: `.complete` after the last byte; `.notModified` if the request's validators are still valid and
    ///   nothing was written, with or without a `sink.begin`; `.image` to return pixels instead of bytes.
    @concurrent func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome
}

extension ImageLoader {
    public var name: String { typeName(Self.self) }
    public var identity: String { distinction.isEmpty ? name : "\(name) \(distinction)" }
    public var distinction: String { "" }
    public var queuesLoads: Bool { false }
    public func requestField(_ name: String, for request: LoadRequest) -> String? { nil }
    public func version(of request: LoadRequest, mayWait: Bool) -> SourceVersion { .unversioned }
}
