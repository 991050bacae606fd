/// A loader that has another one do the work, and adds something to its requests or looks at what they bring.
///
/// Everything is handed on that is not implemented anew. A header that is fetched for each load:
///
/// ```swift
/// struct SigningLoader: ForwardingImageLoader {
///     let base: any ImageLoader
///     let session: Session
///
///     @concurrent func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
///         var headers = request.context[.httpHeaders]
///         headers["Authorization"] = "Bearer \(try await session.token())"
///         return try await base.load(request.adding([.httpHeaders(headers)]), into: sink)
///     }
/// }
/// ```
///
/// What is added so is part of no identity: all who share the manager share what it brings. Where users differ, let an
/// ``OptionsProcessor`` set the value, or the request.
public protocol ForwardingImageLoader: ImageLoader {
    /// The loader that does the work.
    var base: any ImageLoader { get }
}

extension ForwardingImageLoader {
    /// The name, and the other loader's identity in brackets.
    public var identity: String { "\(name)(\(base.identity))" }
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
