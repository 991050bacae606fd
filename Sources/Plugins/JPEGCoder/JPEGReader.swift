#if JPEG
import CJPEGShim
import Calotype

/// libjpeg-turbo's reader, with errors that contain the position in the file. Use a reader on one thread at a time.
///
/// After libjpeg-turbo has failed, all later calls throw the same error, unless ``recover()`` succeeds.
final class JPEGReader {
    /// The first error of libjpeg-turbo, or the error for metadata that exceed their limit; nil if there was none.
    private(set) var failure: ImageError?
    /// Whether planes are read instead of rows.
    private(set) var givesPlanes = false
    /// The properties from the header; nil until the header of the first scan begins.
    private(set) var info: ImageInfo?

    private let reader: OpaquePointer
    private var maxProfileBytes = 0
    private var maxMetadataBytes = 0
    private var keepsMetadata = false
    private var height = 0
    private var coefficientByteCount = 0
    private var divisor = 1
    private var rowByteCount = 0
    private var strips: [cjpeg_strip] = []

    /// Creates a reader for all bytes of a file. The bytes belong to the caller and must stay at their address until
    /// the reader is freed or ``move(to:)`` is called.
    convenience init(_ bytes: UnsafeRawBufferPointer) throws(ImageError) {
        try self.init(cjpeg_reader_create(bytes.baseAddress, bytes.count))
    }

    /// Creates a reader without bytes. They are passed to ``append(_:isLast:)``.
    convenience init() throws(ImageError) {
        try self.init(cjpeg_reader_create_growing())
    }

    private init(_ reader: OpaquePointer?) throws(ImageError) {
        guard let reader else {
            throw ImageError(
                .outOfMemory, stage: .decode, message: "not enough memory for libjpeg-turbo",
                advice: "load fewer images at once, or raise the process's memory limit")
        }
        self.reader = reader
    }

    deinit { cjpeg_reader_free(reader) }

    /// Sets a new address for the bytes of the file. The bytes themselves must be the same.
    func move(to bytes: UnsafeRawBufferPointer) {
        cjpeg_reader_move(reader, bytes.baseAddress, bytes.count)
    }

    /// The error that is thrown while too few bytes of a file have arrived to show a picture.
    static var incomplete: ImageError {
        ImageError(
            .incomplete, stage: .decode, message: "has too few bytes to show a picture",
            advice: "decode again when more bytes have arrived")
    }

    /// Throws `limitExceeded` if the scans of a file exceed the limits. Call this after the header was read.
    func checkScans(of bytes: UnsafeRawBufferPointer, limits: JPEGScanLimits) throws(ImageError) {
        let work = cjpeg_reader_weigh_scans(
            reader, bytes.baseAddress, bytes.count, limits.maxScans, UInt64(limits.maxCoefficients))
        try limits.check(scanCount: work.scan_count, weight: work.weight)
    }

    /// Appends a copy of the next bytes of the file. The file ends with these bytes if `isLast` is true.
    func append(_ bytes: UnsafeRawBufferPointer, isLast: Bool) throws(ImageError) {
        if let failure { throw failure }
        _ = try check(cjpeg_reader_append(reader, bytes.baseAddress, bytes.count, isLast), place: "the next bytes")
    }

    /// Makes ``readHeader()`` return the profile and the orientation, and the metadata if `options` request them.
    /// Without this call, the picture counts as upright sRGB without metadata.
    func keepMetadata(_ options: DecodeOptions) throws(ImageError) {
        maxProfileBytes = max(options.context[.maxProfileBytes], 0)
        maxMetadataBytes = options.context[.maxMetadataBytes]
        keepsMetadata = options.keepsMetadata
        _ = try check(cjpeg_reader_keep_metadata(reader, maxProfileBytes, keepsMetadata), place: "the header")
    }

