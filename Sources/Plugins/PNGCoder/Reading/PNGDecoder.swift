#if PNG
import Calotype

/// Decodes one PNG. What stands before the pixels is read when it is made, and the headers of an animation's chunks;
/// the same reader reads the pixels, the first time that the default image is wanted. Otherwise each frame has its own
/// reader.
final class PNGDecoder: ImageDecoder {
    let info: ImageInfo

    private let header: PNGHeader
    /// The frames, and what stands before the pixels of each; nil for a still.
    private let animation: (index: PNGAnimation, preamble: PNGPreamble)?
    private let bytes: PNGBytes
    private let options: DecodeOptions
    /// Has read what stands before the pixels, and nothing else; nil when it was used.
    private var fresh: PNGReader?

    /// An interlaced picture is there as a whole before it is made smaller, or laid on a canvas.
    var workingByteCount: Int {
        let isWhole = header.isInterlaced && (animation != nil || options.targetSize(of: info) != info.pixelSize)
        return isWhole ? header.layout(options).byteCount : 0
    }

    /// A decoder of a file that has PNG's signature.
    ///
    /// Throws `badData` when the header is damaged or incomplete, and where frames are missing, unless a part is
    /// allowed; and `limitExceeded` for a profile or metadata that are too long, and for too many frames.
    init(_ bytes: ImageBytes, options: DecodeOptions) throws(ImageError) {
        let bytes = PNGBytes(bytes)
        let reader = try PNGReader(bytes, byteCount: bytes.byteCount)
        let header = try PNGHeader(by: reader, of: bytes, options: options)
        var info = header.info
        let index = header.animation.map { PNGAnimation($0, of: header, in: bytes) }
        // A default image that is no frame is no part of the animation either.
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
        self.bytes = bytes
        self.options = options
        fresh = reader
    }

    func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
        guard (0..<info.frameCount).contains(frame) else { throw ImageError.noSuchFrame(frame, of: info.frameCount) }
        var layout = header.layout(options)
        let reader: PNGReader
        if let animation, let place = animation.index.frames[frame].place {
            layout.size = info.frames[frame].region.size
            let preamble = animation.preamble.data(size: layout.size)
            reader = try PNGReader(PNGFrameBytes(bytes, at: place, preamble: preamble), ofFrame: frame)
            try reader.skipHeader()
        } else {
            reader = try readerOfDefaultImage()
        }
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
                try readPasses(passCount, of: layout, from: reader, into: rows, bytesPerRow, job: job)
            }
        }
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

    /// Reads an interlaced picture: each pass goes through all rows and fills in more of their pixels.
    private func readPasses(
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
                // It takes longer, and is seen only where the picture remains a part.
                try reader.readRow(y, pass: pass, fillsBlocks: options.allowsPartial, into: row)
            }
        }
    }
}
#endif
