#if HEIF
import Calotype

/// The EXIF and XMP metadata of a picture. Damaged or compressed metadata are ignored. Truncated metadata are an error,
/// unless a partial result is allowed.
///
/// Source: ISO/IEC 23008-12:2022, annexes A.2 and A.3.
struct HEIFMetadata {
    /// The bytes of the EXIF item: a four-byte offset, followed by the data. Nil if there is no readable EXIF item.
    private let exif: [UInt8]?
    /// The bytes of the XMP item; nil if there is no readable XMP item.
    private let xmp: [UInt8]?

    /// Reads the metadata of an item. Throws `limitExceeded` if the metadata are too long, and `badData` if they are
    /// truncated and a partial result is not allowed.
    init(of number: Int, in container: HEIFContainer, options: DecodeOptions) throws(ImageError) {
        let maxByteCount = options.context[.maxMetadataBytes]
        var (exif, xmp): ([UInt8]?, [UInt8]?)
        var byteCount = 0
        func bytes(of item: HEIFItem) throws(ImageError) -> [UInt8]? {
            guard options.allowsPartial || !container.isCutOff(item) else { throw .cutOffHEIF(in: "the metadata") }
            guard let ranges = try? container.ranges(of: item) else { return nil }
            byteCount += ranges.reduce(0) { $0 + $1.count }
            guard byteCount <= maxByteCount else {
                throw .beyondLimit("the metadata has \(byteCount) bytes", maxByteCount, key: "maxMetadataBytes")
            }
            return try? container.bytes(of: item)
        }
        for source in container.sources(of: number, "cdsc") {
            guard let item = container.items[source] else { continue }
            if item.type == "Exif", exif == nil {
                exif = try bytes(of: item)
            } else if item.contentType == "application/rdf+xml", item.contentEncoding.isEmpty, xmp == nil {
                xmp = try bytes(of: item)
            }
        }
        (self.exif, self.xmp) = (exif, xmp)
    }

    /// The EXIF block, which begins with its byte order mark, and the XMP packet.
    var blocks: ImageMetadata {
        ImageMetadata(exif: exif.flatMap(Self.block), xmp: xmp.map { Data($0) })
    }

    /// Returns the EXIF block in the bytes of an item. Returns nil if the item contains no valid block.
    ///
    /// The first four bytes of the item state the number of bytes between them and the byte order mark of the block.
    private static func block(in item: [UInt8]) -> Data? {
        guard item.count > 4 else { return nil }
        let offset = item.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        let told = Data(item.dropFirst(4 + offset))
        // In some files the offset is wrong: it ignores a prefix of the block, or counts a prefix that is missing.
        let block = EXIF.isBlock(told) ? told : EXIF.withoutPrefix(Data(item.dropFirst(4)))
        return EXIF.isBlock(block) ? block : nil
    }
}
#endif
