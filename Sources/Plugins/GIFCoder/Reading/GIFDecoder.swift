#if GIF
import Calotype

/// A decoder for one GIF, which may be truncated if a partial result is allowed.
final class GIFDecoder: ImageDecoder {
    private let file: GIFFile
    private let data: Data
    private let options: DecodeOptions
    /// The reader of the last frame, for reuse; nil before the first frame, and after a failed frame.
    private var idleReader: GIFReader?

    /// Creates a decoder for a file with GIF's signature.
    ///
    /// Throws `badData` if there is no frame, and `limitExceeded` if a limit is exceeded. A truncated file or a frame
    /// without pixels also causes `badData`, unless a partial result is allowed.
    init(_ data: Data, options: DecodeOptions) throws {
        self.data = data
        self.options = options
        file = try data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) throws -> GIFFile in
            try GIFFile(bytes, options: options)
        }
        if let failure = file.failure, !options.allowsPartial { throw failure }
    }

    var info: ImageInfo { file.info }

    /// The memory in bytes for all rows of a frame, if an interlaced frame is resized or composed; otherwise 0.
    var workingByteCount: Int {
        let isWhole =
            file.frames.contains(where: \.isInterlaced)
            && (!info.frames.isEmpty || options.targetSize(of: info) != info.pixelSize)
        return isWhole ? PixelLayout(size: info.pixelSize).byteCount : 0
    }

    func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
        guard file.frames.indices.contains(frame) else { throw ImageError.noSuchFrame(frame, of: info.frameCount) }
        let frame = file.frames[frame]
        let layout = PixelLayout(
            size: frame.info.region.size, isOpaque: frame.transparentIndex == nil && !frame.isHidden)
        try sink.begin(layout)
        guard !frame.isHidden else {
            try sink.row(0) { (row: inout MutableRawSpan) throws -> Void in
                row.withUnsafeMutableBytes { (row: UnsafeMutableRawBufferPointer) -> Void in
                    row.initializeMemory(as: UInt8.self, repeating: 0)
                }
            }
            return
        }
        try data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) throws -> Void in
            let reader = try idleReader ?? GIFReader()
            idleReader = nil
            try reader.begin(frame, in: bytes)
            let palette = GIFPalette(of: frame, in: bytes)
            if frame.isInterlaced {
                try sink.whole { (rows: inout MutableRawSpan, bytesPerRow: Int) throws -> Void in
                    try rows.withUnsafeMutableBytes { (rows: UnsafeMutableRawBufferPointer) throws -> Void in
                        try readPasses(of: frame, from: reader, palette, into: rows, bytesPerRow, job: job)
                    }
                }
            } else {
                for y in 0..<layout.size.height {
                    try sink.row(y) { (row: inout MutableRawSpan) throws -> Void in
                        let line = try reader.line(y)
                        row.withUnsafeMutableBytes { palette.write(line, to: $0) }
                    }
                }
            }
            idleReader = reader
        }
        // All rows may exist without the end of the frame.
        if !frame.isWhole, let failure = file.failure { throw failure }
    }

    /// The passes of an interlaced frame: the first row of each pass, and the distance from one row of the pass to the
    /// next. Source: Graphics Interchange Format, version 89a, appendix E.
    private static let passes: [(start: Int, step: Int)] = [(0, 8), (4, 8), (2, 4), (1, 2)]

    private func readPasses(
        of frame: GIFFrame, from reader: GIFReader, _ palette: GIFPalette, into rows: UnsafeMutableRawBufferPointer,
        _ bytesPerRow: Int, job: Job
    ) throws {
        let size = frame.info.region.size
        var line = 0
        for pass in Self.passes {
            // The number of rows that this row fills until their own pixels are read.
            let span = options.allowsPartial ? (pass.start == 0 ? 8 : pass.start) : 1
            for y in stride(from: pass.start, to: frame.size.height, by: pass.step) {
                try job.check()
                let indices = try reader.line(line)
                line += 1
                for row in y..<max(y, min(y + span, size.height)) {
                    let start = row * bytesPerRow
                    palette.write(
                        indices, to: UnsafeMutableRawBufferPointer(rebasing: rows[start..<start + size.width * 4]))
                }
            }
        }
    }
}
#endif
