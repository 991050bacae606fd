/// Writes images in one format. Called on the lane for encoding, from several threads at once.
public protocol ImageEncoder: Sendable {
    /// Whether it writes animations. Default: no; then it is given stills alone.
    var writesAnimations: Bool { get }

    /// The whole file for `image`. Throws when the format cannot hold it, or as `job` says.
    ///
    /// Embeds `options.metadata` and, if `options.embedsProfile`, the profile, where the format has room for them. A
    /// profile that the format refuses is left out, and reported to `options.onIssue`: the picture is written. The
    /// image's own metadata and orientation are of no concern here. The manager has made the image as large and as
    /// animated as the request wants it, and calls again with another quality where the file is too long.
    func encode(_ image: Image, options: EncodeOptions, job: Job) throws -> Data
}

extension ImageEncoder {
    public var writesAnimations: Bool { false }
}