    /// Reads the file up to its first scan, and returns the properties. Returns nil if more bytes must arrive first.
    ///
    /// A damaged profile counts as sRGB, and a damaged EXIF block means upright. Throws `limitExceeded` if the profile
    /// or the metadata are longer than the limits of the options.
    func readHeader() throws(ImageError) -> JPEGHeader? {
        if let failure { throw failure }
        var header = cjpeg_header()
        let isRead = try check(cjpeg_reader_read_header(reader, &header), place: "the header")
        guard isRead || (header.is_foretold && info == nil) else { return nil }
        let made = JPEGHeader(header, keepsMetadata: keepsMetadata)
        let metadataByteCount = made.info.metadata.byteCount
        guard metadataByteCount <= maxMetadataBytes || !keepsMetadata else {
            throw failing(
                ImageError.beyondLimit(
                    "has \(metadataByteCount) bytes of EXIF and XMP", maxMetadataBytes, key: "maxMetadataBytes"))
        }
        info = made.info
        guard isRead else { return nil }
        height = Int(header.height)
        coefficientByteCount = Int(clamping: header.coefficient_byte_count)
        return made
    }

    /// Makes the reader divide both sides of the picture by 1, 2, 4 or 8, rounding up.
    /// - Returns: The form in which the divided picture is delivered.
    func setDivisor(_ divisor: Int, of header: JPEGHeader) throws(ImageError) -> JPEGOutput {
        var output = cjpeg_output()
        _ = try check(cjpeg_reader_set_divisor(reader, UInt32(clamping: divisor), &output), place: "the header")
        let made = JPEGOutput(output, of: header)
        self.divisor = divisor
        rowByteCount = made.layout.rowByteCount
        strips = Array(repeating: cjpeg_strip(), count: Int(output.plane_count))
        return made
    }

    /// Allocates the memory for decoding. Throws `limitExceeded` if a picture with several scans needs more than
    /// `maxCoefficientBytes` for its coefficients.
    /// - Parameter givesPlanes: Whether planes are read instead of rows. If true, the picture must have planes.
    func start(givesPlanes: Bool, maxCoefficientBytes: Int) throws(ImageError) {
        guard coefficientByteCount <= maxCoefficientBytes else {
            throw ImageError.beyondLimit(
                "needs \(coefficientByteCount) bytes for coefficients", maxCoefficientBytes,
                key: "jpegMaxCoefficientBytes")
        }
        guard try check(cjpeg_reader_start(reader, givesPlanes), place: "the header") else { throw Self.incomplete }
        self.givesPlanes = givesPlanes
    }

    /// The number of the current scan, beginning with 1; between two scans, the number of the earlier one.
    var scan: Int { Int(cjpeg_reader_scan(reader)) }

    /// Reads all scans whose bytes have arrived. Throws `limitExceeded` before a scan that exceeds the limits is
    /// decoded.
    /// - Returns: Whether the picture is complete.
    func readScans(limits: JPEGScanLimits, job: Job) throws(ImageError) -> Bool {
        while true {
            try job.check()
            try limits.check(scanCount: scan, weight: cjpeg_reader_weight(reader))
            var isEnd = false
            guard try check(cjpeg_reader_read_scans(reader, &isEnd), place: "scan \(scan)") else { return false }
            if isEnd { return true }
        }
    }

    /// Permits the output of the complete scans after ``readScans(limits:job:)`` has thrown, and returns the number of
    /// the last one. No further scans can be read. Throws the same error again if no scan is complete.
    func recover() throws(ImageError) -> Int {
        if cjpeg_reader_recover(reader) == CJPEG_OK { failure = nil }
        if let failure { throw failure }
        return Int(cjpeg_reader_ended_scan(reader))
    }

    /// Begins the output of a picture with several scans, in the quality of the scan with the number `scan`. The next
    /// scan must have begun, unless `scan` is the last one of the file.
    func startOutput(ofScan scan: Int) throws(ImageError) {
        guard try check(cjpeg_reader_start_output(reader, UInt32(clamping: scan)), place: "scan \(scan)") else {
            throw Self.incomplete
        }
    }

