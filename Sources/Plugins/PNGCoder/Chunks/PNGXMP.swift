#if PNG
import CPNGShim
import Calotype

/// A search for the XMP packet of a file. The packet is the text of an iTXt chunk with Adobe's keyword, at any
/// position.
///
/// Source: W3C PNG, third edition, section 11.3.3.4; Adobe XMP Specification, part 3, PNG.
enum PNGXMP {
    private static let keyword = Data("XML:com.adobe.xmp\0".utf8)
    /// The number of bytes that an iTXt chunk may have in addition to its text, for its other fields.
    private static let mostBesideText = 4096

    /// Returns the XMP packet of a file, or nil if there is none. Damaged chunks are ignored.
    ///
    /// Throws `limitExceeded` if the packet and the `usedByteCount` bytes of other metadata exceed `maxByteCount`.
    /// Bytes that were inflated from damaged chunks count too, because inflating takes time. Throws `badData` if there
    /// are too many chunks.
    static func packet(
        in bytes: PNGBytes, frameCount: Int, maxByteCount: Int, beside usedByteCount: Int
    ) throws(ImageError) -> Data? {
        var limit = maxByteCount - usedByteCount
        var chunks = PNGChunkWalker(bytes, frameCount: frameCount)
        while let chunk = chunks.next(), chunk.isValid, chunk.type != .end {
            guard chunk.type == .text, chunk.length >= keyword.count, hasKeyword(chunk, in: bytes) else { continue }
            guard chunk.length - mostBesideText <= limit else { throw .tooMuchMetadata(maxByteCount) }
            guard let body = bytes.body(of: chunk) else { continue }
            switch text(of: body, limit: limit) {
            case .text(let packet): return packet
            case .tooLong: throw .tooMuchMetadata(maxByteCount)
            case .damaged(let madeByteCount): limit -= madeByteCount
            }
        }
        guard !chunks.isExhausted else { throw .tooManyChunks }
        return nil
    }

    private enum Text {
        case text(Data)
        case tooLong
        /// The chunk is damaged. The associated value is the number of bytes that were inflated from the chunk.
        case damaged(Int)
    }

    /// Returns whether a chunk begins with the keyword for XMP. Call this right after the chunk's header was read.
    private static func hasKeyword(_ chunk: PNGChunkHeader, in bytes: PNGBytes) -> Bool {
        var start = Data(count: keyword.count)
        guard start.withUnsafeMutableBytes({ bytes.read(into: $0) }) else { return false }
        return start == keyword
    }

    /// Returns the text in the body of an iTXt chunk. The fields of the body are: keyword, compression flag,
    /// compression method, language, translated keyword, text. The language and the translated keyword each end with a
    /// zero byte.
    private static func text(of body: Data, limit: Int) -> Text {
        let flags = body.dropFirst(keyword.count).prefix(2)
        var rest = body.dropFirst(keyword.count + flags.count)
        for _ in 0..<2 {
            guard let end = rest.firstIndex(of: 0) else { return .damaged(0) }
            rest = rest[(end + 1)...]
        }
        if flags.first == 0 { return rest.count <= limit ? .text(Data(rest)) : .tooLong }
        return flags.elementsEqual([1, 0]) ? inflated(rest, limit: limit) : .damaged(0)
    }

    private static func inflated(_ stream: Data, limit: Int) -> Text {
        var bytes: UnsafeMutableRawPointer?
        var count = 0
        let status = stream.withUnsafeBytes { (stream: UnsafeRawBufferPointer) -> cpng_status in
            cpng_inflate(stream.baseAddress, stream.count, limit, &bytes, &count)
        }
        guard status == CPNG_OK, let bytes else { return status == CPNG_TOO_LONG ? .tooLong : .damaged(count) }
        return .text(Data(bytesNoCopy: bytes, count: count, deallocator: .free))
    }
}
#endif
