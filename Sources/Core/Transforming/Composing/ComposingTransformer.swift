/// A transformer that needs other images, such as a watermark or a mask.
///
/// The images are loaded through the manager before the request's own image is looked for. Digests of their contents
/// are part of the cache key, so that a new watermark makes new images. Credentials in their URLs are not.
///
/// The images are loaded with the values of the request and its priority, except for these values:
/// - Values that decide pixels, such as thumbnail sizes and transformers, do not apply, nor does
///   ``ContextKey/refreshCached``. An ``OptionsProcessor`` can set such values for the URL of an image.
/// - Values of the request that contain secrets, such as headers, apply only to images of the same origin.
///
/// An image that cannot be loaded makes the request fail. The images must not need the request's own image in turn, for
/// example because an ``OptionsProcessor`` adds the transformer to all requests.
public protocol ComposingTransformer: Transformer {
    /// The URLs of the images that are needed. The ``Transformer/key`` contains the absolute text of each URL.
    var sources: [URL] { get }

    /// Returns the transformed image.
    ///
    /// The rules of ``Transformer/transform(_:context:)`` apply.
    /// - Parameter others: The images of ``sources``, in the same order. Of an animation, use the first frame.
    func transform(_ image: Image, with others: [Image], context: TransformContext) throws -> Image
}

extension ComposingTransformer {
    /// Throws `transformFailed`: only a manager can load the images that the transformer needs.
    public func transform(_ image: Image, context: TransformContext) throws -> Image {
        throw ImageError(
            .transformFailed, stage: .transform, component: shownKey,
            message: "its images are not loaded",
            advice: "transform through a manager, or call `transform(_:with:context:)` with the images")
    }

    /// Returns the transformer with the images of its sources. The key contains digests of their contents.
    /// - Parameter job: Checked for each row of an image whose digest is not known yet.
    package func prepared(with others: [Image], job: Job) throws(ImageError) -> any Transformer {
        try PreparedTransformer(self, with: others, job: job)
    }

    /// The key with the URLs of the images as they are shown, without credentials.
    fileprivate var redactedKey: String {
        // A URL can be the beginning of another one.
        let sources = sources.sorted { $0.absoluteString.utf8.count > $1.absoluteString.utf8.count }
        return sources.reduce(key) { $0.replacing($1.absoluteString, with: $1.redacted) }
    }
}

extension Transformer {
    /// The key without secrets, for messages.
    var shownKey: String {
        switch self {
        case let step as any ComposingTransformer: step.redactedKey
        case let step as PreparedTransformer: step.base.redactedKey
        default: key
        }
    }
}
