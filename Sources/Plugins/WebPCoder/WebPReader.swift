#if WEBP
import CWebP
import Calotype

/// libwebp's incremental decoder. Use an instance on one thread at a time.
final class WebPReader {
    /// The caller's memory for the rows of a picture, from the top: RGBA with straight alpha.
    struct Rows {
        let base: UnsafeMutableRawPointer
        let bytesPerRow: Int
        let byteCount: Int
    }

    /// The number of pixels above which a picture is decoded in several pieces, with a check of the job between them.
    private static let mostPixelsAtOnce = 1 << 22

    /// The configuration of a decoder that writes to memory of the caller; nil if libwebp allocates the memory.
    private let configuration: UnsafeMutablePointer<WebPDecoderConfig>?
    private let decoder: OpaquePointer
    private let size: PixelSize
    /// Whether the whole picture was decoded.
    private(set) var isDone = false

    /// Creates a reader that decodes RGBA into `rows`, which must outlive the reader. Throws `outOfMemory`.
    convenience init(size: PixelSize, rows: Rows) throws(ImageError) {
        try self.init(size: size, MODE_RGBA) { output in
            output.u.RGBA = WebPRGBABuffer(
                rgba: rows.base.assumingMemoryBound(to: UInt8.self), stride: Int32(rows.bytesPerRow),
                size: rows.byteCount)
        }
    }

    /// Creates a reader that decodes luma and chroma into `planes`, which must outlive the reader. Throws
    /// `outOfMemory`.
    convenience init(size: PixelSize, planes: WebPPlanes) throws(ImageError) {
        let (y, u, v) = (planes.all[0], planes.all[1], planes.all[2])
        try self.init(size: size, MODE_YUV) { output in
            output.u.YUVA = WebPYUVABuffer(
                y: y.base, u: u.base, v: v.base, a: nil, y_stride: Int32(y.bytesPerRow),
                u_stride: Int32(u.bytesPerRow), v_stride: Int32(v.bytesPerRow), a_stride: 0, y_size: y.byteCount,
                u_size: u.byteCount, v_size: v.byteCount, a_size: 0)
        }
    }

    private init(
        size: PixelSize, _ mode: WEBP_CSP_MODE, _ setMemory: (inout WebPDecBuffer) -> Void
    ) throws(ImageError) {
        let configuration = UnsafeMutablePointer<WebPDecoderConfig>.allocate(capacity: 1)
        configuration.initialize(to: WebPDecoderConfig())
        WebPInitDecoderConfig(configuration)
        configuration.pointee.output.colorspace = mode
        configuration.pointee.output.is_external_memory = 1
        setMemory(&configuration.pointee.output)
        guard let decoder = WebPIDecode(nil, 0, configuration) else {
            configuration.deallocate()
            throw .noMemoryForWebP(.decode)
        }
        (self.size, self.configuration, self.decoder) = (size, configuration, decoder)
    }

    /// Creates a reader that decodes into memory of libwebp. Throws `outOfMemory`.
    init(size: PixelSize) throws(ImageError) {
        guard let decoder = WebPINewRGB(MODE_RGBA, nil, 0, 0) else { throw .noMemoryForWebP(.decode) }
        (self.size, self.configuration, self.decoder) = (size, nil, decoder)
    }

    deinit {
        WebPIDelete(decoder)
        configuration?.deallocate()
    }

    /// The number of rows that have been decoded, from the top.
    var rowCount: Int {
        var last: Int32 = 0
        // The function works for rows and for planes.
        guard WebPIDecodedArea(decoder, nil, nil, nil, &last) != nil else { return 0 }
        return Int(last)
    }

    /// Decodes a picture of which no more bytes will arrive. Throws `badData` if the bytes are damaged or truncated;
    /// the rows before the fault have then been decoded. Also throws `outOfMemory`, and the errors of the job and of
    /// `onRows`.
    /// - Parameter onRows: A closure that is called after each piece with the number of rows decoded so far.
    func read(_ bytes: UnsafeRawBufferPointer, job: Job, onRows: (Int) throws -> Void = { _ in }) throws {
        let base = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
        // libwebp rereads some bytes after each piece, so the pieces are large. A picture of at most `mostPixelsAtOnce`
        // pixels, which takes about 60 ms, is one piece.
        let isShort = size.area <= Self.mostPixelsAtOnce
        let pieceByteCount = isShort ? bytes.count : max(256 << 10, bytes.count / 16 + 1)
        var end = 0
        while end < bytes.count {
            try job.check()
            end = min(bytes.count, end + pieceByteCount)
            try check(WebPIUpdate(decoder, base, end))
            try onRows(rowCount)
            if isDone { return }
        }
        throw ImageError.cutOffWebP(in: place)
    }

    /// Copies the next bytes of the picture and decodes as many rows as possible. Ignores bytes after the picture.
    func append(_ bytes: UnsafeRawBufferPointer) throws(ImageError) {
        guard let base = bytes.baseAddress, !isDone else { return }
        try check(WebPIAppend(decoder, base.assumingMemoryBound(to: UInt8.self), bytes.count))
    }

    /// Makes all pixels of the rows decoded so far opaque. `rows` is the memory into which this reader decodes.
    func makeOpaque(_ rows: UnsafeMutableRawBufferPointer, _ bytesPerRow: Int) {
        for y in 0..<rowCount {
            for x in 0..<size.width { rows[y * bytesPerRow + x * 4 + 3] = 255 }
        }
    }

    /// Copies row `y` of the picture to `target`. If the row was not decoded yet, writes transparent pixels.
    /// - Parameters:
    ///   - rowCount: The current value of ``rowCount``.
    ///   - isOpaque: Whether to make the pixels of a decoded row opaque.
    func copyRow(_ y: Int, of rowCount: Int, isOpaque: Bool, to target: UnsafeMutableRawBufferPointer) {
        var bytesPerRow: Int32 = 0
        guard y < rowCount, let base = WebPIDecGetRGB(decoder, nil, nil, nil, &bytesPerRow) else {
            target.initializeMemory(as: UInt8.self, repeating: 0)
            return
        }
        target.copyMemory(from: UnsafeRawBufferPointer(start: base + y * Int(bytesPerRow), count: size.width * 4))
        if isOpaque { for x in 0..<size.width { target[x * 4 + 3] = 255 } }
    }

    /// A description of the next row to decode, for errors.
    var place: String { "row \(min(rowCount + 1, size.height)) of \(size.height)" }

    private func check(_ status: VP8StatusCode) throws(ImageError) {
        switch status {
        case VP8_STATUS_OK: isDone = true
        case VP8_STATUS_SUSPENDED, VP8_STATUS_NOT_ENOUGH_DATA: break
        case VP8_STATUS_OUT_OF_MEMORY: throw .noMemoryForWebP(.decode)
        default: throw .damagedWebP(in: place)
        }
    }
}
#endif
