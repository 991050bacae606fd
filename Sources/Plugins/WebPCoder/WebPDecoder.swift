#if WEBP
import Calotype

/// Decodes one WebP of which all bytes are there.
final class WebPDecoder: ImageDecoder {
    private let file: WebPFile
    private let data: Data
    private let options: DecodeOptions

    /// A decoder of a file that has WebP's signature.
    ///
    /// Throws `badData` when the file is damaged, and where frames are missing, unless a part is allowed; and
    /// `limitExceeded` for a profile or metadata that are too long, and for too many frames.
    init(_ data: Data, options: DecodeOptions) throws {
        self.data = data
        self.options = options
        file = try data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) throws -> WebPFile in
            try WebPFile(bytes, isWhole: true, options: options)
        }
        if let failure = file.failure, !options.allowsPartial { throw failure }
    }

    var info: ImageInfo { file.info }

    /// libwebp decodes as a whole what becomes smaller, or is laid on a canvas, afterwards.
    var workingByteCount: Int {
        let isWhole = !info.frames.isEmpty || options.targetSize(of: info) != info.pixelSize
        return isWhole ? PixelLayout(size: info.pixelSize).byteCount : 0
    }

    func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
        guard file.pictures.indices.contains(frame) else { throw ImageError.noSuchFrame(frame, of: info.frameCount) }
        let picture = file.pictures[frame]
        try sink.begin(PixelLayout(size: picture.size, isOpaque: !picture.hasAlpha))
        try data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) throws -> Void in
            let bytes = UnsafeRawBufferPointer(rebasing: bytes[picture.range])
            try sink.whole { (rows: inout MutableRawSpan, bytesPerRow: Int) throws -> Void in
                try rows.withUnsafeMutableBytes { (rows: UnsafeMutableRawBufferPointer) throws -> Void in
                    let reader = try WebPReader(
                        size: picture.size,
                        rows: WebPReader.Rows(
                            base: rows.baseAddress!, bytesPerRow: bytesPerRow, byteCount: rows.count))
                    // A lossless file can have alpha though its header says that there is none. Browsers believe it.
                    defer { if !picture.hasAlpha, picture.isLossy == false { reader.makeOpaque(rows, bytesPerRow) } }
                    try reader.read(bytes, job: job)
                }
            }
        }
    }
}
#endif
