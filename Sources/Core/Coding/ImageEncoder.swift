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
    /// Embeds `options.metadata` and the color profile, as far as the format has room for them. The profile is embedded
    /// only if `options.embedsProfile` is true. A profile that the format refuses is left out and reported to
    /// `options.onIssue`, and the picture is still written. The image's own metadata is ignored.
    ///
    /// If ``storesOrientation`` is true, the file stores `image.attributes.orientation`. The EXIF block in
    /// `options.metadata` contains the orientation already, and there is a block whenever the image is not upright. The
    /// manager has brought the image to the size and the frames that the request wants. If the file is too long, the
    /// manager calls this method again with another quality.
    func encode(_ image: Image, options: EncodeOptions, job: Job) throws -> Data
}

extension ImageEncoder {
    public var writesAnimations: Bool { false }
    public var storesOrientation: Bool { false }
}