    /// Ends the output, whether or not all rows were read. More scans can be read afterward.
    func endOutput() throws(ImageError) {
        guard try check(cjpeg_reader_end_output(reader), place: "scan \(scan)") else { throw Self.incomplete }
    }

    /// Reads the next row into memory. Returns false if more bytes must arrive first.
    /// - Parameter y: The number of the row, from 0 at the top, for error messages.
    func readRow(_ y: Int, into row: UnsafeMutableRawBufferPointer) throws(ImageError) -> Bool {
        precondition(row.count >= rowByteCount, "the row has \(row.count) of \(rowByteCount) bytes")
        return try check(cjpeg_reader_read_row(reader, row.baseAddress), place: place(ofRow: y))
    }

    /// Reads the next rows of every plane and passes them to a sink. `y` is the number of the next row of the first
    /// plane. Returns the `y` for the next call; nil if more bytes must arrive first.
    func readPlanes(from y: Int, into sink: inout some RowSink & ~Copyable) throws -> Int? {
        guard try check(cjpeg_reader_read_planes(reader, &strips), place: place(ofRow: y)) else { return nil }
        for (plane, strip) in strips.enumerated() {
            let rows = Int(strip.start)..<Int(strip.start) + Int(strip.count)
            let bytes = UnsafeRawBufferPointer(start: strip.bytes, count: rows.count * strip.bytes_per_row)
            try sink.plane(plane, rows: rows, RawSpan(_unsafeBytes: bytes), bytesPerRow: strip.bytes_per_row)
        }
        return Int(strips[0].start) + Int(strips[0].count)
    }

    private func place(ofRow y: Int) -> String { "row \(min(y * divisor + 1, height)) of \(height)" }

    /// Returns true for success, and false if more bytes are needed. Throws if the function of libjpeg-turbo failed.
    private func check(_ status: cjpeg_status, place: @autoclosure () -> String) throws(ImageError) -> Bool {
        if status == CJPEG_OK { return true }
        if status == CJPEG_WAITING { return false }
        throw failing(error(status, place: place()))
    }

    /// Records an error unless this reader has failed before. Returns the first error of the reader.
    private func failing(_ error: ImageError) -> ImageError {
        let first = failure ?? error
        failure = first
        return first
    }

    private func error(_ status: cjpeg_status, place: String) -> ImageError {
        let text = String(cString: cjpeg_reader_message(reader))
        switch status {
        case CJPEG_ENDED:
            // libjpeg reads ahead, so the bytes may end a few rows further down.
            return ImageError(
                .badData, stage: .decode, message: "is truncated: it ends in \(place)",
                advice: "get a complete copy of the file")
        case CJPEG_PROFILE_TOO_LONG:
            return .beyondLimit(moreThan: maxProfileBytes, "bytes of color profile", key: "maxProfileBytes")
        case CJPEG_OUT_OF_MEMORY:
            return ImageError(
                .outOfMemory, stage: .decode, message: "not enough memory for libjpeg-turbo in \(place)",
                advice: "load fewer images at once, or raise the process's memory limit")
        case CJPEG_TOO_LARGE:
            return ImageError(
                .badData, stage: .decode, message: "is too large for libjpeg-turbo, which says '\(text)'",
                advice: "resize the image, or convert it to another format")
        case CJPEG_UNSUPPORTED:
            return ImageError(
                .badData, stage: .decode, message: "is an unsupported kind of JPEG; libjpeg-turbo says '\(text)'",
                advice: "convert it to a baseline JPEG with 8 bits, or to another format")
        default:
            return ImageError(
                .badData, stage: .decode, message: "is damaged in \(place); libjpeg-turbo says '\(text)'",
                advice: "get an intact copy of the file")
        }
    }
}
#endif
