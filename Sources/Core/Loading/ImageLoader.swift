/// Gets an image's bytes from where a URL says.
///
/// Asked by the pipeline, the newest registered first. All methods are called from many tasks at once and never under
/// a lock; several calls for different transfers run at the same time, one transfer is loaded once however many want
/// it.
public protocol ImageLoader: Sendable {
    /// The name in messages, metrics and explanations. Default: the type's name.
    var name: String { get }

    /// The text that tells this loader from others that requests name with the context value `imageLoader`. Two loaders
    /// with equal identities get equal bytes for equal requests, and so may share transfers and cache entries. No
    /// secrets. Default: the name and the distinction.
    var identity: String { get }

    /// The text that tells the images of this loader from those of others that take the same requests, for example the
    /// name of a user, or the authorities that the loader trusts. Default: empty, for nothing.
    ///
    /// It is part of the identity of the requests that the loader takes, whether it is registered with a manager or set
    /// by the context value `imageLoader`: requests to loaders with different distinctions share neither loads nor
    /// cache entries, also if managers share a cache directory. It stays the same for as long as the loader is in use:
    /// another user gets another loader. It is printed and written to disk caches, so it must not be a secret.
    var distinction: String { get }

    /// Whether the loader itself bounds how much it does at once, and lets the urgent go first. If so, the manager
    /// gives it all that is wanted; else no more than its ``Concurrency`` says. Default: false.
    var queuesLoads: Bool { get }

    /// Whether this loader takes the request. Called often; must answer at once, from the request alone.
    func canLoad(_ request: LoadRequest) -> Bool

    /// The value of a field that the loader would send with the request, such as `Accept`: by that a server may have
    /// chosen what a cache keeps (`Vary`), so that it is no answer to a loader which says something else. A loader that
    /// gives a ``LoadHead/caching`` says the same here as it has said to that record.
    ///
    /// Must answer at once, from the request and the loader's own settings, and the same for as long as a load of the
    /// request runs: else what that brings would be kept as chosen by what was never said. Of the value a digest is
    /// kept, from which a short one can be guessed: of a secret, which belongs in a key that affects
    /// ``ContextEffects/stored``, say no more than that it is sent.
    /// - Parameter name: Its name, in lower case.
    /// - Returns: Nil if it would not be sent. Default: nothing would.
    func requestField(_ name: String, for request: LoadRequest) -> String?

    /// Returns the version of what a load of the request would bring now, such as the version of a file
    /// (``SourceVersion/file(at:mayWait:)``). Default: `unversioned`.
    ///
    /// The version is part of the identity of requests: requests for two versions share neither loads nor cache
    /// entries, so that a picture that is edited is loaded again. It is no part of the source, so that removing a
    /// source removes every version. Asked whenever a request is made, also where memory has the image; never for
    /// `http`, `https` and `data`.
    /// - Parameters:
    ///   - request: The request. Its URL has one of the loader's schemes, unless the loader is the request's own.
    ///   - mayWait: Whether the answer may wait for a device or a network. If not, the method is called on the thread
    ///     of the caller, and answers at once: with `unknown` where it would have to wait.
    func version(of request: LoadRequest, mayWait: Bool) -> SourceVersion

    /// Loads, handing the bytes to `sink` as they arrive.
    ///
    /// Call `sink.begin` once before the first byte, then `sink.write` for each piece in order; both return when there
    /// is room for more, so awaiting them is the back-pressure. Or hand over a ``ByteSource`` by `sink.take`, in place
    /// of writing. Let through what they throw: it means that no waiter wants the rest. Stop soon after the task is
    /// cancelled. Do not block: blocking calls belong on a ``Lane``, which passes long ones a ``Job`` to be stopped by.
    ///
    /// A loader that opens network connections obeys ``AddressPolicy``, and one that follows redirects asks
    /// ``LoadRequest/shouldFollowRedirect(to:)``.
    ///
    /// It may load something else through the manager that called it, and gives up its place among the loads when it
    /// does. To ask for what it is loading itself is an error, unless from caches alone.
    /// - Returns: `.complete` after the last byte; `.notModified` when the request's validators still hold and nothing
    ///   was written, be it with or without a `sink.begin`; `.image` to hand over pixels instead of bytes.
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
