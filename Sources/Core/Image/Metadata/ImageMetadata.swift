/// The metadata of a file, in its original blocks.
public struct ImageMetadata: Sendable, Hashable {
    /// The EXIF block, from its byte order mark on; nil if there is none.
    public var exif: Data?
    /// The XMP packet; nil if there is none.
    public var xmp: Data?

    /// Creates metadata; by default none.
    public init(exif: Data? = nil, xmp: Data? = nil) {
        self.exif = exif
        self.xmp = xmp
    }

    /// Whether there is neither an EXIF block nor an XMP packet.
    public var isEmpty: Bool { exif == nil && xmp == nil }
    /// The total number of bytes of the EXIF block and the XMP packet.
    public var byteCount: Int { (exif?.count ?? 0) + (xmp?.count ?? 0) }
}
