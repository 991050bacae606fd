/// A loader that forwards requests to a base loader, and can change the requests or observe the results.
///
/// The requirements of ``ImageLoader`` have defaults that forward to the base loader, except for the name, the identity
/// and the ``distinction`` (a text that distinguishes the images of this loader from those of similar loaders). The
/// following loader fetches a header for each load:
///
/// ```swift
/// struct SigningLoader: ForwardingImageLoader {
///     let base: any ImageLoader
///     let session: Session
///     var distinction: String { session.userID }
///
///     @concurrent func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
///         var headers = request.context[.httpHeaders]
///         headers["Authorization"] = "Bearer \(try await session.token())"
///         return try await base.load(request.adding([.httpHeaders(headers)]), into: sink)
///     }
/// }
/// ```
///
/// The values that the loader adds are not part of the identity of a request, so all requests to one loader share its
/// images. The ``distinction`` is part of the identity, and therefore has no default. If a manager serves several
/// users, use one loader for each user, and set it with an ``OptionsProcessor`` or in the request.
public protocol ForwardingImageLoader: ImageLoader {
    /// The loader to which calls are forwarded.
    var base: any ImageLoader { get }

    /// The text that distinguishes the images of this loader from those of other loaders with the same base, for
    /// example the name of a user. Empty if all these loaders load the same images.
    ///
    /// The text must not change when tokens change. See ``ImageLoader/distinction``.
    var distinction: String { get }
}

extension ForwardingImageLoader {
    /// Unavailable. A forwarding loader may change requests, so it must define its own
    /// ``ForwardingImageLoader/distinction``.
    @available(*, unavailable, message: "return a text that distinguishes the images, or an empty text if nothing does")
    public var distinction: String { "" }

    /// The name of this loader, the identity of the base loader in parentheses, and the distinction.
    public var identity: String {
        let forwarded = "\(name)(\(base.identity.escaping("()")))"
        return distinction.isEmpty ? forwarded : "\(forwarded) \(distinction)"
    }
    public var queuesLoads: Bool { base.queuesLoads }
    public func canLoad(_ request: LoadRequest) -> Bool { base.canLoad(request) }

    public func requestField(_ name: String, for request: LoadRequest) -> String? {
        base.requestField(name, for: request)
    }

    public func version(of request: LoadRequest, mayWait: Bool) -> SourceVersion {
        base.version(of: request, mayWait: mayWait)
    }

    @concurrent public func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
        try await base.load(request, into: sink)
    }
}

extension ImageLoader {
    /// The ``distinction`` texts of the loader and of its base loaders, joined, the outermost loader first.
    var distinctions: String {
        var names = [distinction]
        var loader: any ImageLoader = self
        while let forwarding = loader as? any ForwardingImageLoader {
            loader = forwarding.base
            names.append(loader.distinction)
        }
        return names.filter { !$0.isEmpty }.map(\.identityEscaped).joined(separator: ";")
    }
}
