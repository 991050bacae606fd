/// An event of a running task.
///
/// Every task ends with exactly one `.finished`, or by throwing one `ImageError`.
@nonexhaustive
public enum ImageEvent: Sendable {
    /// The progress of the load. It starts again at zero bytes when a failed load is retried. A slow listener receives
    /// only the latest progress.
    case progress(LoadProgress)
    /// A preview to show until the image is available, if the request asks for previews or placeholders. A slow
    /// listener receives only the latest preview.
    case preview(Image, PreviewKind)
    /// The cached image. The event is sent before the source is asked whether this image is still valid. It occurs only
    /// for requests with ``ContextKey/refreshCached``, at most once.
    case cached(ImageResponse)
    /// The final image. It is the last event.
    case finished(ImageResponse)
}
