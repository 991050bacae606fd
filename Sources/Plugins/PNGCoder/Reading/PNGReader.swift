#if PNG
import CPNGShim
import Calotype

/// A wrapper around libpng's reader. Use an instance on one thread at a time.
final class PNGReader {
    private let reader: OpaquePointer
    private let source: Source
    /// The text that ends the description of a position in errors, such as " of frame 2"; empty for the default image.
    private let place: String
    private var height = 0
    private var rowByteCount = 0

    /// The minimum profile limit that is passed to libpng, in bytes: 8 MB, libpng's default limit for a chunk.
    /// ``readHeader(_:)`` checks a lower limit of a request itself.
    private static let leastProfileLimit = 8_000_000
    /// The length in bytes up to which an EXIF block is always read, because it contains the orientation. The value, 64
    /// KiB, is about the maximum length in a JPEG.
    private static let leastEXIFLimit = 1 << 16

    /// Returns the maximum length in bytes of an EXIF block that is read: the limit for metadata, but at least 64 KiB.
    static func exifLimit(maxMetadataBytes: Int) -> Int { max(maxMetadataBytes, leastEXIFLimit) }

    /// The object that libpng's read function gets as its context. It holds the source of bytes.
    private final class Source {
        let input: any PNGInput

        init(_ input: any PNGInput) {
            self.input = input
        }
    }

    /// Creates a reader for a file.
    convenience init(_ bytes: PNGBytes, byteCount: Int) throws(ImageError) {
        try self.init(bytes, byteCount: byteCount, place: "")
    }

    /// Creates a reader for the frame with the index `frame`, counted from 0. `bytes` provides the frame as a still
    /// PNG.
    convenience init(_ bytes: PNGFrameBytes, ofFrame frame: Int) throws(ImageError) {
        try self.init(bytes, byteCount: .max, place: " of frame \(frame + 1)")
        cpng_reader_skip_checksums(reader)
    }

    private init(_ input: any PNGInput, byteCount: Int, place: String) throws(ImageError) {
        let source = Source(input)
        let read: cpng_read = { context, target, count in
            let source = Unmanaged<Source>.fromOpaque(context!).takeUnretainedValue()
            return source.input.read(into: UnsafeMutableRawBufferPointer(start: target, count: count))
        }
        let context = Unmanaged.passUnretained(source).toOpaque()
        guard let reader = cpng_reader_create(read, context, byteCount) else { throw .noMemoryForPNG(.decode) }
        self.reader = reader
        self.source = source
        self.place = place
    }

    deinit { cpng_reader_free(reader) }

    /// Reads the chunks before the pixels. Ignores a damaged profile or EXIF block. Throws `limitExceeded` if the
    /// profile is too long, or if metadata are requested and the EXIF block is too long.
    func readHeader(_ options: DecodeOptions) throws(ImageError) -> PNGHeader {
        // The header contains pointers into memory of the reader.
        defer { withExtendedLifetime(self) {} }
        let maxProfileBytes = options.context[.maxProfileBytes]
        let maxMetadataBytes = options.context[.maxMetadataBytes]
        let header = try readHeader(
            profileLimit: max(maxProfileBytes, Self.leastProfileLimit),
            exifLimit: Self.exifLimit(maxMetadataBytes: maxMetadataBytes))
        guard !header.is_profile_too_long, header.profile_length <= maxProfileBytes else {
            throw ImageError.beyondLimit(
                moreThan: maxProfileBytes, "bytes of color profile", key: "maxProfileBytes")
        }
        guard !header.is_exif_too_long || !options.keepsMetadata else { throw .tooMuchMetadata(maxMetadataBytes) }
        return try PNGHeader(header, options: options)
    }

    /// Reads the chunks before the pixels, but skips the profile and the EXIF block.
    func skipHeader() throws(ImageError) {
        _ = try readHeader(profileLimit: 0, exifLimit: 0)
    }

    #if DEFLATE
    /// The form in which the file stores its pixels. Use it only after the header was read.
    var storedForm: cpng_stored_form { cpng_reader_stored_form(reader) }
    #endif

    /// Sets the layout of the rows to read. Returns the number of passes over all rows: 1, or 7 for an interlaced
    /// picture.
    /// - Parameter layout: The layout of the rows. Its size must be that of the picture in the file. `rgba16` requires
    ///   a file with 16 bits per channel.
    func startRows(_ layout: PixelLayout) throws(ImageError) -> Int {
        height = layout.size.height
        rowByteCount = layout.rowByteCount
        var passCount: Int32 = 0
        let status = cpng_reader_start_rows(reader, layout.format == .rgba16, &passCount)
        guard status == CPNG_OK else { throw failure(status, in: "the header") }
        return Int(passCount)
    }

    /// Reads the next row. `y` and `pass`, both from 0, are used only in errors.
    /// - Parameters:
    ///   - fillsBlocks: Whether each pixel also fills the neighboring pixels that later passes will write.
    ///   - row: The memory for a whole row. In later passes, it must contain the row as earlier passes left it.
    func readRow(
        _ y: Int, pass: Int = 0, fillsBlocks: Bool = false, into row: UnsafeMutableRawBufferPointer
    ) throws(ImageError) {
        precondition(row.count >= rowByteCount, "the row has \(row.count) of \(rowByteCount) bytes")
        let status = cpng_reader_read_row(reader, row.baseAddress, fillsBlocks)
        guard status == CPNG_OK else {
            throw failure(status, in: "row \(y + 1) of \(height)" + (pass > 0 ? " in pass \(pass + 1)" : ""))
        }
    }

    private func readHeader(profileLimit: Int, exifLimit: Int) throws(ImageError) -> cpng_header {
        var header = cpng_header()
        let status = cpng_reader_read_header(reader, profileLimit, exifLimit, &header)
        guard status == CPNG_OK else { throw failure(status, in: "the header") }
        return header
    }

    /// Returns the error for a status that is not `CPNG_OK`.
    private func failure(_ status: cpng_status, in part: String) -> ImageError {
        .decoding(status, message: cpng_reader_message(reader), damage: source.input.damage, in: part + place)
    }
}
#endif
