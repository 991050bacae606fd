/// Decoded pixels: a still image, or an animation.
///
/// All copies of an image share one immutable storage object, so copying is cheap. Alpha is straight. Decoded pixels
/// are upright unless the request kept the orientation of the file. They are in sRGB, with two exceptions: the request
/// kept the color profile of the file, or no color converter supports that profile. CMYK is always converted to sRGB.
public struct Image: Sendable {
    /// The storage that all copies share.
    final class Storage: Sendable {
        let pixels: PixelBuffer
        let frames: (any FrameSource)?
        let attributes: Attributes
        /// The bytes of memory that the image takes. Computed once, so that a cache subtracts the number that it added.
        let byteCount: Int
        /// A digest of the pixels, once it was computed.
        let contentDigest = Lock<String?>(nil)

        init(pixels: PixelBuffer, frames: (any FrameSource)?, attributes: Attributes) {
            self.pixels = pixels
            self.frames = frames
            self.attributes = attributes
            let (sum, overflow) = (pixels.byteCount + attributes.metadata.byteCount)
                .addingReportingOverflow(frames?.byteCount ?? 0)
            byteCount = overflow ? .max : sum
        }
    }

    /// The properties of an image other than its pixels.
    public struct Attributes: Sendable, Hashable {
        /// The format of the file that the pixels were decoded from; nil for pixels made in memory.
        public var format: ImageFormat?
        /// The size of the upright picture in the file, before any thumbnail was made; nil for pixels made in memory.
        public var originalSize: PixelSize?
        /// The color space of the pixels.
        public var profile: ColorProfile
        /// The orientation of the pixels: `.up` unless the request kept the orientation of the file.
        public var orientation: Orientation
        /// Whether part of the picture is missing.
        public var isPartial: Bool
        /// The metadata of the file, unchanged; empty unless the request kept it. The orientation of these pixels is
        /// ``orientation``, even if an EXIF block states another one.
        public var metadata: ImageMetadata
        /// The version of the source that the pixels were made from; nil if the source has no versions.
        var version: String?
        /// The request header fields that the server's response depended on; nil if it did not depend on any.
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

    /// The number of pixels per point of a user interface, greater than zero. Default: 1, unless the request sets it.
    ///
    /// The scale is set when the image is delivered. Images that differ only in scale share their pixels and their
    /// cache entry.
    public var scale: Double

    init(storage: Storage, scale: Double = 1) {
        self.storage = storage
        self.scale = scale
    }

    /// Creates an image of pixels. If `frames` is not nil, the image is an animation, and `pixels` is its first frame.
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
    /// The bytes of memory that the image takes: its pixels, its metadata, and the maximum that its frames can take.
    public var byteCount: Int { storage.byteCount }

    /// Returns a still with other pixels and the same attributes, for use in transformers.
    ///
    /// For an animation, the result is a still too, because the other frames would not match the new pixels. A
    /// ``Transformer`` receives each frame of an animation as a still.
    public func replacing(pixels: PixelBuffer) -> Image {
        Image(storage: Storage(pixels: pixels, frames: nil, attributes: attributes), scale: scale)
    }

    /// Returns whether two values are copies of the same image; their scales may differ. The check is fast, because it
    /// does not compare pixels. Images with equal pixels in different memory are not identical.
    public func isIdentical(to other: Image) -> Bool { storage === other.storage }
}
