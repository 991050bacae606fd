#if JPEG
import Calotype

/// Decodes one JPEG while its bytes come.
///
/// A picture of many scans is shown whole, as good as its scans so far make it, from the beginning of the second scan
/// on; of any other the rows that have come. An arithmetically coded one is shown when its last byte is there.
final class JPEGProgressiveDecoder: ProgressiveDecoder {
    private let options: DecodeOptions
    private let reader: JPEGReader
    private var isComplete = false
    private var header: JPEGHeader?
    /// The size in which rows come; nil as long as no memory was taken for pixels.
    private var size: PixelSize?
    /// The rows so far of a picture of one scan.
    private var rows: JPEGRows?

    init(options: DecodeOptions) throws {
        self.options = options
        reader = try JPEGReader()
        try reader.keepMetadata(maxProfileBytes: options.context[.maxProfileBytes])
    }

    var info: ImageInfo {
        get throws { try knownHeader().info }
    }

    func append(_ bytes: RawSpan, isLast: Bool) throws {
        precondition(!isComplete, "bytes appended after the last one")
        isComplete = isLast
        try bytes.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) throws -> Void in
            try reader.append(bytes, isLast: isLast)
        }
        if header == nil { header = try reader.readHeader() }
    }

    func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
        try JPEGDecoder.check(frame: frame)
        let header = try knownHeader()
        guard isComplete || !header.isArithmetic else { throw JPEGReader.incomplete }
        let size = try startedSize(header)
        if let rows {
            try decode(rows, header.layout(size: size), into: &sink, job: job)
        } else {
            try decodeScans(header.layout(size: size), into: &sink, job: job)
        }
    }

    private func knownHeader() throws(ImageError) -> JPEGHeader {
        if let failure = reader.failure { throw failure }
        guard let header else { throw JPEGReader.incomplete }
        return header
    }

    /// The size in which rows come. Takes memory for pixels the first time.
    private func startedSize(_ header: JPEGHeader) throws(ImageError) -> PixelSize {
        if let size { return size }
        let size = try reader.setDivisor(options.jpegDivisor(for: header.info))
        if !header.hasScans { rows = try JPEGRows(size: size) }
        try reader.start()
        self.size = size
        return size
    }

    private func decode(
        _ rows: JPEGRows, _ layout: PixelLayout, into sink: inout some RowSink & ~Copyable, job: Job
    ) throws {
        while rows.count < layout.size.height {
            try job.check()
            guard try rows.appendRow({ y, row in try reader.readRow(y, into: row) }) else { break }
        }
        guard rows.count > 0 else { throw JPEGReader.incomplete }
        var layout = layout
        layout.isOpaque = rows.count == layout.size.height
        try sink.begin(layout)
        for y in 0..<layout.size.height {
            try sink.row(y) { (row: inout MutableRawSpan) throws -> Void in
                row.withUnsafeMutableBytes { (row: UnsafeMutableRawBufferPointer) -> Void in
                    rows.copyRow(y, to: row)
                }
            }
        }
    }

    private func decodeScans(
        _ layout: PixelLayout, into sink: inout some RowSink & ~Copyable, job: Job
    ) throws {
        let isWhole = try reader.readScans(maxScans: options.context[.jpegMaxScans], job: job)
        // One that is being read may lack its end, and libjpeg would wait for that. What has come of it is shown all
        // the same.
        let scan = isWhole ? reader.scan : reader.scan - 1
        guard scan > 0 else { throw JPEGReader.incomplete }
        try sink.begin(layout)
        try reader.startRows(ofScan: scan)
        do {
            for y in 0..<layout.size.height {
                try sink.row(y) { (row: inout MutableRawSpan) throws -> Void in
                    try row.withUnsafeMutableBytes { (row: UnsafeMutableRawBufferPointer) throws -> Void in
                        guard try reader.readRow(y, into: row) else { throw JPEGReader.incomplete }
                    }
                }
            }
        } catch {
            // More scans may be read and shown, whoever did not want these rows.
            try? reader.endRows()
            throw error
        }
        try reader.endRows()
    }
}
#endif
