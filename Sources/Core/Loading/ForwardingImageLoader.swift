/// A loader that has another one do the work, and adds something to its requests or looks at what they bring.
///
/// Everything is handed on that is not implemented anew. A header that is fetched for each load:
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
/// What is added so is part of no identity of a request, only the ``distinction`` is, and only where the loader is set
/// by the context value `imageLoader`: two with different distinctions then share neither loads nor cache entries. All
/// who share a manager that the loader is registered with share what it brings. Where users of one loader differ, let
/// an ``OptionsProcessor`` set the value, or the request.
public protocol ForwardingImageLoader: ImageLoader {
    /// The loader that does the work.
    var base: any ImageLoader { get }

    /// The name that distinguishes the loader from others of its type with the same base, such as that of the user
    /// whose pictures it loads. It stays the same while tokens change, and is empty if all of them load the same
    /// pictures. It is printed and written to disk caches, so it must not be a secret.
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
