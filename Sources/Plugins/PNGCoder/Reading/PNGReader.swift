#if PNG
import CPNGShim
import Calotype

/// libpng's reader, with errors that contain the position in the file. Use it on one thread at a time.
final class PNGReader {
    private let reader: OpaquePointer
    private let source: Source
    /// The text at the end of errors, after the row.
    private let place: String
    private var height = 0
    private var rowByteCount = 0

    /// The limit that libpng itself sets for a chunk. Profiles of this size are always accepted by libpng, so that
    /// longer ones than allowed are reported.
    private static let leastProfileLimit = 8_000_000
    /// The maximum size of an EXIF block in a JPEG. Blocks of this size are read even if the limit for metadata is
    /// lower, because they contain the orientation.
    private static let leastEXIFLimit = 1 << 16

    /// Returns the maximum length of an EXIF block that is read.
    static func exifLimit(maxMetadataBytes: Int) -> Int { max(maxMetadataBytes, leastEXIFLimit) }

    /// The context of libpng's read function.
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

    /// Creates a reader for the file that represents frame `frame`.
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

    /// Reads all data before the pixels.
    ///
    /// A damaged profile or EXIF block is ignored. Throws `limitExceeded` if a profile is too long, or if an EXIF block
    /// is too long and metadata are requested; otherwise a long block is ignored.
    func readHeader(_ options: DecodeOptions) throws(ImageError) -> PNGHeader {
        // The header from libpng contains pointers into its own memory.
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

    /// Reads all data before the pixels, without profile and EXIF block.
    func skipHeader() throws(ImageError) {
        _ = try readHeader(profileLimit: 0, exifLimit: 0)
    }

    /// Sets the layout of rows, which is the file's layout; the format may differ, but `rgba16` requires a file with 16
    /// bits.
    /// - Returns: The number of passes over all rows: 7 for an interlaced picture, otherwise 1.
    func startRows(_ layout: PixelLayout) throws(ImageError) -> Int {
        height = layout.size.height
        rowByteCount = layout.rowByteCount
        var passCount: Int32 = 0
        let status = cpng_reader_start_rows(reader, layout.format == .rgba16, &passCount)
        guard status == CPNG_OK else { throw failure(status, in: "the header") }
        return Int(passCount)
    }

    /// Reads the next row, which is row `y`, into memory that has room for it.
    /// - Parameters:
    ///   - y: The number of the row.
    ///   - pass: The pass. After the first pass, the memory must contain the result of earlier passes.
    ///   - fillsBlocks: Whether each pixel also fills the neighboring pixels of later passes.
    ///   - row: The memory.
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
