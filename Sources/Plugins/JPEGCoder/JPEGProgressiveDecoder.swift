#if JPEG
import Calotype

/// Decodes one JPEG while its bytes come.
///
/// A picture of many scans is shown whole, as good as its scans so far make it, from the beginning of the second scan
/// on; of any other the rows that have come. Inks cannot be transparent: what has not come of them is white. An
/// arithmetically coded picture is shown when its last byte is there.
final class JPEGProgressiveDecoder: ProgressiveDecoder {
    private let options: DecodeOptions
    private let reader: JPEGReader
    private var isComplete = false
    /// The header and the output.
    private var known: (header: JPEGHeader, output: JPEGOutput)?
    /// Whether memory was taken for pixels.
    private var isStarted = false
    /// The rows so far of a picture of one scan.
    private var rows: JPEGRows?

    init(options: DecodeOptions) throws {
        self.options = options
        reader = try JPEGReader()
        try reader.keepMetadata(options)
    }

    var info: ImageInfo {
        get throws {
            if let failure = reader.failure { throw failure }
            guard let info = reader.info else { throw JPEGReader.incomplete }
            return info
        }
    }

    var workingByteCount: Int {
        known.map { $0.header.hasScans ? $0.header.coefficientByteCount : $0.output.layout.byteCount } ?? 0
    }

    func append(_ bytes: RawSpan, isLast: Bool) throws {
        precondition(!isComplete, "bytes appended after the last one")
        isComplete = isLast
        try bytes.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) throws -> Void in
            try reader.append(bytes, isLast: isLast)
        }
        guard known == nil, let header = try reader.readHeader() else { return }
        known = (header, try reader.setDivisor(options.jpegDivisor(for: header.info), of: header))
    }

    func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
        guard frame == 0 else { throw ImageError.noSuchFrame(frame, of: 1) }
        let (header, output) = try knownFacts()
        guard isComplete || !header.isArithmetic else { throw JPEGReader.incomplete }
        if header.hasScans {
            try decodeScans(output, into: &sink, job: job)
        } else {
            try decodeRows(output, into: &sink, job: job)
        }
    }

    private func knownFacts() throws(ImageError) -> (header: JPEGHeader, output: JPEGOutput) {
        if let failure = reader.failure { throw failure }
        guard let known else { throw JPEGReader.incomplete }
        return known
    }

    /// Takes memory for pixels the first time.
    private func start(givesPlanes: Bool) throws(ImageError) {
        guard !isStarted else { return }
        try reader.start(givesPlanes: givesPlanes, maxCoefficientBytes: options.context[.jpegMaxCoefficientBytes])
        isStarted = true
    }

    /// Never gives planes: they have no way to say what has not come.
    private func decodeRows(
        _ output: JPEGOutput, into sink: inout some RowSink & ~Copyable, job: Job
    ) throws {
        var layout = output.layout
        let rows = try self.rows ?? JPEGRows(size: layout.size)
        self.rows = rows
        try start(givesPlanes: false)
        while rows.count < layout.size.height {
            try job.check()
            guard try rows.appendRow({ y, row in try reader.readRow(y, into: row) }) else { break }
        }
        guard rows.count > 0 else { throw JPEGReader.incomplete }
        layout.isOpaque = rows.count == layout.size.height
        try sink.begin(layout, channels: output.channels)
        for y in 0..<layout.size.height {
            try sink.row(y) { (row: inout MutableRawSpan) throws -> Void in
                row.withUnsafeMutableBytes { (row: UnsafeMutableRawBufferPointer) -> Void in
                    rows.copyRow(y, to: row)
                }
            }
        }
    }

    private func decodeScans(
        _ output: JPEGOutput, into sink: inout some RowSink & ~Copyable, job: Job
    ) throws {
        // libjpeg goes on as it was started. Where that was with planes, a sink like the first one wants them.
        let givesPlanes = try output.begin(in: &sink, offersPlanes: !isStarted || reader.givesPlanes)
        try start(givesPlanes: givesPlanes)
        guard givesPlanes == reader.givesPlanes else {
            throw ImageError(
                .badData, stage: .decode, message: "one sink of a decoder took planes, and another one wants rows",
                advice: "give a decoder sinks that want the same")
        }
        let isWhole = try reader.readScans(limits: JPEGScanLimits(options.context), job: job)
        // One that is being read may lack its end, and libjpeg would wait for that. What has come of it is shown all
        // the same.
        let scan = isWhole ? reader.scan : reader.scan - 1
        guard scan > 0 else { throw JPEGReader.incomplete }
        try reader.startOutput(ofScan: scan)
        do {
            try reader.readPixels(output, into: &sink)
        } catch {
            // More scans may be read and shown, even if these rows were not wanted.
            try? reader.endOutput()
            throw error
        }
        try reader.endOutput()
    }
}
#endif
