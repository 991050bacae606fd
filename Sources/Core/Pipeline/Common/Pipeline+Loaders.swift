/// The choice of the loader for a request, and the facts that the loader provides before a load.
extension Pipeline {
    /// Returns the version of the data that a request would load now, according to its loader.
    func version(of loadRequest: LoadRequest, mayWait: Bool) -> SourceVersion {
        let loader = loadRequest.context[.imageLoader] ?? registry.loaders.elements.first { $0.canLoad(loadRequest) }
        return loader?.version(of: loadRequest, mayWait: mayWait) ?? .unversioned
    }

    /// Returns the ``ImageLoader/distinction`` of the registered loader that takes a URL. Returns an empty text if the
    /// context sets a loader, because the identity of that loader is already part of the request's identity.
    func distinction(of url: URL, _ context: ResolvedContext) -> String {
        guard context[.imageLoader] == nil else { return "" }
        let loadRequest = LoadRequest(url: url, context: context)
        return registry.loaders.elements.first { $0.canLoad(loadRequest) }?.distinctions ?? ""
    }

    /// Returns the loader that takes a request. Throws if the ``ImageLoader/distinction`` of the registered loader has
    /// changed since the request was resolved.
    ///
    /// A program may replace a loader while a request waits, for example when its user signs out. Data of the next user
    /// must not be stored for the former one.
    func loader(for loadRequest: LoadRequest, _ resolved: ResolvedRequest) throws(ImageError) -> any ImageLoader {
        let loader = try loader(for: loadRequest)
        guard loadRequest.context[.imageLoader] == nil, !loader.distinctions.isSame(as: resolved.distinction) else {
            return loader
        }
        throw ImageError(
            .loadFailed, stage: .load, component: loader.name,
            message: "the loader was replaced by one with another distinction while the request waited",
            advice: "send the request again")
    }

    /// Returns the loader that takes a request. Throws `noLoader` if there is none.
    func loader(for loadRequest: LoadRequest) throws(ImageError) -> any ImageLoader {
        if let loader = loadRequest.context[.imageLoader] { return loader }
        var refusals = RefusalList()
        for loader in registry.loaders.elements {
            if loader.canLoad(loadRequest) { return loader }
            refusals.add(loader.name, "does not support it")
        }
        let scheme = loadRequest.url.scheme.map { "the scheme '\($0)'" } ?? "a URL without a scheme"
        throw ImageError(
            .noLoader, stage: .load, message: "no loader supports \(scheme); \(refusals.summary)",
            advice: "install a plugin that loads such URLs")
    }
}
