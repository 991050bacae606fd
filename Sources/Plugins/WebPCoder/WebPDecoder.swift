#if WEBP
import Calotype

/// A decoder for one WebP, which may be truncated if a partial result is allowed.
final class WebPDecoder: ImageDecoder {
    private let file: WebPFile
    private let data: Data
    private let options: DecodeOptions

    /// Creates a decoder for a file with WebP's signature. Throws `badData` if the file is damaged, and `limitExceeded`
    /// if it exceeds a limit. Missing frames or metadata also cause `badData`, unless a partial result is allowed.
    init(_ data: Data, options: DecodeOptions) throws {
        self.data = data
        self.options = options
        file = try data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) throws -> WebPFile in
            try WebPFile(bytes, isWhole: true, options: options)
        }
        if let failure = file.failure, !options.allowsPartial { throw failure }
    }

    var info: ImageInfo { file.info }

    /// The memory in bytes that decoding requires in addition to the result. libwebp needs memory for all pixels of a
    /// lossless picture, and for alpha. The memory for all rows is added if the picture is resized or is a frame.
    var workingByteCount: Int {
        let isWhole = !info.frames.isEmpty || options.targetSize(of: info) != info.pixelSize
        let ownByteCount = file.pictures.reduce(0) { most, picture in
            max(most, picture.size.area * (picture.isLossy == false ? 4 : picture.hasAlpha ? 2 : 0))
        }
        return ownByteCount + (isWhole ? PixelLayout(size: info.pixelSize).byteCount : 0)
    }

    func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
        guard file.pictures.indices.contains(frame) else { throw ImageError.noSuchFrame(frame, of: info.frameCount) }
        let picture = file.pictures[frame]
        // A smaller picture is made directly from the stored luma and chroma. Frames are excluded: composed frames are
        // red, green and blue, and all frames must be alike.
        if info.frames.isEmpty, picture.isLossy == true, !picture.hasAlpha {
            let layout = WebPPlanes.layout(of: picture.size)
            if try sink.beginPlanes(layout) { return try decode(picture, layout, into: &sink, job: job) }
        }
        try sink.begin(PixelLayout(size: picture.size, isOpaque: !picture.hasAlpha))
        try data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) throws -> Void in
            let bytes = UnsafeRawBufferPointer(rebasing: bytes[picture.range])
            try sink.whole { (rows: inout MutableRawSpan, bytesPerRow: Int) throws -> Void in
                try rows.withUnsafeMutableBytes { (rows: UnsafeMutableRawBufferPointer) throws -> Void in
                    let reader = try WebPReader(
                        size: picture.size,
                        rows: WebPReader.Rows(
                            base: rows.baseAddress!, bytesPerRow: bytesPerRow, byteCount: rows.count))
                    // A lossless file can contain alpha although its header denies it. Browsers trust the header.
                    defer { if !picture.hasAlpha, picture.isLossy == false { reader.makeOpaque(rows, bytesPerRow) } }
                    try reader.read(bytes, job: job)
                }
            }
        }
    }

    private func decode(
        _ picture: WebPFrame, _ layout: PlanarLayout, into sink: inout some RowSink & ~Copyable, job: Job
    ) throws {
        let planes = try WebPPlanes(layout)
        let reader = try WebPReader(size: picture.size, planes: planes)
        // The number of rows of each plane that were passed to the sink.
        var given = [0, 0, 0]
        try data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) throws -> Void in
            try reader.read(UnsafeRawBufferPointer(rebasing: bytes[picture.range]), job: job) { rowCount in
                for (index, plane) in planes.all.enumerated() {
                    let isChroma = index > 0
                    let end = isChroma ? rowCount - rowCount / 2 : rowCount
                    guard end > given[index] else { continue }
                    let rows = given[index]..<end
                    try sink.plane(
                        index, rows: rows, RawSpan(_unsafeBytes: plane.rows(rows)), bytesPerRow: plane.bytesPerRow)
                    given[index] = end
                }
            }
        }
    }
}
#endif
