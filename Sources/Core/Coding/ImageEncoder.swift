/// An encoder of images in one format. Encoders are called from several threads at once, and may block.
public protocol ImageEncoder: Sendable {
    /// Whether the encoder writes animations. Default: false; then it is given only stills.
    var writesAnimations: Bool { get }

    /// Whether files of the format store an orientation. Default: false; then the manager turns the pixels, and every
    /// image that is passed to ``encode(_:options:job:)`` is upright.
    var storesOrientation: Bool { get }

    /// Returns the whole file for `image`. Throws if the format cannot store the image, or when `job` is cancelled or
    /// times out.
    ///
    /// Embeds `options.metadata` as far as the format has room for it, and the color profile if `options.embedsProfile`
    /// is true. A profile that the format refuses is left out and reported to `options.onIssue`. The image's own
    /// metadata is ignored.
    ///
    /// If ``storesOrientation`` is true, the file stores `image.attributes.orientation`. The EXIF block in
    /// `options.metadata` contains the orientation already, and there is a block whenever the image is not upright. The
    /// manager may call this method several times for an image, with different qualities.
    func encode(_ image: Image, options: EncodeOptions, job: Job) throws -> Data
}

extension ImageEncoder {
    public var writesAnimations: Bool { false }
    public var storesOrientation: Bool { false }
}
