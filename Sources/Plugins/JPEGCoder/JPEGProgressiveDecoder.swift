#if JPEG
import Calotype

/// A decoder for one JPEG whose bytes are still arriving.
///
/// A picture of several scans is delivered as soon as its second scan begins, with all rows in the quality received so
/// far. A picture of one scan is delivered with the rows received so far. Missing rows are transparent, or white in a
/// picture of inks. An arithmetically coded picture is delivered only when it is complete.
final class JPEGProgressiveDecoder: ProgressiveDecoder {
    private let options: DecodeOptions
    private let reader: JPEGReader
    private var isComplete = false
    /// The header, and the form in which the pixels are delivered; nil until the whole header has arrived.
    private var known: (header: JPEGHeader, output: JPEGOutput)?
    /// Whether the memory for pixels has been allocated.
    private var isStarted = false
    /// The rows that have arrived, if the picture has one scan; nil before the first decoding.
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
        precondition(!isComplete, "bytes were appended after the last ones")
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

    /// Allocates the memory for pixels. Later calls do nothing.
    private func start(givesPlanes: Bool) throws(ImageError) {
        guard !isStarted else { return }
        try reader.start(givesPlanes: givesPlanes, maxCoefficientBytes: options.context[.jpegMaxCoefficientBytes])
        isStarted = true
    }

    /// Decodes a picture of one scan as far as its rows have arrived. Planes are never delivered, because they cannot
    /// mark missing rows.
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
        // libjpeg continues in the mode in which it was started. A later sink usually accepts planes if the first one
        // did.
        let givesPlanes = try output.begin(in: &sink, offersPlanes: !isStarted || reader.givesPlanes)
        try start(givesPlanes: givesPlanes)
        guard givesPlanes == reader.givesPlanes else {
            throw ImageError(
                .badData, stage: .decode,
                message: "one sink of the decoder accepted planes, but another one requires rows",
                advice: "pass a decoder only sinks that accept planes, or only sinks that require rows")
        }
        let isWhole = try reader.readScans(limits: JPEGScanLimits(options.context), job: job)
        // The end of the current scan may not have arrived, and libjpeg would wait for it. The previous scan is shown
        // together with the received part of the current one.
        let scan = isWhole ? reader.scan : reader.scan - 1
        guard scan > 0 else { throw JPEGReader.incomplete }
        try reader.startOutput(ofScan: scan)
        do {
            try reader.readPixels(output, into: &sink) { throw JPEGReader.incomplete }
        } catch {
            // More scans may be read and shown even if these rows were refused.
            try? reader.endOutput()
            throw error
        }
        try reader.endOutput()
    }
}
#endif
