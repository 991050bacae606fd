#if JPEG
import Calotype

/// A decoder for one complete JPEG. The first decode continues with the reader that the initializer created.
final class JPEGDecoder: ImageDecoder {
    private let header: JPEGHeader
    private let data: Data
    private let options: DecodeOptions
    /// The reader that has read only the header; nil once the pixels are being decoded.
    private var fresh: JPEGReader?

    /// Creates a decoder for a file with JPEG's signature. Throws `badData` for a damaged or incomplete header, and
    /// `limitExceeded` for a profile or metadata beyond the limits of the options.
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
            // The sink may refuse the size, so memory for rows or coefficients is allocated afterward.
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

    /// Reads all scans and begins the output of the last one. Omits damaged scans if a partial result is allowed.
    /// - Returns: The error to throw after the pixels are delivered; nil if all scans were read.
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
