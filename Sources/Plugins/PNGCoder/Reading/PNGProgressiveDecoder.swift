#if PNG
import CPNGShim
import Calotype

/// A decoder for one PNG whose bytes are still arriving.
///
/// An interlaced picture is complete but coarse after its first pass. Of an animation, only the default image is
/// decoded. If the default image is not a frame, `decode` throws ``ImageError/nothingEarlyInPNG``.
final class PNGProgressiveDecoder: ProgressiveDecoder {
    private let options: DecodeOptions
    private var isComplete = false
    /// The first permanent error, which all later calls throw again.
    private var failure: ImageError?
    private var header: PNGHeader?
    /// The bytes that have arrived and are still needed.
    private var held = Data()
    /// The offset in `held` of the next chunk to examine. It may be beyond the end of `held`.
    private var nextChunk = PNGChunkHeader.signature.count
    private var budget = PNGChunkBudget()
    /// Whether all chunks of pixels have arrived.
    private var hasAllChunks = false
    /// The signature and the chunks that libpng receives before the pixels.
    private var preamble = Data()
    private var pusher: PNGPusher?

    init(options: DecodeOptions) {
        self.options = options
    }

    var info: ImageInfo {
        get throws { try knownHeader().info }
    }

    var workingByteCount: Int { header.map { $0.layout(options).byteCount } ?? 0 }

    func append(_ bytes: RawSpan, isLast: Bool) throws {
        precondition(!isComplete, "bytes were appended after the last ones")
        if let failure { throw failure }
        isComplete = isLast
        guard !hasAllChunks, !isHidden else { return }
        bytes.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Void in
            held.append(contentsOf: bytes)
        }
        try remembering { () throws(ImageError) in try lookAtChunks() }
    }

    func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
        guard frame == 0 else { throw ImageError.noSuchFrame(frame, of: 1) }
        let header = try knownHeader()
        // This error remains after the last byte, because the bytes were not kept.
        guard !isHidden else { throw ImageError.nothingEarlyInPNG }
        var layout = header.layout(options)
        let pusher = try self.pusher ?? startedPusher(layout, isInterlaced: header.isInterlaced)
        try push(to: pusher, job: job)
        guard !pusher.isEmpty else { throw ImageError.incompletePNG }
        layout.isOpaque = layout.isOpaque && pusher.isCovered
        try sink.begin(layout)
        for y in 0..<layout.size.height {
            try sink.row(y) { (row: inout MutableRawSpan) throws -> Void in
                row.withUnsafeMutableBytes { (row: UnsafeMutableRawBufferPointer) -> Void in
                    pusher.copyRow(y, to: row)
                }
            }
        }
    }

    private func knownHeader() throws(ImageError) -> PNGHeader {
        if let failure { throw failure }
        guard let header else { throw .incompletePNG }
        return header
    }

    /// Whether the file is an animation whose default image is not a frame. The pixels of such a file are not read.
    private var isHidden: Bool {
        guard let animation = header?.animation else { return false }
        return animation.defaultFrame == nil
    }

    /// Runs `body`. If it throws, stores the error, so that later calls throw it again.
    private func remembering(_ body: () throws(ImageError) -> Void) throws(ImageError) {
        do throws(ImageError) {
            try body()
        } catch {
            failure = error
            throw error
        }
    }

    // MARK: Chunks

    private func lookAtChunks() throws(ImageError) {
        while !hasAllChunks, !isHidden, let chunk = heldChunk() {
            if header == nil {
                if chunk.type == .pixels || !chunk.isValid {
                    try readHeader(chunk)
                } else {
                    try pass(chunk)
                }
            } else if chunk.type == .pixels {
                try pass(chunk)
            } else {
                hasAllChunks = true
                held.removeSubrange(nextChunk...)
            }
        }
        if header == nil, isComplete {
            // This throws an error that names the missing part.
            _ = try PNGHeader(of: PNGBytes(ImageBytes(held)), options: options)
        }
    }

    private func pass(_ chunk: PNGChunkHeader) throws(ImageError) {
        budget.count(chunk)
        guard !budget.isSpent else { throw .tooManyChunks }
        nextChunk = chunk.end
    }

    /// Returns the chunk at `nextChunk`, or nil if its header has not arrived.
    private func heldChunk() -> PNGChunkHeader? {
        guard held.count - nextChunk >= PNGChunkHeader.byteCount else { return nil }
        let length = held.bigEndian(at: nextChunk, count: 4)
        let type = held.bigEndian(at: nextChunk + 4, count: 4)
        return PNGChunkHeader(UInt64(length) << 32 | UInt64(type), at: nextChunk)
    }

    /// Reads the header and removes its bytes from `held`. Throws if the header is damaged.
    /// - Parameter chunk: The first chunk of pixels, or an invalid chunk before the pixels.
    private func readHeader(_ chunk: PNGChunkHeader) throws(ImageError) {
        let bytes = PNGBytes(ImageBytes(Data(held.prefix(chunk.bodyStart))))
        let header = try PNGHeader(of: bytes, options: options)
        preamble = PNGPreamble(of: header, in: bytes).data(size: header.info.pixelSize)
        self.header = header
        drop(isHidden ? held.count : chunk.start)
    }

    /// Drops the first `count` bytes of `held`, which are not needed anymore.
    private func drop(_ count: Int) {
        held = Data(held.dropFirst(count))
        nextChunk -= count
    }

    // MARK: Pixels

    /// Creates libpng's progressive reader with memory for the picture, and passes it the chunks before the pixels.
    private func startedPusher(_ layout: PixelLayout, isInterlaced: Bool) throws(ImageError) -> PNGPusher {
        let pusher = try PNGPusher(layout, isInterlaced: isInterlaced)
        try remembering { () throws(ImageError) in try Self.push(preamble[...], to: pusher) }
        self.pusher = pusher
        return pusher
    }

    /// Passes libpng the pixels that have arrived. Throws if pixels are missing and no more can arrive.
    private func push(to pusher: PNGPusher, job: Job) throws {
        // Bytes beyond `nextChunk` may belong to a chunk of another kind.
        let end = min(nextChunk, held.count)
        var count = 0
        defer { drop(count) }
        while count < end {
            try job.check()
            let piece = held[count..<min(end, count + pusher.pieceByteCount)]
            try remembering { () throws(ImageError) in try Self.push(piece, to: pusher) }
            count += piece.count
        }
        try remembering { () throws(ImageError) in
            if hasAllChunks, !pusher.isComplete {
                throw ImageError(
                    .badData, stage: .decode,
                    message: "is damaged in \(pusher.place): the remaining pixels are missing",
                    advice: "get an intact copy of the file")
            }
            // The checksum of the last chunk is required too.
            if isComplete, !hasAllChunks, !pusher.isComplete || nextChunk > held.count {
                throw ImageError.decoding(CPNG_ENDED, message: nil, in: pusher.place)
            }
        }
    }

    private static func push(_ piece: Data, to pusher: PNGPusher) throws(ImageError) {
        var failure: ImageError?
        piece.withUnsafeBytes { (piece: UnsafeRawBufferPointer) -> Void in
            do throws(ImageError) {
                try pusher.push(piece)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }
}
#endif
