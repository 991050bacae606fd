/// A transformer that needs other images, such as a watermark or a mask.
///
/// The images are loaded through the manager before the request's own image is looked for. Their versions are part of
/// the cache key, so that a new watermark makes new images. They are loaded under the request's policies, with its
/// priority and its cache. Values that decide pixels, such as thumbnail sizes and transformers, do not apply to them, and
/// values that can contain secrets, such as headers, apply only to images of the same origin as the request's own.
///
/// An image that cannot be loaded makes the request fail. The images must not need the request's own image in turn, for
/// example because an ``OptionsProcessor`` adds the transformer to all requests.
public protocol ComposingTransformer: Transformer {
    /// The URLs of the images that are needed. The ``Transformer/key`` contains the absolute text of each URL.
    var sources: [URL] { get }

    /// Returns the transformed image.
    ///
    /// The rules of ``Transformer/transform(_:context:)`` apply.
    /// - Parameter others: The images of ``sources``, in the same order, upright. Of an animation, use the first frame.
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

    /// Returns the transformer with the images of its sources. The key contains their versions.
    package func prepared(with others: [Image]) -> any Transformer { PreparedTransformer(self, with: others) }

    /// Returns the key without secrets: URLs have no credentials.
    fileprivate func withoutSecrets(_ key: String) -> String {
        sources.reduce(key) { $0.replacing($1.absoluteString, with: $1.redacted) }
    }
}

extension Transformer {
    /// The key without secrets, for messages.
    var shownKey: String {
        switch self {
        case let step as any ComposingTransformer: step.withoutSecrets(key)
        case let step as PreparedTransformer: step.base.withoutSecrets(key)
        default: key
        }
    }

    /// The key as a part of an identity.
    var identityText: IdentityText {
        let key = key
        return IdentityText(full: key, shown: shownKey, exact: key)
    }
}
