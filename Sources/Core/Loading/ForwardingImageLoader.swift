/// A loader that forwards to another one, and changes its requests or looks at their results.
///
/// Every requirement of ``ImageLoader`` but the name has a default that forwards. This loader fetches a header for each load:
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
/// Added values are part of no identity of a request. The ``distinction`` is, whether the loader is registered with a
/// manager or set by the context value `imageLoader`: requests to loaders with different distinctions share neither
/// loads nor cache entries, also if managers share a cache folder. All requests to one loader share its images. If a
/// manager serves several users, an ``OptionsProcessor`` or the request sets the loader of each.
public protocol ForwardingImageLoader: ImageLoader {
    /// The loader that does the work.
    var base: any ImageLoader { get }

    /// The name that distinguishes the loader from others of its type with the same base, for example the name of a
    /// user; empty if all of them load the same pictures.
    ///
    /// The name stays the same while tokens change, and for as long as requests use the loader: another user gets
    /// another loader. Read for each request, so it returns at once. It is printed and written to disk caches, so it
    /// must not be a secret.
    var distinction: String { get }
}

extension ForwardingImageLoader {
    /// The name, the other loader's identity in brackets, and the distinction.
    public var identity: String {
        let forwarded = "\(name)(\(base.identity))"
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
        var names: [String] = []
        var loader: any ImageLoader = self
        while let forwarding = loader as? any ForwardingImageLoader {
            let name = forwarding.distinction
            if !name.isEmpty { names.append(name.identityEscaped) }
            loader = forwarding.base
        }
        return names.joined(separator: ";")
    }
}
