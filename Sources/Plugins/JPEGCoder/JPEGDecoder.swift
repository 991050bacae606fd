#if JPEG
import Calotype

/// A decoder for one complete JPEG. The first decode continues with the reader that the initializer created.
final class JPEGDecoder: ImageDecoder {
    let workingByteCount: Int
    private let header: JPEGHeader
    private let bytes: ImageBytes
    private let options: DecodeOptions
    /// The input of which only the header was read; nil once the pixels are being decoded.
    private var fresh: JPEGInput?

    /// Creates a decoder for a file with JPEG's signature. Throws `badData` for a damaged or incomplete header,
    /// `limitExceeded` for a profile or metadata beyond the limits of the options, and the error of bytes that cannot
    /// be read.
    init(_ bytes: ImageBytes, options: DecodeOptions) throws {
        self.bytes = bytes
        self.options = options
        let input = try JPEGInput(bytes, options: options)
        header = input.header
        workingByteCount = header.coefficientByteCount + input.gatheredByteCount
        fresh = input
    }

    var info: ImageInfo { header.info }

    func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
        guard frame == 0 else { throw ImageError.noSuchFrame(frame, of: 1) }
        let input = try fresh ?? JPEGInput(bytes, options: nil)
        fresh = nil
        try input.withReader(job: job) { reader in
            let limits = JPEGScanLimits(options.context)
            if header.hasScans { try input.checkScans(limits: limits) }
            let output = try reader.setDivisor(options.jpegDivisor(for: header.info), of: header)
            // The sink may refuse the size, so memory for rows or coefficients is allocated afterward.
            let givesPlanes = try output.begin(in: &sink)
            try reader.start(
                givesPlanes: givesPlanes, maxCoefficientBytes: options.context[.jpegMaxCoefficientBytes])
            let failure = header.hasScans ? try startOutput(of: reader, limits: limits, job: job) : nil
            try reader.readPixels(output, into: &sink) { try input.provideMore(job: job) }
            if let failure { throw failure }
        }
    }

    /// Reads all scans and begins the output of the last one. Omits damaged scans if a partial result is allowed.
    /// - Returns: The error to throw after the pixels are delivered; nil if all scans were read.
    private func startOutput(
        of reader: JPEGReader, limits: JPEGScanLimits, job: Job
    ) throws(ImageError) -> ImageError? {
        do throws(ImageError) {
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
