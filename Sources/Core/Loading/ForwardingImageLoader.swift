/// A loader that forwards to another one, and changes its requests or looks at their results.
///
/// All requirements of ``ImageLoader`` have defaults that forward, except the name, the identity and the distinction.
/// This loader fetches a header for each load:
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
/// Added values are part of no identity of a request. The ``distinction`` is, which has no default for that reason. All
/// requests to one loader share its images. If a manager serves several users, an ``OptionsProcessor`` or the request
/// sets the loader of each.
public protocol ForwardingImageLoader: ImageLoader {
    /// The loader that does the work.
    var base: any ImageLoader { get }

    /// The text that tells the images of this loader from those of others with the same base, for example the
    /// name of a user; empty if all of them load the same images. It stays the same while tokens change. See
    /// ``ImageLoader/distinction``.
    var distinction: String { get }
}

extension ForwardingImageLoader {
    /// There is no default: a loader that changes requests says for whom.
    @available(*, unavailable, message: "return what distinguishes the images, or an empty text for nothing")
    public var distinction: String { "" }

    /// The name, the other loader's identity in brackets, and the distinction.
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
    /// The distinctions of the loader and of those that do its work, the outermost first, as one text; empty if there
    /// are none.
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
