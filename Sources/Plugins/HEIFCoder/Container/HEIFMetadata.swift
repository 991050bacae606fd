#if HEIF
import Calotype

/// The EXIF and the XMP of a picture.
///
/// Source: ISO/IEC 23008-12:2022, annexes A.2 and A.3. What is damaged or compressed is as if it were not there: the
/// picture does not need it. What is cut off may be had again.
struct HEIFMetadata {
    /// The packets, as the file has them.
    private let exif: [UInt8]?
    private let xmp: [UInt8]?

    /// Throws `limitExceeded` where there is more of it than allowed, and `badData` where it is cut off, unless a part
    /// is allowed.
    init(of number: Int, in container: HEIFContainer, options: DecodeOptions) throws(ImageError) {
        let maxByteCount = options.context[.maxMetadataBytes]
        var (exif, xmp): ([UInt8]?, [UInt8]?)
        var byteCount = 0
        func bytes(of item: HEIFItem) throws(ImageError) -> [UInt8]? {
            guard options.allowsPartial || !container.isCutOff(item) else { throw .cutOffHEIF(in: "the metadata") }
            guard let ranges = try? container.ranges(of: item) else { return nil }
            byteCount += ranges.reduce(0) { $0 + $1.count }
            guard byteCount <= maxByteCount else {
                throw .beyondLimit("metadata of \(byteCount) bytes", maxByteCount, key: "maxMetadataBytes")
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

    /// The EXIF block from its byte order mark on, and the XMP.
    var blocks: ImageMetadata {
        ImageMetadata(exif: exif.flatMap(Self.block), xmp: xmp.map { Data($0) })
    }

    /// The block in an item, which says first how far it is to the byte order mark.
    private static func block(in item: [UInt8]) -> Data? {
        guard item.count > 4 else { return nil }
        let offset = item.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        let told = Data(item.dropFirst(4 + offset))
        // Some say zero, or the length of what stands before a mark that is not there.
        let block = EXIF.isBlock(told) ? told : EXIF.withoutPrefix(Data(item.dropFirst(4)))
        return EXIF.isBlock(block) ? block : nil
    }
}
#endif
