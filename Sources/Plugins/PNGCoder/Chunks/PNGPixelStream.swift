#if PNG && DEFLATE
import CDeflate
import Calotype

/// The compressed pixels of a picture, collected from the chunks of a file into contiguous memory.
struct PNGPixelStream {
    /// The base-2 logarithm of the maximum window size of the zlib format: 15, for a window of 32 KiB.
    private static let mostWindowBits = 15

    /// The stream, in the zlib format.
    private let bytes: Data

    /// Collects the compressed pixels of the default image. Returns nil if they are missing, damaged or longer than
    /// `limit` bytes, if there are too many small chunks, or if there is not enough memory.
    init?(of header: PNGHeader, in bytes: PNGBytes, limit: Int) {
        let chunks = PNGChunkWalker(bytes, from: header.pixelOffset, usedCount: header.smallChunkCount)
        self.init(chunks, in: bytes, limit: min(limit, bytes.byteCount - header.pixelOffset)) { chunk in
            chunk.type == .pixels ? .pixels(after: 0) : .end
        }
    }

    /// Collects the compressed pixels of a frame that is not the default image. Returns nil in the same cases as
    /// ``init(of:in:limit:)``, and also if the sequence numbers of the chunks are wrong.
    init?(at place: PNGAnimation.Place, in bytes: PNGBytes, limit: Int) {
        let chunks = PNGChunkWalker(bytes, from: place.start, usedCount: PNGPreamble.mostChunks)
        var sequenceNumber = place.sequenceNumber
        self.init(chunks, in: bytes, limit: min(limit, bytes.byteCount - place.start)) { chunk in
            guard chunk.type == .framePixels else {
                return chunk.type.isAncillary && chunk.type != .frameControl ? .other : .end
            }
            guard chunk.length >= PNGFrameBytes.numberByteCount,
                bytes.readNumber(UInt32.self).map({ Int($0) }) == sequenceNumber
            else { return .damage }
            sequenceNumber += 1
            return .pixels(after: PNGFrameBytes.numberByteCount)
        }
    }

    /// The role of a chunk in the search for compressed pixels.
    private enum Content {
        /// The chunk contains pixels. The associated value is the number of bytes that precede them in its body.
        case pixels(after: Int)
        case other
        /// The first chunk after the pixels.
        case end
        case damage
    }

    private init?(
        _ chunks: PNGChunkWalker, in bytes: PNGBytes, limit: Int, content: (PNGChunkHeader) -> Content
    ) {
        let stream = try? Data(count: max(0, limit), at: .decode) { target in
            var chunks = chunks
            var rest = target[...]
            // An incomplete chunk ends the search: the chunks before it may contain the whole stream.
            search: while let chunk = chunks.next(), chunk.isValid, chunk.end <= bytes.byteCount {
                switch content(chunk) {
                case .pixels(let start):
                    let byteCount = chunk.length - start
                    let part = UnsafeMutableRawBufferPointer(rebasing: rest.prefix(byteCount))
                    guard part.count == byteCount, bytes.readBody(of: chunk, from: start, into: part) else { return 0 }
                    rest = rest.dropFirst(byteCount)
                case .other: continue
                case .end: break search
                case .damage: return 0
                }
            }
            return chunks.isExhausted ? 0 : target.count - rest.count
        }
        guard let stream, !stream.isEmpty else { return nil }
        self.bytes = stream
    }

    /// Returns whether the stream's window is large enough for every back-reference in `byteCount` inflated bytes. zlib
    /// refuses back-references to bytes before the window, and libdeflate ignores the window size. Source: RFC 1950,
    /// section 2.2.
    func hasWindow(for byteCount: Int) -> Bool {
        let windowBits = Int(bytes.first ?? 0) >> 4 + 8
        return windowBits == Self.mostWindowBits || (windowBits < Self.mostWindowBits && byteCount <= 1 << windowBits)
    }

    /// Inflates the whole stream. Returns false if the stream is damaged, does not fill `target` exactly, or is
    /// followed by other bytes.
    func inflate(into target: UnsafeMutableRawBufferPointer) -> Bool {
        guard let decompressor = libdeflate_alloc_decompressor() else { return false }
        defer { libdeflate_free_decompressor(decompressor) }
        var readCount = 0
        let result = bytes.withUnsafeBytes { bytes in
            libdeflate_zlib_decompress_ex(
                decompressor, bytes.baseAddress, bytes.count, target.baseAddress, target.count, &readCount, nil)
        }
        return result == LIBDEFLATE_SUCCESS && readCount == bytes.count
    }
}
#endif
