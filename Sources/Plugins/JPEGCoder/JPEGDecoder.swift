#if JPEG
import Calotype

/// Decodes one JPEG of which all bytes are there. The header is read when it is made; the same reader reads the pixels,
/// the first time that they are wanted.
final class JPEGDecoder: ImageDecoder {
    private let header: JPEGHeader
    private let data: Data
    private let options: DecodeOptions
    /// Has read the header and nothing else; nil when it was used.
    private var fresh: JPEGReader?

    /// A decoder of a file that has JPEG's signature.
    ///
    /// Throws `badData` when the header is damaged or incomplete, and `limitExceeded` for a profile or metadata that is
    /// too long.
    init(_ data: Data, options: DecodeOptions) throws {
        self.data = data
        self.options = options
        let read = try data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) throws -> (JPEGReader, JPEGHeader) in
            let reader = try JPEGReader(bytes)
            try reader.keepMetadata(options)
            guard let header = try reader.readHeader() else { throw JPEGReader.incomplete }
            return (reader, header)
        }
        (fresh, header) = read
    }

    var info: ImageInfo { header.info }

    var workingByteCount: Int { header.coefficientByteCount }

    func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
        guard frame == 0 else { throw ImageError.noSuchFrame(frame, of: 1) }
        try data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) throws -> Void in
            let reader = try readerBehindHeader(of: bytes)
            if header.hasScans { try reader.checkScans(of: bytes, limits: JPEGScanLimits(options.context)) }
            let output = try reader.setDivisor(options.jpegDivisor(for: header.info), of: header)
            // The sink refuses what is too large; only then is memory taken for rows or coefficients.
            let givesPlanes = try output.begin(in: &sink)
            try reader.start(
                givesPlanes: givesPlanes, maxCoefficientBytes: options.context[.jpegMaxCoefficientBytes])
            let failure = header.hasScans ? try startOutput(of: reader, job: job) : nil
            try reader.readPixels(output, into: &sink)
            if let failure { throw failure }
        }
    }

    private func readerBehindHeader(of bytes: UnsafeRawBufferPointer) throws(ImageError) -> JPEGReader {
        if let fresh {
            self.fresh = nil
            fresh.move(to: bytes)
            return fresh
        }
        let reader = try JPEGReader(bytes)
        _ = try reader.readHeader()
        return reader
    }

    /// Reads all scans and begins to give their pixels. Where a part will do, it begins with the scans that are good.
    /// - Returns: What is wrong with the others, to be thrown behind the pixels; nil for nothing.
    private func startOutput(of reader: JPEGReader, job: Job) throws(ImageError) -> ImageError? {
        do throws(ImageError) {
            let limits = JPEGScanLimits(options.context)
            guard try reader.readScans(limits: limits, job: job) else { throw JPEGReader.incomplete }
            try reader.startOutput(ofScan: reader.scan)
            return nil
        } catch {
            guard options.allowsPartial, error.code == .badData else { throw error }
            try reader.startOutput(ofScan: reader.recover())
            return error
        }
    }
}
#endif
