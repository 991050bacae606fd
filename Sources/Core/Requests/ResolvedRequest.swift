/// A request with its effective settings, and with the identities by which it shares transfers and cache entries.
///
/// It is kept with the ``ImageRequest``, so that a hit in memory costs one lookup. It becomes invalid if the manager's
/// context, the registered loaders or the version of a local file changes.
final class ResolvedRequest: Sendable {
    /// The number of the manager's state when the request was resolved. It changes with the manager's context.
    let stateID: UInt64
    /// The URL in its normal form, so that a shared load does not depend on the spelling of the first request.
    let url: URL
    let context: ResolvedContext
    /// Whether the data at the URL may have a version. If true, the loader is asked for the version.
    let mayHaveVersion: Bool
    /// The version that the loader returned when the request was resolved.
    let version: SourceVersion
    /// The ``ImageLoader/distinction`` of the registered loader; empty for none.
    let distinction: String
    /// The number of times that the list of registered loaders had changed when the request was resolved.
    let loaderChangeCount: Int
    /// The context before the options processor ran.
    let mergedContext: ResolvedContext
    let transfer: TransferID
    let variant: VariantKey
    /// The canonical text of the values that affect the decoded image, with the transformers that are done while it is
    /// decoded.
    let decoding: String
    let transformers: [any Transformer]
    /// The transformers that are applied to the decoded image: the last ones of ``transformers``.
    let steps: ArraySlice<any Transformer>
    /// The keys of ``steps``.
    let stepKeys: ArraySlice<String>
    /// Whether the transformers apply to stills only.
    let leavesAnimations: Bool
    let cache: (any ImageCache)?
    /// The cache of the original. If the variant is the original itself, this is the request's own cache.
    let cacheOfOriginal: (any ImageCache)?
    /// Whether the request's decoding settings only select frames and change the size. The decoded image can then be
    /// made from an original that was decoded with the default settings.
    let decodesPlainly: Bool
    /// Whether the decoded image may have the same picture as the original.
    let mayBeOriginalAgain: Bool
    /// The listeners of the request's events.
    let listeners: Listeners
    let scale: Double
    /// Whether the memory cache may be asked for the image.
    let queriesMemory: Bool
    /// Whether an image in memory completes the response, so that neither the source nor the stored bytes are needed.
    let endsInMemory: Bool
    /// Whether the source is asked even if a cache has the image.
    let isRefreshed: Bool
    /// Whether a larger picture in the memory cache may be used for the request.
    let takesLarger: Bool

    /// The part of a resolved request that does not depend on the version of the data at the URL.
    struct Basis: Sendable {
        /// The URL of the request as given.
        let url: URL
        let normalizedURL: URL
        let layers: [(ContextLayer, ImageContext)]
        let mergedContext: ResolvedContext
        private(set) var context: ResolvedContext
        /// The ``ImageLoader/distinction`` of the registered loader; empty for none.
        let distinction: String
        /// The number of times that the list of registered loaders had changed before this basis was created.
        let loaderChangeCount: Int
        let source: SourceKey

        /// Creates the basis of a request. Calls the options processor and the key filter.
        /// - Parameter tellDistinction: Returns the ``ImageLoader/distinction`` of the loader for a URL and a context.
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

        /// Returns the basis with other transformers in its context.
        func replacing(_ context: ResolvedContext) -> Basis {
            var basis = self
            basis.context = context
            return basis
        }

        /// Returns the version of the data at the URL. Calls `tellVersion` only if the data may have a version.
        func version(_ tellVersion: (LoadRequest) -> SourceVersion) -> SourceVersion {
            guard normalizedURL.mayHaveLocalVersion else { return .unversioned }
            return tellVersion(LoadRequest(url: normalizedURL, context: context))
        }
    }

    /// Resolves a request whose URL has no version.
    convenience init(
        url: URL, layers: [(ContextLayer, ImageContext)], stateID: UInt64, channels: EventChannels
    ) throws(ImageError) {
        self.init(
            try Basis(url: url, layers: layers), version: .unversioned, stateID: stateID, channels: channels)
    }

    /// Completes the resolution of a request with the version of its data.
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
        let idle = Self.idleEffects(in: context)
        let decoding = context.identity(of: .pixels, ignoring: idle, except: [transforming])
        leavesAnimations = !context[.transformsAnimations] && !context[.transformers].isEmpty
        transformers = context[.transformers]
        let fusion = Fusion(context)
        steps = fusion.rest[...]
        stepKeys = steps.map(\.key)[...]
        let decodedSteps = fusion.decoded.map { $0.key.escaping("|") }
        self.decoding =
            leavesAnimations
            ? context.identity(of: .pixels, ignoring: idle.union(.transforming), except: [transforming]).full
            : ([decoding.full] + decodedSteps).joined(separator: "|")
        let allSteps = transformers.map { $0.key.escaping("|") }
        let variantText = allSteps.isEmpty ? decoding : decoding.map { ([$0] + allSteps).joined(separator: "|") }
        variant = VariantKey(source: source, policy: policy, variant: variantText)
        transfer = TransferID(url: url, context: context, distinction: distinction, version: versionDigest)
        cache = context[.imageCache]
        cacheOfOriginal = variant.isOriginal ? cache : context[.originalImageCache] ?? cache
        decodesPlainly =
            context.identity(
                of: .pixels, ignoring: [.size, .shape, .resampling, .quality, .frameSelection, .transforming],
                except: [transforming, ContextKey.frame.declaration]
            ).isEmpty
        // Selecting frames of the stored original costs less than encoding the selected frames again.
        mayBeOriginalAgain =
            (transformers.isEmpty || leavesAnimations)
            && context.identity(
                of: .pixels, ignoring: [.size, .shape, .resampling, .quality, .frameSelection, .transforming],
                except: [transforming, ContextKey.allowPartial.declaration, ContextKey.keepsMetadata.declaration]
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

    /// The URL without secrets, for messages and events.
    var shownURL: String { url.redacted(showing: context[.harmlessParameters]) }

    /// Returns the members of ``ContextEffects`` that cannot change the pixels of a request with this context.
    static func idleEffects(in context: ResolvedContext) -> ContextEffects {
        var idle: ContextEffects = context[.frame] == nil ? [] : .frameSelection
        if context[.thumbnailPixelSize] == nil {
            idle.formUnion(context[.scaleDownLimitBytes] > 0 ? .shape : [.shape, .resampling, .quality])
            if Fusion(context).resampling != nil { idle.remove(.quality) }
        }
        if context[.transformers].isEmpty { idle.insert(.transforming) }
        return idle
    }

    /// Returns whether the registered loaders and the version of the data are still the same.
    /// - Parameter tellVersion: Returns the version of the data that a request would load now.
    func isUpToDate(loaderChangeCount: Int, tellVersion: (LoadRequest) -> SourceVersion) -> Bool {
        guard loaderChangeCount == self.loaderChangeCount else { return false }
        return !mayHaveVersion || tellVersion(LoadRequest(url: url, context: context)) == version
    }

    /// Returns whether resolving a request calls client code, which may be slow.
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
                message: "the options processor threw an error", advice: "check the context value `optionsProcessor`"
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
                message: "the cache key filter threw an error", advice: "check the context value `cacheKeyFilter`"
            ).about(url.redacted)
        }
    }
}
