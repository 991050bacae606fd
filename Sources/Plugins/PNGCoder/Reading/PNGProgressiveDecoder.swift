#if PNG
import CPNGShim
import Calotype

/// Decodes one PNG while its bytes come.
///
/// Shown are the rows that have come; of an interlaced picture all of it from its first pass on, each pixel as large as
/// the block that later passes refine. An animation is shown as the still that its first frame is, when that is the
/// default image; of any other, nothing is kept or shown.
final class PNGProgressiveDecoder: ProgressiveDecoder {
    private let options: DecodeOptions
    private var isComplete = false
    /// The final error.
    private var failure: ImageError?
    private var header: PNGHeader?
    /// The bytes that have come and have not been read: all of them until the header is there, then pixels, which are
    /// held until they are wanted.
    private var held = Data()
    /// The offset in `held` of the first chunk whose header was not examined.
    private var nextChunk = PNGChunkHeader.signature.count
    private var budget = PNGChunkBudget()
    /// Whether all chunks of pixels have come.
    private var hasAllChunks = false
    /// The bytes that libpng is given before pixels.
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
        precondition(!isComplete, "bytes appended after the last one")
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
        // It stays so when all bytes have come: they are not there any more.
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

    /// Whether the default image is no frame of the animation. Then no pixels are read.
    private var isHidden: Bool {
        guard let animation = header?.animation else { return false }
        return animation.defaultFrame == nil
    }

    /// Runs `body`, and throws an error of it again each time.
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
            // It says what is missing.
            _ = try PNGHeader(of: PNGBytes(ImageBytes(held)), options: options)
        }
    }

    private func pass(_ chunk: PNGChunkHeader) throws(ImageError) {
        budget.count(chunk)
        guard !budget.isSpent else { throw .tooManyChunks }
        nextChunk = chunk.end
    }

    /// The chunk at `nextChunk`; nil when its header has not come.
    private func heldChunk() -> PNGChunkHeader? {
        guard held.count - nextChunk >= PNGChunkHeader.byteCount else { return nil }
        let length = held.bigEndian(at: nextChunk, count: 4)
        let type = held.bigEndian(at: nextChunk + 4, count: 4)
        return PNGChunkHeader(UInt64(length) << 32 | UInt64(type), at: nextChunk)
    }

    /// Reads the header, which ends where a chunk of pixels begins, and drops its bytes. Throws where it is damaged.
    private func readHeader(_ chunk: PNGChunkHeader) throws(ImageError) {
        let bytes = PNGBytes(ImageBytes(Data(held.prefix(chunk.bodyStart))))
        let header = try PNGHeader(of: bytes, options: options)
        preamble = PNGPreamble(of: header, in: bytes).data(size: header.info.pixelSize)
        self.header = header
        drop(isHidden ? held.count : chunk.start)
    }

    /// Forgets bytes that were read.
    private func drop(_ count: Int) {
        held = Data(held.dropFirst(count))
        nextChunk -= count
    }

    // MARK: Pixels

    /// Takes memory for the picture.
    private func startedPusher(_ layout: PixelLayout, isInterlaced: Bool) throws(ImageError) -> PNGPusher {
        let pusher = try PNGPusher(layout, isInterlaced: isInterlaced)
        try remembering { () throws(ImageError) in try Self.push(preamble[...], to: pusher) }
        self.pusher = pusher
        return pusher
    }

    /// Has libpng read the pixels that have come.
    private func push(to pusher: PNGPusher, job: Job) throws {
        // What begins behind a chunk may be no pixels.
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
                    .badData, stage: .decode, message: "is damaged in \(pusher.place): there are no more pixels",
                    advice: "get it again from where it came")
            }
            // The checksum of the last chunk is one of the pixels' bytes.
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
