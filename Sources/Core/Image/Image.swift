/// Decoded pixels: a still, or an animation with its first frame.
///
/// A value over one shared, immutable storage object: copies cost nothing, and a cache can find the storage again while
/// it is still retained. Pixels are upright, sRGB and straight alpha unless the request asked to keep orientation or
/// profile.
public struct Image: Sendable {
    /// The storage that all copies share.
    final class Storage: Sendable {
        let pixels: PixelBuffer
        let frames: (any FrameSource)?
        let attributes: Attributes
        /// The bytes of memory, computed once: a cache gives back exactly what it has charged for an image.
        let byteCount: Int

        init(pixels: PixelBuffer, frames: (any FrameSource)?, attributes: Attributes) {
            self.pixels = pixels
            self.frames = frames
            self.attributes = attributes
            let (sum, overflow) = (pixels.byteCount + attributes.metadata.byteCount)
                .addingReportingOverflow(frames?.byteCount ?? 0)
            byteCount = overflow ? .max : sum
        }
    }

    /// The properties of an image apart from its pixels: their origin, and how to read them.
    public struct Attributes: Sendable, Hashable {
        /// The format of the file that the pixels were decoded from; nil for pixels made in memory.
        public var format: ImageFormat?
        /// The upright size of the picture in that file, before any thumbnail; nil if there was no file.
        public var originalSize: PixelSize?
        /// The meaning of the pixels' numbers as colors.
        public var profile: ColorProfile
        /// The orientation of the pixels: `.up` unless the request asked to keep them as stored.
        public var orientation: Orientation
        /// Whether part of the picture is missing.
        public var isPartial: Bool
        /// The metadata of the file, unchanged; empty unless the request kept it. `orientation` applies to these
        /// pixels, whatever an EXIF block says.
        public var metadata: ImageMetadata
        /// The version of the source that the pixels were made from; nil if versions cannot be told apart.
        var version: String?
        /// The request fields by which that version was chosen; nil if they do not matter.
        var vary: Vary?

        /// Creates the attributes of an image; by default upright, in sRGB and from no file.
        public init(
            format: ImageFormat? = nil, originalSize: PixelSize? = nil, profile: ColorProfile = .sRGB,
            orientation: Orientation = .up, isPartial: Bool = false, metadata: ImageMetadata = ImageMetadata()
        ) {
            self.format = format
            self.originalSize = originalSize
            self.profile = profile
            self.orientation = orientation
            self.isPartial = isPartial
            self.metadata = metadata
        }
    }

    let storage: Storage

    /// The number of pixels per point of a user interface, more than zero. Default: 1, unless the request sets it.
    ///
    /// The scale is set when the image is delivered: images that differ only in scale share their pixels and their
    /// cache entry.
    public var scale: Double

    init(storage: Storage, scale: Double = 1) {
        self.storage = storage
        self.scale = scale
    }

    /// Creates an image of these pixels. If there are frames, the image is animated, and the pixels are the first
    /// frame.
    public init(pixels: PixelBuffer, frames: (any FrameSource)? = nil, attributes: Attributes = Attributes()) {
        self.init(storage: Storage(pixels: pixels, frames: frames, attributes: attributes))
    }

    /// The pixels; for an animation, those of the first frame.
    public var pixels: PixelBuffer { storage.pixels }
    /// The frames of an animation; nil for a still.
    public var frames: (any FrameSource)? { storage.frames }
    /// The properties of the image apart from its pixels.
    public var attributes: Attributes { storage.attributes }
    /// Whether there is more than one frame.
    public var isAnimated: Bool { (frames?.frameCount ?? 1) > 1 }
    /// Width and height in pixels.
    public var size: PixelSize { pixels.size }
    /// The width in pixels.
    public var width: Int { pixels.width }
    /// The height in pixels.
    public var height: Int { pixels.height }
    /// The bytes of memory that the image takes: its pixels, its metadata, and all that its frames may come to take.
    public var byteCount: Int { storage.byteCount }

    /// Returns the image with other pixels, as a still with the same attributes.
    ///
    /// Transformers use it. An animation becomes a still too, because its other frames would not match these pixels; a
    /// transformer is given one frame after another, each as a still (``Transformer``).
    public func replacing(pixels: PixelBuffer) -> Image {
        Image(storage: Storage(pixels: pixels, frames: nil, attributes: attributes), scale: scale)
    }

    /// Returns whether both are copies of one image, which is cheap to check. Images with equal pixels in different
    /// memory are not identical.
    public func isIdentical(to other: Image) -> Bool { storage === other.storage }
}
