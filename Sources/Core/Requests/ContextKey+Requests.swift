extension ContextKey where Value == Duration? {
    /// The maximum duration of a request.
    public static let timeout = ContextKey(
        "timeout", summary: "The maximum duration of the request, from its start to its image; none: no limit.")
}

extension ContextKey where Value == Bool {
    /// Whether previews of the picture are shown while its bytes arrive.
    public static let progressiveLoad = ContextKey(
        "progressiveLoad", summary: "Show previews of the picture while its bytes arrive.")
}

extension ContextKey where Value == Duration {
    /// The minimum time between two previews.
    public static let previewInterval = ContextKey(
        "previewInterval", default: .milliseconds(100), in: .zero...Duration.seconds(3600),
        summary: "The minimum time between two previews.")
}

extension ContextKey where Value == Double {
    /// The factor by which the number of bytes must grow between two previews.
    public static let previewGrowth = ContextKey(
        "previewGrowth", default: 1, in: 1...1000,
        summary: "The factor by which the bytes must grow from one preview to the next; 1: any growth.")
    /// The number of pixels per point of the delivered image.
    public static let scaleFactor = ContextKey(
        "scaleFactor", default: 1, in: 1...100,
        summary: "The number of pixels per point of the image, at least 1; unset: that of the file name (`@2x`).")
}

extension ContextKey where Value == (any OptionsProcessor)? {
    /// The processor that makes the last changes to the context of a request.
    public static let optionsProcessor = ContextKey(
        component: "optionsProcessor", isKeptByImages: false,
        summary: "The processor that changes a request's context last.")
}

extension ContextKey where Value == (any EventListener)? {
    /// The listener that receives the events of a request.
    public static let eventListener = ContextKey(
        component: "eventListener", tellsSettingsApart: true, isKeptByImages: false,
        summary: "The listener that receives each step, and failures that do not stop a request.")
}

extension ContextSetting {
    /// Shows previews of the picture while its bytes arrive: see ``ImageEvent/preview(_:_:)``. Default: off.
    public static var progressiveLoad: ContextSetting { .on(.progressiveLoad) }
    /// Sets the minimum time between two previews. Default: 0.1 seconds. A preview is shown only if the number of bytes
    /// has also grown by the factor that ``previewGrowth(_:)`` sets.
    public static func previewInterval(_ time: Duration) -> ContextSetting { .set(.previewInterval, to: time) }
    /// Sets the factor, at least 1, by which the number of bytes must grow from one preview to the next. With 1, the
    /// default, one more byte is enough. With 2, there are few previews, however large the file is.
    public static func previewGrowth(_ factor: Double) -> ContextSetting { .set(.previewGrowth, to: max(1, factor)) }
    /// Sets the maximum duration of the request, from its start to its image. Default: no limit.
    public static func timeout(_ time: Duration) -> ContextSetting { .set(.timeout, to: time) }
    /// Sets the number of pixels per point of the delivered image, at least 1. Default: the scale in the file name
    /// (`cat@2x.png`), or 1 if the name contains none. `.off(.scaleFactor)` sets 1 regardless of the file name.
    public static func scaleFactor(_ factor: Double) -> ContextSetting { .set(.scaleFactor, to: max(1, factor)) }
    /// Sets the processor that makes the last changes to the request's context. Default: none.
    public static func optionsProcessor(_ processor: any OptionsProcessor) -> ContextSetting {
        .set(.optionsProcessor, to: processor)
    }
    /// Sets the listener that receives the events of the request: each step, and each failure that does not stop the
    /// request. The listener is called on its own queue, so that no request waits for it. Default: none.
    public static func eventListener(_ listener: any EventListener) -> ContextSetting {
        .set(.eventListener, to: listener)
    }
}

extension ContextDeclaration {
    /// The declarations of the context keys that concern a request as a whole.
    static let requests: [ContextDeclaration] = [
        ContextKey.timeout.declaration, ContextKey.progressiveLoad.declaration,
        ContextKey.previewInterval.declaration, ContextKey.previewGrowth.declaration,
        ContextKey.scaleFactor.declaration, ContextKey.optionsProcessor.declaration,
        ContextKey.eventListener.declaration,
    ]
}
