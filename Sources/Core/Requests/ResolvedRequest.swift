/// The meaning of a request for a manager: the values in force and the identities that follow from them.
///
/// A resolved is made once for each request, state of the manager, list of registered loaders and version of a local
/// file. It is kept with the request, so that a hit in memory pays for one look-up.
final class ResolvedRequest: Sendable {
    /// The state of the manager that this was made in.
    let stateID: UInt64
    /// The URL in its normal form: what a loader is asked for does not depend on the first request.
    let url: URL
    let context: ResolvedContext
    /// Whether a loader is asked for the version of what the URL leads to.
    let mayHaveVersion: Bool
    /// The version that the loader told when this was made.
    let version: SourceVersion
    /// The distinction of the registered loader; empty for none.
    let distinction: String
    /// The number of changes of the list of registered loaders when this was made.
    let loaderChangeCount: Int
    /// The context before the options processor ran.
    let mergedContext: ResolvedContext
    let transfer: TransferID
    let variant: VariantKey
    /// The canonical text of the values that change what is decoded, transformers not included.
    let decoding: String
    let transformers: [any Transformer]
    let cache: (any ImageCache)?
    /// The cache of the original, which is the request's own where the variant is the original itself.
    let cacheOfOriginal: (any ImageCache)?
    /// Whether the original's image, as a plain request decodes it, can be cut to what this request decodes.
    let decodesPlainly: Bool
    /// Whether what is decoded can turn out to be just what a plain request decodes: nothing but its size, and what is
    /// beside its pixels, may differ.
    let mayBeOriginalAgain: Bool
    /// The listeners of the request's events.
    let listeners: Listeners
    let scale: Double
    /// Whether a hit in memory may answer.
    let queriesMemory: Bool
    /// Whether that is all there is to it.
    let endsInMemory: Bool
    /// Whether the source is asked even though a cache has the image.
    let isRefreshed: Bool
    /// Whether a larger picture in memory may.
    let takesLarger: Bool

    /// The part of a resolved that does not depend on the version of the bytes at the URL: all that options
    /// processors and key filters influence.
    struct Basis: Sendable {
        /// The URL as the request has it.
        let url: URL
        let normalizedURL: URL
        let layers: [(ContextLayer, ImageContext)]
        let mergedContext: ResolvedContext
        let context: ResolvedContext
        /// The distinction of the registered loader that takes the URL; empty for none.
        let distinction: String
        /// The number of changes of the list of registered loaders.
        let loaderChangeCount: Int
        let source: SourceKey

        /// Calls the options processor and the key filter.
        /// - Parameters:
        ///   - loaderChangeCount: How often the list of registered loaders had changed before the call.
        ///   - tellDistinction: What distinguishes the registered loader that takes a URL with such values.
        init(
            url: URL, layers: [(ContextLayer, ImageContext)], loaderChangeCount: Int = 0,
            tellDistinction: (URL, ResolvedContext) -> String = { _, _ in "" }
        ) throws(ImageError) {
            self.url = url
            self.layers = layers
            self.loaderChangeCount = loaderChangeCount
            normalizedURL = url.normalized
            mergedContext = ResolvedContext(layers: layers)
            context = try ResolvedRequest.processed(mergedContext, url: url)
            try context.checkScheme(of: normalizedURL)
            distinction = tellDistinction(normalizedURL, context)
            source = try ResolvedRequest.source(of: url, context: context)
        }

        /// The version of what the URL leads to.
        /// - Parameter tellVersion: The version of what the loader of a request would bring now.
        func version(_ tellVersion: (LoadRequest) -> SourceVersion) -> SourceVersion {
            guard normalizedURL.mayHaveLocalVersion else { return .unversioned }
            return tellVersion(LoadRequest(url: normalizedURL, context: context))
        }
    }

    /// The meaning of a request whose URL leads to something unversioned.
    /// - Parameter channels: The ways to the listeners of the manager.
    convenience init(
        url: URL, layers: [(ContextLayer, ImageContext)], stateID: UInt64, channels: EventChannels
    ) throws(ImageError) {
        self.init(
            try Basis(url: url, layers: layers), version: .unversioned, stateID: stateID, channels: channels)
    }

