/// A loader of the bytes of images at URLs.
///
/// The pipeline asks the registered loaders, the newest first, whether they take a request. All methods are called from
/// many tasks at once, and never under a lock. Calls of `load` for different transfers run concurrently. Requests that
/// need the same transfer share one call.
public protocol ImageLoader: Sendable {
    /// The name of the loader in messages, metrics and explanations. Default: the name of its type.
    var name: String { get }

    /// The text that identifies this loader when the context value `imageLoader` sets it. Default: the ``name``,
    /// followed by the ``distinction`` if it is not empty.
    ///
    /// Two loaders with equal identities must return equal bytes for equal requests, because they share transfers and
    /// cache entries. The identity must contain no secrets.
    var identity: String { get }

    /// The text that distinguishes the images of this loader from those of other loaders that take the same requests,
    /// for example the name of a user, or the certificate authorities that the loader trusts. Default: empty, for no
    /// distinction.
    ///
    /// The distinction is part of the identity of the requests that the loader takes, whether the loader is registered
    /// with a manager or set by the context value `imageLoader`. Requests to loaders with different distinctions share
    /// neither loads nor cache entries, even if managers share a cache directory. The distinction must not change while
    /// the loader is in use: create another loader for another user. It is printed and written to disk caches, so it
    /// must not be a secret.
    var distinction: String { get }

    /// Whether the loader itself limits its concurrent loads and starts urgent loads first. Default: false.
    ///
    /// If true, the manager passes every load to the loader without delay. If false, the manager itself limits the
    /// number of concurrent loads, as its ``Concurrency`` states.
    var queuesLoads: Bool { get }

    /// Returns whether this loader takes the request. The method is called often; it must return at once, and decide
    /// from the request alone.
    func canLoad(_ request: LoadRequest) -> Bool

    /// Returns the value of a field that the loader would send with the request, such as `Accept`.
    ///
    /// A server may have chosen a cached response by such fields (`Vary`). The cached response is then used only for
    /// requests for which this method returns the same value. A loader that sets ``LoadHead/caching`` must return the
    /// same value here as it passed to that record.
    ///
    /// The method must return at once, using only the request and the loader's own settings. The value must not change
    /// during a load of the request: otherwise the result of the load would be stored under a value that was never
    /// sent.
    ///
    /// Caches store a digest of the value, and a short value can be guessed from its digest. Secrets belong in a
    /// context key that affects ``ContextEffects/stored``. For a field with a secret value, return a text that only
    /// says that the field is sent.
    /// - Parameters:
    ///   - name: The name of the field, in lower case.
    ///   - request: The request.
    /// - Returns: The value; nil if the field would not be sent. Default: nil.
    func requestField(_ name: String, for request: LoadRequest) -> String?

    /// Returns the version of the data that the request would load now, such as the version of a file
    /// (``SourceVersion/file(at:mayWait:)``). Default: `unversioned`.
    ///
    /// The version is part of the identity of a request. Requests for different versions share neither loads nor cache
    /// entries, so that a changed image is loaded again. The version is not part of the identity of the source, so
    /// removing a source removes all its versions.
    ///
    /// The method is called for each request, even if the image is in memory, except for the schemes `http`, `https`
    /// and `data`.
    /// - Parameters:
    ///   - request: The request. ``canLoad(_:)`` has returned true for it, unless the context value `imageLoader` sets
    ///     the loader.
    ///   - mayWait: Whether the method may wait for a device or a network. If false, the method must return at once,
    ///     because it may run on the thread that made the request. Return `unknown` if the version is not known without
    ///     waiting.
    func version(of request: LoadRequest, mayWait: Bool) -> SourceVersion

    /// Loads the data of a request, and passes the bytes to `sink` as they arrive.
    ///
    /// Call `sink.begin` once before the first byte, then `sink.write` for each piece in order. Both return when there
    /// is room for more bytes, so awaiting them applies back-pressure. Alternatively, pass a ``ByteSource`` to
    /// `sink.take` instead of writing.
    ///
    /// Do not catch the errors of the sink: they mean that the remaining bytes are not needed. Stop soon after the task
    /// is cancelled. Do not block: run blocking calls on a ``Lane``, and check the ``Job`` in long ones.
    ///
    /// A loader that opens network connections must obey ``AddressPolicy``, and a loader that follows redirects must
    /// call ``LoadRequest/shouldFollowRedirect(to:)``.
    ///
    /// A loader may request another image from the manager that called this method. While the loader waits for that
    /// image, its own load does not count as one of the concurrent loads. The loader must not request the image that it
    /// is loading, or an image that waits for this load: such a request throws `loadFailed`, unless it uses only
    /// caches.
    /// - Returns: `.complete` after the last byte. `.notModified` if the request's validators are still valid. In this
    ///   case, write no bytes; calling `sink.begin` is optional. `.image` to return pixels instead of bytes.
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
