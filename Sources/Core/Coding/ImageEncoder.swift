/// Writes images in one format. Called on the lane for encoding, from several threads at once.
public protocol ImageEncoder: Sendable {
    /// Whether it writes animations. Default: no; then it is given stills alone.
    var writesAnimations: Bool { get }

    /// Whether its files say how their pixels are to be turned. Default: false; then the manager turns the pixels, and
    /// every image that is passed to ``encode(_:options:job:)`` is upright.
    var storesOrientation: Bool { get }

    /// Returns the whole file for `image`. Throws when the format cannot hold it, or as `job` says.
    ///
    /// Embeds `options.metadata` and, if `options.embedsProfile`, the profile, where the format has room for them. A
    /// profile that the format refuses is left out, and reported to `options.onIssue`: the picture is written. The
    /// image's own metadata is of no concern here. If ``storesOrientation`` is true, the file says
    /// `image.attributes.orientation`: the EXIF block in `options.metadata` has it already, and there is one whenever
    /// the image is not upright. The manager has made the image as large and as animated as the request wants it, and
    /// calls again with another quality where the file is too long.
    func encode(_ image: Image, options: EncodeOptions, job: Job) throws -> Data
}

extension ImageEncoder {
    public var writesAnimations: Bool { false }
    public var storesOrientation: Bool { false }
}
