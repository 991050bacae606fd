#if PNG
import Calotype

/// Decodes one PNG. The header is read when it is made, the pixels by a reader of their own each time.
struct PNGDecoder: ImageDecoder {
    let info: ImageInfo

    private let bytes: ImageBytes
    private let isInterlaced: Bool
    private let options: DecodeOptions

    /// A decoder of a file that has PNG's signature.
    ///
    /// Throws `badData` when the header is damaged or incomplete, and `limitExceeded` for a profile that is too long.
    init(_ bytes: ImageBytes, options: DecodeOptions) throws(ImageError) {
        self.bytes = bytes
        self.options = options
        let reader = try PNGReader(bytes)
        info = try reader.readInfo(maxProfileBytes: options.context[.maxProfileBytes])
        isInterlaced = reader.isInterlaced
    }

    func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
        guard frame == 0 else {
            throw ImageError(
                .noSuchFrame, stage: .decode, message: "has one frame, so there is no frame \(frame)",
                advice: "frames are counted from 0")
        }
        let layout = self.layout
        let reader = try PNGReader(bytes)
        try reader.skipHeader()
        // The sink refuses what is too large; only then is memory taken for rows.
        try sink.begin(layout)
        let passCount = try reader.startRows(layout)
        guard passCount > 1 else {
            for y in 0..<layout.size.height {
                try sink.row(y) { (row: inout MutableRawSpan) throws -> Void in
                    try row.withUnsafeMutableBytes { (row: UnsafeMutableRawBufferPointer) throws -> Void in
                        try reader.readRow(y, into: row)
                    }
                }
            }
            return
        }
        try sink.whole { (rows: inout MutableRawSpan, bytesPerRow: Int) throws -> Void in
            try rows.withUnsafeMutableBytes { (rows: UnsafeMutableRawBufferPointer) throws -> Void in
                try Self.readPasses(passCount, of: layout, from: reader, into: rows, bytesPerRow, job: job)
            }
        }
    }

    private var layout: PixelLayout {
        // Colours that are converted are rounded once, behind the conversion; but not where that takes the memory of
        // two pictures.
        let isConverted = info.profile != .sRGB && options.convertsColors && !isInterlaced
        let isDeep = info.bitDepth == 16 && (options.nativeDepth || isConverted)
        return PixelLayout(
            size: info.pixelSize, format: isDeep ? .rgba16 : .rgba8, isOpaque: !info.hasAlpha,
            isGray: info.colorModel == .gray)
    }

    /// Reads an interlaced picture: each pass goes through all rows and fills in more of their pixels.
    private static func readPasses(
        _ passCount: Int, of layout: PixelLayout, from reader: PNGReader, into rows: UnsafeMutableRawBufferPointer,
        _ bytesPerRow: Int, job: Job
    ) throws {
        let last = (layout.size.height - 1) * bytesPerRow
        precondition(rows.count >= last + layout.rowByteCount, "\(rows.count) bytes for \(layout.size) pixels")
        for pass in 0..<passCount {
            for y in 0..<layout.size.height {
                try job.check()
                let start = y * bytesPerRow
                let row = UnsafeMutableRawBufferPointer(rebasing: rows[start..<start + layout.rowByteCount])
                try reader.readRow(y, pass: pass, into: row)
            }
        }
    }
}
#endif
