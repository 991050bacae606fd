#if JPEG
import CJPEGShim
import Calotype

/// libjpeg-turbo's reader, with errors that say where in the file it failed. Used by one thread at a time.
///
/// Once a function has failed, later ones throw the same.
final class JPEGReader {
    /// The final error.
    private(set) var failure: ImageError?
    /// Whether planes are read; if not, rows are.
    private(set) var givesPlanes = false
    /// The properties that the header tells, known as soon as the header of the first scan has begun; nil before.
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

    /// A reader of all the bytes of a file, which stay the caller's. The caller keeps them in place for as long as the
    /// reader is used.
    convenience init(_ bytes: UnsafeRawBufferPointer) throws(ImageError) {
        try self.init(cjpeg_reader_create(bytes.baseAddress, bytes.count))
    }

    /// A reader of bytes that are appended.
    convenience init() throws(ImageError) {
        try self.init(cjpeg_reader_create_growing())
    }

    private init(_ reader: OpaquePointer?) throws(ImageError) {
        guard let reader else {
            throw ImageError(
                .outOfMemory, stage: .decode, message: "no memory for libjpeg-turbo",
                advice: "do less at once, or give the process more memory")
        }
        self.reader = reader
    }

    deinit { cjpeg_reader_free(reader) }

    /// Goes on with the same bytes where they are now.
    func move(to bytes: UnsafeRawBufferPointer) {
        cjpeg_reader_move(reader, bytes.baseAddress, bytes.count)
    }

    /// The error for a file of which too little has come.
    static var incomplete: ImageError {
        ImageError(.incomplete, stage: .decode, message: "too few bytes to show anything")
    }

    /// Throws `limitExceeded` when the scans of a file exceed the limits, by its markers. Its header has been read.
    func checkScans(of bytes: UnsafeRawBufferPointer, limits: JPEGScanLimits) throws(ImageError) {
        let work = cjpeg_reader_weigh_scans(
            reader, bytes.baseAddress, bytes.count, limits.maxScans, UInt64(limits.maxCoefficients))
        try limits.check(scanCount: work.scan_count, weight: work.weight)
    }

    /// Copies the bytes that follow those appended before.
    func append(_ bytes: UnsafeRawBufferPointer, isLast: Bool) throws(ImageError) {
        if let failure { throw failure }
        _ = try check(cjpeg_reader_append(reader, bytes.baseAddress, bytes.count, isLast), place: "the header")
    }

    /// Has the header tell the profile and the orientation, and blocks of metadata where they are wanted. Without that,
    /// the picture is in sRGB, upright and nothing else.
    func keepMetadata(_ options: DecodeOptions) throws(ImageError) {
        maxProfileBytes = max(options.context[.maxProfileBytes], 0)
        maxMetadataBytes = options.context[.maxMetadataBytes]
        keepsMetadata = options.keepsMetadata
        _ = try check(cjpeg_reader_keep_metadata(reader, maxProfileBytes, keepsMetadata), place: "the header")
    }

    /// Reads all that stands before the first scan; nil when more bytes are wanted, which may still come.
    ///
    /// What is wrong with a profile or an EXIF block does not keep the picture from being read: the profile is then
    /// taken for sRGB, the orientation for upright. A profile or metadata that are too long throw `limitExceeded`.
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

    /// Makes the picture come divided by 1, 2, 4 or 8 in both directions. A part of a pixel counts as one.
    /// - Returns: What then comes out.
    func setDivisor(_ divisor: Int, of header: JPEGHeader) throws(ImageError) -> JPEGOutput {
        var output = cjpeg_output()
        _ = try check(cjpeg_reader_set_divisor(reader, UInt32(clamping: divisor), &output), place: "the header")
        let made = JPEGOutput(output, of: header)
        self.divisor = divisor
        rowByteCount = made.layout.rowByteCount
        strips = Array(repeating: cjpeg_strip(), count: Int(output.plane_count))
        return made
    }

    /// Takes memory: for all coefficients of a picture of many scans, for a few rows of any other. Throws
    /// `limitExceeded` before that when the coefficients need more than is allowed.
    /// - Parameter givesPlanes: Whether planes are to be read, of a picture that has them.
    func start(givesPlanes: Bool, maxCoefficientBytes: Int) throws(ImageError) {
        guard coefficientByteCount <= maxCoefficientBytes else {
            throw ImageError.beyondLimit(
                "needs \(coefficientByteCount) bytes for coefficients", maxCoefficientBytes,
                key: "jpegMaxCoefficientBytes")
        }
        guard try check(cjpeg_reader_start(reader, givesPlanes), place: "the header") else { throw Self.incomplete }
        self.givesPlanes = givesPlanes
    }

