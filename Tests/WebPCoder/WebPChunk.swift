#if WEBP
import Foundation

/// A chunk of a file, for tests that examine files and assemble others.
///
/// Source: RFC 9649, section 2.3.
struct WebPChunk {
    let name: String
    var body: Data

    /// Returns the chunks of a valid file.
    static func all(of file: Data) -> [WebPChunk] {
        chunks(in: file.dropFirst(12))
    }

    /// The chunks after the header of a frame.
    var inner: [WebPChunk] { Self.chunks(in: body.dropFirst(16)) }

    private static func chunks(in bytes: Data) -> [WebPChunk] {
        var rest = bytes
        var chunks: [WebPChunk] = []
        while rest.count >= 8 {
            let head = Array(rest.prefix(8))
            let length = (4..<8).reversed().reduce(0) { $0 << 8 | Int(head[$1]) }
            chunks.append(
                WebPChunk(
                    name: String(decoding: head.prefix(4), as: UTF8.self), body: Data(rest.dropFirst(8).prefix(length)))
            )
            rest = rest.dropFirst(8 + length + length % 2)
        }
        return chunks
    }

    /// Returns a file of chunks.
    static func file(_ chunks: [WebPChunk]) -> Data {
        let body = Data("WEBP".utf8) + bytes(chunks)
        return Data("RIFF".utf8) + length(body.count) + body
    }

    /// Returns the bytes of consecutive chunks.
    static func bytes(_ chunks: [WebPChunk]) -> Data {
        chunks.reduce(into: Data()) { bytes, chunk in
            bytes += Data(chunk.name.utf8) + length(chunk.body.count) + chunk.body
            if chunk.body.count % 2 == 1 { bytes.append(0) }
        }
    }

    private static func length(_ count: Int) -> Data {
        Data((0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) })
    }
}
#endif
