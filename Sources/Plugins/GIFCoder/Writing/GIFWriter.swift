#if GIF
import CGIF
import Calotype

/// A writer for the blocks of a file, based on giflib. Use it on one thread at a time.
final class GIFWriter {
    private var data = Data()
    private var file: UnsafeMutablePointer<GifFileType>?
    /// The converter of durations to hundredths of a second. The minimum is 2, because browsers replace shorter
    /// durations with 10 hundredths.
    private var delays = FrameDelays(unit: .milliseconds(10), bounds: 2...65_535)

    /// Begins a file. Throws `outOfMemory` and `encodeFailed`.
    /// - Parameters:
    ///   - size: The size of the canvas.
    ///   - colors: The colors for frames without a palette of their own.
    init(_ size: PixelSize, colors: GIFColors) throws(ImageError) {
        var code: Int32 = 0
        file = EGifOpen(
            Unmanaged.passUnretained(self).toOpaque(),
            { file, bytes, count in
                guard let context = file?.pointee.UserData, let bytes else { return 0 }
                let writer = Unmanaged<GIFWriter>.fromOpaque(context).takeUnretainedValue()
                writer.data.append(bytes, count: Int(count))
                return count
            }, &code)
        guard let file else { throw .writingGIF(code) }
        EGifSetGifVersion(file, true)
        try withMap(of: colors) { map throws(ImageError) in
            try check(EGifPutScreenDesc(file, Int32(size.width), Int32(size.height), 8, 0, map))
        }
    }

    deinit {
        var code: Int32 = 0
        if let file { EGifCloseFile(file, &code) }
    }

    /// Writes how many times the animation plays; 0 means forever.
    func writeLoops(_ count: Int) throws(ImageError) {
        // A file without the extension plays once. The extension stores the number of repetitions after the first play.
        guard count != 1 else { return }
        let repeatCount = min(max(count - 1, 0), 65_535)
        try write(.netscapeLoops, [[1, UInt8(repeatCount & 0xFF), UInt8(repeatCount >> 8)]])
    }

    /// Writes an ICC profile.
    func writeProfile(_ profile: Data) throws(ImageError) {
        let blocks = stride(from: 0, to: profile.count, by: 255).map { Array(profile.dropFirst($0).prefix(255)) }
        try write(.profile, blocks)
    }

    /// Writes an XMP packet, which must not contain zero bytes.
    ///
    /// giflib can write only sub-blocks, but the packet is stored without them. The 258 bytes after the packet lead a
    /// reader of sub-blocks to the end of the extension.
    func writeXMP(_ packet: Data) {
        data += [UInt8(ascii: "!"), 0xFF, UInt8(GIFApplication.byteCount)]
        data += Data(GIFApplication.xmp.rawValue.utf8)
        data += packet
        data += [1] + (0...255).reversed().map { UInt8($0) } + [0]
    }

    private func write(_ application: GIFApplication, _ blocks: [[UInt8]]) throws(ImageError) {
        try check(EGifPutExtensionLeader(file, Int32(APPLICATION_EXT_FUNC_CODE)))
        for block in [Array(application.rawValue.utf8)] + blocks {
            try check(EGifPutExtensionBlock(file, Int32(block.count), block))
        }
        try check(EGifPutExtensionTrailer(file))
    }

    /// Begins a frame. All rows of the frame's region must follow.
    /// - Parameters:
    ///   - duration: The time for which the frame is shown; nil for a still image.
    ///   - colors: The frame's own colors; nil to use the palette of the file.
    ///   - clear: The index of undrawn pixels; nil if all are drawn.
    func beginFrame(
        _ region: PixelRegion, disposal: FrameInfo.Disposal, duration: Duration?, colors: GIFColors?, clear: UInt8?
    ) throws(ImageError) {
        if duration != nil || clear != nil {
            var block = GraphicsControlBlock()
            block.DisposalMode = disposal == .background ? Int32(DISPOSE_BACKGROUND) : Int32(DISPOSE_DO_NOT)
            block.DelayTime = Int32(duration.map { delays.next($0) } ?? 0)
            block.TransparentColor = clear.map { Int32($0) } ?? Int32(NO_TRANSPARENT_COLOR)
            var bytes = [UInt8](repeating: 0, count: 4)
            EGifGCBToExtension(&block, &bytes)
            try check(EGifPutExtension(file, Int32(GRAPHICS_EXT_FUNC_CODE), 4, bytes))
        }
        if colors == nil { forgetColors() }
        try withMap(of: colors) { map throws(ImageError) in
            try check(
                EGifPutImageDesc(
                    file, Int32(region.x), Int32(region.y), Int32(region.size.width), Int32(region.size.height), false,
                    map))
        }
    }

    /// Frees the palette of the previous frame. giflib would leak it if the next frame has no palette.
    private func forgetColors() {
        guard let map = file?.pointee.Image.ColorMap else { return }
        GifFreeMapObject(map)
        file?.pointee.Image.ColorMap = nil
    }

    /// Writes the palette indices of the next row of the current frame.
    func writeRow(_ indices: inout [UInt8]) throws(ImageError) {
        try check(EGifPutLine(file, &indices, Int32(indices.count)))
    }

    /// Ends the file and returns it.
    func finish() throws(ImageError) -> Data {
        var code: Int32 = 0
        let status = EGifCloseFile(file, &code)
        file = nil
        guard status == GIF_OK else { throw .writingGIF(code) }
        return data
    }

    private func check(_ status: Int32) throws(ImageError) {
        guard status == GIF_OK else { throw .writingGIF(file?.pointee.Error ?? 0) }
    }

    /// Calls `body` with a palette in giflib's form, or with nil if `colors` is nil.
    private func withMap(
        of colors: GIFColors?, _ body: (UnsafeMutablePointer<ColorMapObject>?) throws(ImageError) -> Void
    ) throws(ImageError) {
        guard let colors else { return try body(nil) }
        var entries = colors.palette.colors.map { GifColorType(Red: $0.x, Green: $0.y, Blue: $0.z) }
        // The number of entries is a power of two, at least two.
        let leastCount = entries.count + (colors.clear == nil ? 0 : 1)
        var count = 2
        while count < leastCount { count *= 2 }
        entries += Array(repeating: GifColorType(), count: count - entries.count)
        guard let map = GifMakeMapObject(Int32(count), entries) else { throw .writingGIF(E_GIF_ERR_NOT_ENOUGH_MEM) }
        defer { GifFreeMapObject(map) }
        try body(map)
    }
}
#endif
