#if PNG
import CPNGShim
import Calotype

/// A decoder for one PNG. When libpng first decodes the default image, decoding continues with the reader that the
/// initializer created.
final class PNGDecoder: ImageDecoder {
    let info: ImageInfo

    private let header: PNGHeader
    #if DEFLATE
    /// Whether libdeflate inflates complete pictures. Default: true.
    var inflatesAtOnce = true
    let storedForm: cpng_stored_form
    #endif
    /// The frames, and the chunks that libpng needs before the pixels of each frame; nil for a still image.
    private let animation: (index: PNGAnimation, preamble: PNGPreamble)?
    private let bytes: PNGBytes
    private let options: DecodeOptions
    /// The reader that has read the header but no pixels; nil once it has been used to decode the default image.
    private var fresh: PNGReader?

    /// The memory in bytes that decoding needs in addition to the result. Only two kinds of pictures need such memory:
    /// pictures that are inflated at once, and interlaced pictures that are resized or belong to an animation.
    var workingByteCount: Int {
        if header.isInterlaced {
            let isWhole = animation != nil || options.targetSize(of: info) != info.pixelSize
            return isWhole ? header.layout(options).byteCount : 0
        }
        #if DEFLATE
        guard inflatesAtOnce else { return 0 }
        return PNGInflatedRows.workingByteCount(of: storedForm, info.pixelSize, fileByteCount: bytes.byteCount) ?? 0
        #else
        return 0
        #endif
    }

    /// Creates a decoder for a file with PNG's signature.
    ///
    /// Throws `badData` if the header is damaged or incomplete, or if frames are missing and a partial result is not
    /// allowed or not possible. Throws `limitExceeded` if a profile or requested metadata are too long, or if there are
    /// too many frames.
    init(_ bytes: ImageBytes, options: DecodeOptions) throws(ImageError) {
        let bytes = PNGBytes(bytes)
        let reader = try PNGReader(bytes, byteCount: bytes.byteCount)
        let header = try PNGHeader(by: reader, of: bytes, options: options)
        var info = header.info
        let index = header.animation.map { PNGAnimation($0, of: header, in: bytes) }
        // Without a frame there is no partial result: the default image does not belong to the animation.
        if let index, let failure = index.failure, !options.allowsPartial || index.frames.isEmpty { throw failure }
        info.lacksFrames = index?.failure != nil
        if let index, !index.isStill {
            animation = (index, PNGPreamble(of: header, in: bytes))
            info.frames = index.frames.map(\.info)
            info.loopCount = index.loopCount
            info.hasAlpha = info.hasAlpha || index.leavesGaps
        } else {
            animation = nil
        }
        self.info = info
        self.header = header
        #if DEFLATE
        storedForm = reader.storedForm
        #endif
        self.bytes = bytes
        self.options = options
        fresh = reader
    }

    func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
        guard (0..<info.frameCount).contains(frame) else { throw ImageError.noSuchFrame(frame, of: info.frameCount) }
        var layout = header.layout(options)
        let place = place(ofFrame: frame)
        if place != nil { layout.size = info.frames[frame].region.size }
        // The sink may refuse the size, so memory for rows is allocated afterward.
        try sink.begin(layout)
        #if DEFLATE
        if var rows = inflatedRows(ofFrame: frame, layout) {
            try Self.write(layout.size.height, to: &sink) { y, row in rows.expandRow(y, into: row) }
            return
        }
        #endif
        let reader = try reader(at: place, size: layout.size, frame: frame)
        let passCount = try reader.startRows(layout)
        guard passCount > 1 else {
            return try Self.write(layout.size.height, to: &sink) { y, row in try reader.readRow(y, into: row) }
        }
        try sink.whole { (rows: inout MutableRawSpan, bytesPerRow: Int) throws -> Void in
            try rows.withUnsafeMutableBytes { (rows: UnsafeMutableRawBufferPointer) throws -> Void in
                try readPasses(passCount, of: layout, from: reader, into: rows, bytesPerRow, job: job)
            }
        }
    }

    /// Returns the position of a frame's pixels; nil for the default image.
    private func place(ofFrame frame: Int) -> PNGAnimation.Place? { animation?.index.frames[frame].place }

    /// Writes rows to a sink, one after another.
    private static func write(
        _ count: Int, to sink: inout some RowSink & ~Copyable,
        _ body: (_ y: Int, _ row: UnsafeMutableRawBufferPointer) throws -> Void
    ) throws {
        for y in 0..<count {
            try sink.row(y) { (row: inout MutableRawSpan) throws -> Void in
                try row.withUnsafeMutableBytes { (row: UnsafeMutableRawBufferPointer) throws -> Void in
                    try body(y, row)
                }
            }
        }
    }

    #if DEFLATE
    /// Returns the inflated rows of a frame; nil if libpng must decode the frame.
    func inflatedRows(ofFrame frame: Int, _ layout: PixelLayout) -> PNGInflatedRows? {
        guard inflatesAtOnce, !header.isInterlaced else { return nil }
        return PNGInflatedRows(storedForm, layout) { limit in
            if let place = place(ofFrame: frame) { return PNGPixelStream(at: place, in: bytes, limit: limit) }
            return PNGPixelStream(of: header, in: bytes, limit: limit)
        }
    }
    #endif

    /// Returns a reader that has read the header of a picture but no pixels.
    private func reader(
        at place: PNGAnimation.Place?, size: PixelSize, frame: Int
    ) throws(ImageError) -> PNGReader {
        guard let animation, let place else { return try readerOfDefaultImage() }
        let preamble = animation.preamble.data(size: size)
        let reader = try PNGReader(PNGFrameBytes(bytes, at: place, preamble: preamble), ofFrame: frame)
        try reader.skipHeader()
        return reader
    }

    private func readerOfDefaultImage() throws(ImageError) -> PNGReader {
        if let fresh {
            self.fresh = nil
            bytes.seek(to: header.endOffset)
            return fresh
        }
        bytes.seek(to: 0)
        let reader = try PNGReader(bytes, byteCount: bytes.byteCount)
        try reader.skipHeader()
        return reader
    }

    /// Reads the rows of an interlaced picture. Each pass goes through all rows and fills in more pixels.
    private func readPasses(
        _ passCount: Int, of layout: PixelLayout, from reader: PNGReader, into rows: UnsafeMutableRawBufferPointer,
        _ bytesPerRow: Int, job: Job
    ) throws {
        let last = (layout.size.height - 1) * bytesPerRow
        precondition(
            rows.count >= last + layout.rowByteCount, "\(rows.count) bytes are too few for \(layout.size) pixels")
        for pass in 0..<passCount {
            for y in 0..<layout.size.height {
                try job.check()
                let start = y * bytesPerRow
                let row = UnsafeMutableRawBufferPointer(rebasing: rows[start..<start + layout.rowByteCount])
                // Filling blocks takes longer and is only visible if the picture remains incomplete.
                try reader.readRow(y, pass: pass, fillsBlocks: options.allowsPartial, into: row)
            }
        }
    }
}
#endif