    /// The number of the scan that is being read, or was the last to be; the first is 1.
    var scan: Int { Int(cjpeg_reader_scan(reader)) }

    /// Reads scans as far as there are bytes. Throws `limitExceeded` before it reads one that exceeds the limits.
    /// - Returns: Whether the end was reached, and all of the picture is there.
    func readScans(limits: JPEGScanLimits, job: Job) throws(ImageError) -> Bool {
        while true {
            try job.check()
            try limits.check(scanCount: scan, weight: cjpeg_reader_weight(reader))
            var isEnd = false
            guard try check(cjpeg_reader_read_scans(reader, &isEnd), place: "scan \(scan)") else { return false }
            if isEnd { return true }
        }
    }

    /// After `readScans` has thrown: lets the pixels be given of the scans that were read to their ends before. Throws
    /// the same where there is none. No more scans can be read.
    /// - Returns: The number of the last of those scans.
    func recover() throws(ImageError) -> Int {
        if cjpeg_reader_recover(reader) == CJPEG_OK { failure = nil }
        if let failure { throw failure }
        return Int(cjpeg_reader_ended_scan(reader))
    }

    /// Begins to give the pixels of a picture of many scans, as good as it is by scan number `scan`, which has another
    /// behind it or is the last.
    func startOutput(ofScan scan: Int) throws(ImageError) {
        guard try check(cjpeg_reader_start_output(reader, UInt32(clamping: scan)), place: "scan \(scan)") else {
            throw Self.incomplete
        }
    }

    /// Ends what `startOutput` began, after any number of rows.
    func endOutput() throws(ImageError) {
        guard try check(cjpeg_reader_end_output(reader), place: "scan \(scan)") else { throw Self.incomplete }
    }

    /// Reads the next row, which is row `y`, into memory that has room for it.
    /// - Returns: Whether it was there. If not, more bytes are wanted, which may still come.
    func readRow(_ y: Int, into row: UnsafeMutableRawBufferPointer) throws(ImageError) -> Bool {
        precondition(row.count >= rowByteCount, "\(row.count) bytes for a row of \(rowByteCount)")
        return try check(cjpeg_reader_read_row(reader, row.baseAddress), place: place(ofRow: y))
    }

    /// Reads the next rows of every plane and hands them to a sink.
    /// - Parameter y: The first of them in the first plane, which has a row for each of the picture.
    /// - Returns: The row after the last of them; nil when more bytes are wanted, which may still come.
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

    /// Whether what was wanted was there. Throws for a status that means failure.
    private func check(_ status: cjpeg_status, place: @autoclosure () -> String) throws(ImageError) -> Bool {
        if status == CJPEG_OK { return true }
        if status == CJPEG_WAITING { return false }
        throw failing(error(status, place: place()))
    }

    /// Remembers the first failure, and gives it.
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
                .badData, stage: .decode, message: "ends in \(place)",
                advice: "it was cut off: get it again from where it came")
        case CJPEG_PROFILE_TOO_LONG:
            return .beyondLimit(moreThan: maxProfileBytes, "bytes of colour profile", key: "maxProfileBytes")
        case CJPEG_OUT_OF_MEMORY:
            return ImageError(
                .outOfMemory, stage: .decode, message: "no memory left for libjpeg-turbo in \(place)",
                advice: "do less at once, or lower the limit `maxPixels`")
        case CJPEG_TOO_LARGE:
            return ImageError(
                .badData, stage: .decode, message: "is too large for libjpeg-turbo, which says '\(text)'",
                advice: "make it smaller, or convert it to another format")
        case CJPEG_UNSUPPORTED:
            return ImageError(
                .badData, stage: .decode, message: "is a JPEG of a rare kind; libjpeg-turbo says '\(text)'",
                advice: "convert it to a baseline JPEG of 8 bits, or to another format")
        default:
            return ImageError(
                .badData, stage: .decode, message: "is damaged in \(place); libjpeg-turbo says '\(text)'",
                advice: "get it again from where it came")
        }
    }
}
#endif
