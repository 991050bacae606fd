#if PNG
import Calotype
import Foundation

/// A chunk of a PNG, for tests that disassemble and assemble files.
struct PNGChunk {
    /// The type: four letters, unless the file is damaged.
    private let name: Data
    var body: Data

    init(type: String, body: Data) {
        self.init(name: Data(type.utf8), body: body)
    }

    private init(name: Data, body: Data) {
        self.name = name
        self.body = body
    }

    var type: String { String(decoding: name, as: UTF8.self) }

    /// The eight bytes before the first chunk.
    static let signature = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

    /// The bytes of the chunk in a file.
    var data: Data {
        let content = name + body
        return Self.bigEndian(body.count) + content + Self.bigEndian(Int(Self.checksum(content)))
    }

    /// Returns the complete chunks of a file. Checksums are ignored.
    static func all(of file: Data) -> [PNGChunk] {
        let bytes = [UInt8](file)
        var chunks: [PNGChunk] = []
        var start = signature.count
        while start + 12 <= bytes.count {
            let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            guard start + 12 + length <= bytes.count else { break }
            let name = Data(bytes[start + 4..<start + 8])
            chunks.append(PNGChunk(name: name, body: Data(bytes[start + 8..<start + 8 + length])))
            start += 12 + length
        }
        return chunks
    }

    /// Returns a file of these chunks.
    static func file(_ chunks: [PNGChunk]) -> Data {
        chunks.reduce(into: signature) { $0.append($1.data) }
    }

    static func bigEndian(_ value: Int) -> Data {
        Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) })
    }

    /// Returns the CRC-32 of annex D of the PNG specification.
    private static func checksum(_ bytes: Data) -> UInt32 {
        var crc = UInt32.max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }
}
#endif