    /// - Parameter channels: The ways to the listeners of the manager.
    init(_ basis: Basis, version: SourceVersion, stateID: UInt64, channels: EventChannels) {
        let (url, layers, source) = (basis.url, basis.layers, basis.source)
        self.stateID = stateID
        self.url = basis.normalizedURL
        mergedContext = basis.mergedContext
        context = basis.context
        mayHaveVersion = self.url.mayHaveLocalVersion
        self.version = version
        distinction = basis.distinction
        loaderChangeCount = basis.loaderChangeCount
        let versionDigest = version.digest
        let policy = context.identity(of: .stored)
            .adding(.user, url.userIdentity)
            .adding(.distinction, IdentityText(distinction))
            .adding(.version, versionDigest.map { IdentityText($0) })
        let transforming = ContextKey.transformers.declaration
        let decoding = context.identity(of: .pixels, ignoring: Self.idleEffects(in: context), except: [transforming])
        self.decoding = decoding.full
        transformers = context[.transformers]
        let steps = transformers.map(\.key.identityEscaped)
        let variantText = steps.isEmpty ? decoding : decoding.map { ([$0] + steps).joined(separator: "|") }
        variant = VariantKey(source: source, policy: policy, variant: variantText)
        transfer = TransferID(url: url, context: context, distinction: distinction, version: versionDigest)
        cache = context[.imageCache]
        cacheOfOriginal = variant.isOriginal ? cache : context[.originalImageCache] ?? cache
        decodesPlainly =
            context.identity(
                of: .pixels, ignoring: [.size, .shape, .resampling, .frameSelection],
                except: [transforming, ContextKey.frame.declaration]
            ).isEmpty
        // Leaving out frames costs less than writing the others anew.
        mayBeOriginalAgain =
            transformers.isEmpty
            && context.identity(
                of: .pixels, ignoring: [.size, .shape, .resampling, .frameSelection],
                except: [ContextKey.allowPartial.declaration, ContextKey.keepsMetadata.declaration]
            ).isEmpty
        var listeners = Listeners(layers.map(\.1), through: channels)
        let listening = context.entry(of: ContextKey.eventListener.declaration)
        if let listening, listening.layer == .processor { listeners.add(listening.setting, through: channels) }
        self.listeners = listeners
        scale =
            context.layer(of: .scaleFactor) == .builtIn ? url.scaleFactorOfName ?? 1 : max(1, context[.scaleFactor])
        queriesMemory = !context[.fromLoaderOnly] && context[.queryCacheType].contains(.memory)
        isRefreshed = context[.refreshCached] && !context[.fromLoaderOnly] && !context[.fromCacheOnly]
        endsInMemory = queriesMemory && !isRefreshed && !context[.queryMemoryData]
        takesLarger =
            context[.allowLargerCached] && context[.thumbnailPixelSize] != nil && context[.preservesAspectRatio]
            && transformers.isEmpty
    }

    /// The URL as it may be shown.
    var shownURL: String { url.redacted(showing: context[.harmlessParameters]) }

    /// Returns the effects that change no pixels, since the picture is left as large as it is, keeps its shape in any
    /// case, or is a single frame.
    static func idleEffects(in context: ResolvedContext) -> ContextEffects {
        var idle: ContextEffects = context[.frame] == nil ? [] : .frameSelection
        if context[.thumbnailPixelSize] == nil {
            idle.formUnion(context[.scaleDownLimitBytes] > 0 ? .shape : [.shape, .resampling])
        }
        return idle
    }

    /// Whether the URL leads to the same version still, and the same loaders are registered.
    /// - Parameters:
    ///   - loaderChangeCount: How often the list of registered loaders has changed by now.
    ///   - tellVersion: As above.
    func isUpToDate(loaderChangeCount: Int, tellVersion: (LoadRequest) -> SourceVersion) -> Bool {
        guard loaderChangeCount == self.loaderChangeCount else { return false }
        return !mayHaveVersion || tellVersion(LoadRequest(url: url, context: context)) == version
    }

    /// Whether making it calls client code, which may take its time.
    static func needsUserCode(_ layers: [(ContextLayer, ImageContext)]) -> Bool {
        let context = ResolvedContext(layers: layers)
        return context[.optionsProcessor] != nil || context[.cacheKeyFilter] != nil
    }

    private static func processed(_ merged: ResolvedContext, url: URL) throws(ImageError) -> ResolvedContext {
        guard let processor = merged[.optionsProcessor] else { return merged }
        do {
            let changes = try processor.process(merged, for: url)
            return changes.isEmpty ? merged : merged.adding(.processor, changes)
        } catch {
            throw ImageError.wrapping(
                error, as: .processorFailed, stage: .resolve, component: typeName(of: processor),
                message: "the options processor threw an error"
            ).about(url.redacted)
        }
    }

    private static func source(of url: URL, context: ResolvedContext) throws(ImageError) -> SourceKey {
        func key(_ text: String) -> SourceKey {
            let names = context[.harmlessParameters]
            return SourceKey(text, shown: names.isEmpty ? nil : Redaction(showing: names).text(of: text))
        }
        guard let filter = context[.cacheKeyFilter] else { return key(url.keyText) }
        do {
            return key(try filter.key(for: url, context: context) ?? url.keyText)
        } catch {
            throw ImageError.wrapping(
                error, as: .processorFailed, stage: .resolve, component: typeName(of: filter),
                message: "the cache key filter threw an error"
            ).about(url.redacted)
        }
    }
}
