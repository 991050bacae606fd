/// The metadata of a file: the EXIF block and the XMP packet, as unparsed bytes.
public struct ImageMetadata: Sendable, Hashable {
    /// The EXIF block, which starts with its byte order mark; nil if there is none.
    public var exif: Data?
    /// The XMP packet; nil if there is none.
    public var xmp: Data?

    /// Creates metadata from an EXIF block and an XMP packet. By default, the metadata is empty.
    public init(exif: Data? = nil, xmp: Data? = nil) {
        self.exif = exif
        self.xmp = xmp
    }

    /// Whether there is neither an EXIF block nor an XMP packet.
    public var isEmpty: Bool { exif == nil && xmp == nil }
    /// The total number of bytes of the EXIF block and the XMP packet.
    public var byteCount: Int { (exif?.count ?? 0) + (xmp?.count ?? 0) }
}
