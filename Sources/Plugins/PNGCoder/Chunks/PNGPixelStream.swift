#if PNG && DEFLATE
import CDeflate
import Calotype

/// The compressed pixels of a picture, collected from the chunks of a file into contiguous memory.
struct PNGPixelStream {
    /// The base-2 logarithm of the largest window of the format, 32 KiB.
    private static let mostWindowBits = 15

    /// The stream, in the zlib format.
    private let bytes: Data

    /// Collects the chunks of pixels of the default image. Returns nil if a chunk is damaged or incomplete, there are
    /// too many small chunks, or the chunks have more than `limit` bytes together.
    /// - Parameter start: The offset in the file of the first chunk of pixels.
    init?(of bytes: PNGBytes, at start: Int, limit: Int) {
        self.init(bytes, from: start, limit: limit) { chunk in chunk.type == .pixels ? .pixels(0) : .end }
    }

    /// Collects the chunks of pixels of a frame that is not the default image. Also returns nil if the sequence numbers
    /// of the chunks are wrong.
    init?(of bytes: PNGBytes, at place: PNGAnimation.Place, limit: Int) {
        var sequenceNumber = place.sequenceNumber
        self.init(bytes, from: place.start, limit: limit) { chunk in
            guard chunk.type == .framePixels else {
                return chunk.type.isAncillary && chunk.type != .frameControl ? .other : .end
            }
            guard chunk.length >= PNGFrameBytes.numberByteCount,
                bytes.readNumber(UInt32.self).map({ Int($0) }) == sequenceNumber
            else { return .damage }
            sequenceNumber += 1
            return .pixels(PNGFrameBytes.numberByteCount)
        }
    }

    /// The meaning of a chunk.
    private enum Content {
        /// Pixels, after a number of other bytes.
        case pixels(Int)
        case other
        /// The first chunk after the pixels.
        case end
        case damage
    }

    private init?(
        _ bytes: PNGBytes, from start: Int, limit: Int, content: (PNGChunkHeader) -> Content
    ) {
        var chunks = PNGChunkWalker(bytes, from: start)
        var found: [(chunk: PNGChunkHeader, offset: Int)] = []
        var byteCount = 0
        search: while let chunk = chunks.next(), chunk.isValid, chunk.end <= bytes.byteCount {
            switch content(chunk) {
            case .pixels(let offset):
                byteCount += chunk.length - offset
                guard byteCount <= limit else { return nil }
                found.append((chunk, offset))
            case .other: continue
            case .end: break search
            case .damage: return nil
            }
        }
        guard !found.isEmpty else { return nil }
        let stream = try? Data(count: byteCount, at: .decode) { target in
            var rest = target[...]
            for (chunk, offset) in found {
                let part = UnsafeMutableRawBufferPointer(rebasing: rest.prefix(chunk.length - offset))
                guard bytes.readBody(of: chunk, from: offset, into: part) else { return 0 }
                rest = rest.dropFirst(part.count)
            }
            return byteCount
        }
        guard let stream, stream.count == byteCount else { return nil }
        self.bytes = stream
    }

    /// Returns whether the window that the stream states suffices for any stream of `byteCount` inflated bytes.
    ///
    /// zlib refuses distances beyond the window, and libdeflate ignores the window. If this returns true, both accept
    /// the same distances. Source: RFC 1950, section 2.2.
    func hasWindow(for byteCount: Int) -> Bool {
        let windowBits = Int(bytes.first ?? 0) >> 4 + 8
        return windowBits == Self.mostWindowBits || (windowBits < Self.mostWindowBits && byteCount <= 1 << windowBits)
    }

    /// Inflates the whole stream. Returns false if the stream is damaged, or does not have exactly as many inflated
    /// bytes as `target`, or is followed by other bytes.
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
