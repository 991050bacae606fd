/// The metadata of a file, in the blocks that it came in.
public struct ImageMetadata: Sendable, Hashable {
    /// The EXIF block, from its byte order mark on; nil when there is none.
    public var exif: Data?
    /// The XMP packet; nil when there is none.
    public var xmp: Data?

    /// Metadata; none unless told.
    public init(exif: Data? = nil, xmp: Data? = nil) {
        self.exif = exif
        self.xmp = xmp
    }

    /// Whether there is no block at all.
    public var isEmpty: Bool { exif == nil && xmp == nil }
    /// Bytes of all blocks.
    public var byteCount: Int { (exif?.count ?? 0) + (xmp?.count ?? 0) }
}
