/// Which loader takes a request, and what it tells of it.
extension Pipeline {
    /// The version of what a request would load now, as its loader tells it.
    /// - Parameter mayWait: Whether the loader may wait for the answer.
    func version(of loadRequest: LoadRequest, mayWait: Bool) -> SourceVersion {
        let loader = loadRequest.context[.imageLoader] ?? registry.loaders.elements.first { $0.canLoad(loadRequest) }
        return loader?.version(of: loadRequest, mayWait: mayWait) ?? .unversioned
    }

    /// Returns the distinction of the registered loader that takes a URL; empty for requests with a loader of their
    /// own, whose identity tells it.
    func distinction(of url: URL, _ context: ResolvedContext) -> String {
        guard context[.imageLoader] == nil else { return "" }
        let loadRequest = LoadRequest(url: url, context: context)
        return registry.loaders.elements.first { $0.canLoad(loadRequest) }?.distinctions ?? ""
    }

    /// The loader that takes a request, of the user for whom the request was resolved.
    ///
    /// A program may replace a registered loader while a request waits, for example when its user signs out. What the
    /// new one brings is another user's, and is not stored as this one's.
    func loader(for loadRequest: LoadRequest, _ resolved: ResolvedRequest) throws(ImageError) -> any ImageLoader {
        let loader = try loader(for: loadRequest)
        guard loadRequest.context[.imageLoader] == nil, !loader.distinctions.isSame(as: resolved.distinction) else {
            return loader
        }
        throw ImageError(
            .loadFailed, stage: .load, component: loader.name,
            message: "a loader with another distinction was registered while the request waited",
            advice: "make the request again")
    }

    /// The loader that takes a loadRequest. Throws `noLoader` with the list of those that passed.
    func loader(for loadRequest: LoadRequest) throws(ImageError) -> any ImageLoader {
        if let loader = loadRequest.context[.imageLoader] { return loader }
        var refusals = RefusalList()
        for loader in registry.loaders.elements {
            if loader.canLoad(loadRequest) { return loader }
            refusals.add(loader.name, "does not take it")
        }
        let scheme = loadRequest.url.scheme.map { "the scheme '\($0)'" } ?? "a URL without a scheme"
        throw ImageError(
            .noLoader, stage: .load, message: "no loader takes \(scheme); \(refusals.summary)",
            advice: "install a plugin that loads it")
    }
}
