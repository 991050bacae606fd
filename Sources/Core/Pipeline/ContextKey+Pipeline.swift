extension ContextKey where Value == Priority {
    /// How urgent the request is.
    public static let priority = ContextKey(
        "priority", default: .normal, summary: "How urgent the request is when it starts.")
}

extension ContextKey where Value == Duration? {
    /// How long a request may take.
    public static let timeout = ContextKey(
        "timeout", summary: "How long the request may take, from its start to its image; none: as long as it takes.")
}

extension ContextKey where Value == Bool {
    /// Whether previews are wanted.
    public static let progressiveLoad = ContextKey(
        "progressiveLoad", summary: "Show the picture while its bytes arrive, as far as they go.")
}

extension ContextKey where Value == Duration {
    /// The time between two previews.
    public static let previewInterval = ContextKey(
        "previewInterval", default: .milliseconds(100), in: .zero...Duration.seconds(3600),
        summary: "How long it takes at least from one preview to the next.")
}

extension ContextKey where Value == Double {
    /// Pixels of a point.
    public static let scaleFactor = ContextKey(
        "scaleFactor", default: 1, in: 1...100,
        summary: "Pixels of a point, at least 1, put on the image when it is delivered.")
}

extension ContextKey where Value == (any OptionsProcessor)? {
    /// What has the last word on the context.
    public static let optionsProcessor = ContextKey(
        component: "optionsProcessor", summary: "What has the last word on a request's context.")
}

extension ContextKey where Value == (any EventListener)? {
    /// Who hears of what happens.
    public static let eventListener = ContextKey(
        component: "eventListener", summary: "Who is told of each step, and of failures that do not stop a request.")
}

extension ContextSetting {
    /// How urgent the request is when it starts. Default: normal.
    public static func priority(_ priority: Priority) -> ContextSetting { .set(.priority, to: priority) }
    /// Show the picture while its bytes arrive, as far as they go: see ``ImageEvent/preview(_:_:)``. Default: off.
    public static var progressiveLoad: ContextSetting { .on(.progressiveLoad) }
    /// How long it takes at least from one preview to the next. Default: a tenth of a second.
    public static func previewInterval(_ time: Duration) -> ContextSetting { .set(.previewInterval, to: time) }
    /// How long the request may take, from its start to its image. Default: as long as it takes.
    public static func timeout(_ time: Duration) -> ContextSetting { .set(.timeout, to: time) }
    /// Pixels of a point, at least 1, put on the image when it is delivered. Default: 1.
    public static func scaleFactor(_ factor: Double) -> ContextSetting { .set(.scaleFactor, to: max(1, factor)) }
    /// What has the last word on a request's context.
    public static func optionsProcessor(_ processor: any OptionsProcessor) -> ContextSetting {
        .set(.optionsProcessor, to: processor)
    }
    /// Who is told of each step, and of failures that do not stop a request.
    public static func eventListener(_ listener: any EventListener) -> ContextSetting {
        .set(.eventListener, to: listener)
    }
}

extension ImageContext {
    /// Limits for bytes that come from strangers, as a server that decodes uploads wants them.
    public static let server: ImageContext = [
        .maxPixels(50_000_000), .maxSidePixels(16_384), .maxInputBytes(64 << 20), .timeout(.seconds(30)),
    ]
}

extension ContextDeclaration {
    /// The keys that Core declares.
    static let builtIn: [ContextDeclaration] = [
        ContextKey.thumbnailPixelSize.declaration, ContextKey.preservesAspectRatio.declaration,
        ContextKey.resamplingFilter.declaration, ContextKey.linearLight.declaration,
        ContextKey.thumbnailQuality.declaration,
        ContextKey.nativeDepth.declaration, ContextKey.keepsOrientation.declaration,
        ContextKey.keepsProfile.declaration, ContextKey.frame.declaration, ContextKey.maxPixels.declaration,
        ContextKey.maxSidePixels.declaration, ContextKey.maxProfileBytes.declaration,
        ContextKey.compressionQuality.declaration, ContextKey.imageCoder.declaration,
        ContextKey.maxInputBytes.declaration, ContextKey.imageLoader.declaration, ContextKey.imageCache.declaration,
        ContextKey.originalImageCache.declaration, ContextKey.queryCacheType.declaration,
        ContextKey.storeCacheType.declaration, ContextKey.originalQueryCacheType.declaration,
        ContextKey.originalStoreCacheType.declaration, ContextKey.fromCacheOnly.declaration,
        ContextKey.fromLoaderOnly.declaration, ContextKey.waitStoreCache.declaration,
        ContextKey.timeToLive.declaration, ContextKey.cacheKeyFilter.declaration,
        ContextKey.cacheSerializer.declaration, ContextKey.transformers.declaration, ContextKey.priority.declaration,
        ContextKey.timeout.declaration, ContextKey.progressiveLoad.declaration,
        ContextKey.previewInterval.declaration, ContextKey.scaleFactor.declaration,
        ContextKey.optionsProcessor.declaration,
        ContextKey.eventListener.declaration,
    ]
}
