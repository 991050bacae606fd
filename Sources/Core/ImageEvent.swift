/// An event of a running task.
///
/// Every task ends with exactly one `.finished`, or by throwing one `ImageError`.
@nonexhaustive
public enum ImageEvent: Sendable {
    /// More bytes have arrived. A slow listener gets the latest alone.
    case progress(LoadProgress)
    /// Something to show until the image is there, when the request asks for it. A slow listener gets the latest alone.
    case preview(Image, PreviewKind)
    /// The image in the cache, before the source is asked whether it is still valid, if the request asks for that
    /// (``ContextKey/refreshCached``). At most once.
    case cached(ImageResponse)
    /// The image. Nothing follows.
    case finished(ImageResponse)
}
