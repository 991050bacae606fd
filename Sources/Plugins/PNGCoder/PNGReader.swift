#if PNG
import CPNGShim
import Calotype

/// libpng's reader, with errors that say where in the file it failed. Used by one thread at a time.
final class PNGReader {
    private let reader: OpaquePointer
    /// What libpng reads from.
    private let bytes: PNGBytes
    /// Whether all rows are read more than once; known from the header.
    private(set) var isInterlaced = false
    private var height = 0
    private var rowByteCount = 0

    /// What libpng itself allows for a chunk. An EXIF block may be as long even where profiles may not.
    private static let leastMetadataLimit = 8_000_000

    /// A reader of the bytes that are there.
    init(_ bytes: ImageBytes) throws(ImageError) {
        let source = PNGBytes(bytes)
        let read: cpng_read = { context, target, count in
            let source = Unmanaged<PNGBytes>.fromOpaque(context!).takeUnretainedValue()
            return source.read(into: UnsafeMutableRawBufferPointer(start: target, count: count))
        }
        let context = Unmanaged.passUnretained(source).toOpaque()
        guard let reader = cpng_reader_create(read, context, bytes.byteCount) else {
            throw ImageError(
                .outOfMemory, stage: .decode, message: "no memory for libpng",
                advice: "do less at once, or give the process more memory")
        }
        self.reader = reader
        self.bytes = source
    }

    deinit { cpng_reader_free(reader) }

    /// Reads all that stands before the pixels.
    ///
    /// What libpng finds wrong with a profile or an EXIF block does not keep the picture from being read: it is then as
    /// if there were none. A profile that is too long throws `limitExceeded`.
    func readInfo(maxProfileBytes: Int) throws(ImageError) -> ImageInfo {
        let header = try readHeader(metadataLimit: max(maxProfileBytes, Self.leastMetadataLimit))
        guard !header.is_profile_too_long, header.profile_length <= maxProfileBytes else {
            throw ImageError(
                .limitExceeded, stage: .decode,
                message: "has a colour profile of more than the \(maxProfileBytes) bytes that are allowed",
                advice: "raise the context value `maxProfileBytes` if the source is trusted")
        }
        isInterlaced = header.is_interlaced
        var info = ImageInfo(
            format: .png, pixelSize: PixelSize(width: Int(header.width), height: Int(header.height)),
            hasAlpha: header.has_alpha, bitDepth: Int(header.bit_depth),
            colorModel: header.is_palette ? .palette : header.is_gray ? .gray : .rgb)
        info.profile = PNGColor(header).profile
        if let exif = header.exif {
            let block = UnsafeRawBufferPointer(start: exif, count: header.exif_length)
            info.orientation = EXIF.orientation(of: RawSpan(_unsafeBytes: block))
        }
        return info
    }

    /// Reads all that stands before the pixels, without profile and EXIF block.
    func skipHeader() throws(ImageError) {
        _ = try readHeader(metadataLimit: 0)
    }

    /// Makes rows come in this layout, which is the file's but for its format: `rgba16` only for 16 bits in the file.
    /// - Returns: How often all rows are to be read: 7 for an interlaced picture, else 1.
    func startRows(_ layout: PixelLayout) throws(ImageError) -> Int {
        height = layout.size.height
        rowByteCount = layout.rowByteCount
        var passCount: Int32 = 0
        let status = cpng_reader_start_rows(reader, layout.format == .rgba16, &passCount)
        guard status == CPNG_OK else { throw failure(status, place: "the header") }
        return Int(passCount)
    }

    /// Reads the next row, which is row `y`, into memory that has room for it.
    ///
    /// A pass but the first wants the memory with what earlier passes wrote to it.
    func readRow(_ y: Int, pass: Int = 0, into row: UnsafeMutableRawBufferPointer) throws(ImageError) {
        precondition(row.count >= rowByteCount, "\(row.count) bytes for a row of \(rowByteCount)")
        let status = cpng_reader_read_row(reader, row.baseAddress)
        guard status == CPNG_OK else {
            throw failure(status, place: "row \(y + 1) of \(height)" + (pass > 0 ? " in pass \(pass + 1)" : ""))
        }
    }

    private func readHeader(metadataLimit: Int) throws(ImageError) -> cpng_header {
        var header = cpng_header()
        let status = cpng_reader_read_header(reader, metadataLimit, &header)
        guard status == CPNG_OK else { throw failure(status, place: "the header") }
        return header
    }

    /// The error for a status that is not `CPNG_OK`.
    private func failure(_ status: cpng_status, place: String) -> ImageError {
        switch status {
        case CPNG_ENDED:
            // libpng reads ahead, so the bytes may end a few rows further down.
            return ImageError(
                .badData, stage: .decode, message: "ends in \(place)",
                advice: "it was cut off: get it again from where it came")
        case CPNG_OUT_OF_MEMORY:
            return ImageError(
                .outOfMemory, stage: .decode, message: "no memory left for libpng in \(place)",
                advice: "do less at once, or lower the limit `maxSidePixels`")
        default:
            let text = String(cString: cpng_reader_message(reader))
            return ImageError(
                .badData, stage: .decode, message: "is damaged in \(place); libpng says '\(text)'",
                advice: "get it again from where it came")
        }
    }
}
#endif
