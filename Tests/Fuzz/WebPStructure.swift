import CalotypeTesting

/// A WebP as a header and chunks, including those of frames. Source: RFC 9649, sections 2.3 to 2.7.
enum WebPStructure {
    /// `RIFF`, the length, `WEBP`.
    private static let fileHeaderByteCount = 12
    /// The name and the length.
    private static let chunkHeaderByteCount = 8
    /// The length of a frame's header.
    private static let frameHeaderByteCount = chunkHeaderByteCount + 16
    private static let frame = Array("ANMF".utf8)

    static func parts(of bytes: [UInt8]) -> [[UInt8]] {
        [Array(bytes.prefix(fileHeaderByteCount))]
            + Array(bytes.dropFirst(fileHeaderByteCount)).parts { rest in
                guard let length = length(of: rest) else { return nil }
                // The chunks of a frame are separate parts.
                return rest.starts(with: frame) ? frameHeaderByteCount : chunkHeaderByteCount + length + length % 2
            }
    }

    /// Corrects the lengths of the file and of frames always, and those of other chunks often.
    static func mend(_ parts: inout [[UInt8]], _ random: inout SplitMix64) {
        let mendsChunks = Bool.random(using: &random)
        var (fileByteCount, frameByteCount) = (0, 0)
        for index in parts.indices.reversed() {
            fileByteCount += parts[index].count
            guard index > 0, parts[index].count >= chunkHeaderByteCount else { continue }
            if parts[index].starts(with: frame) {
                write(parts[index].count + frameByteCount - chunkHeaderByteCount, to: &parts[index])
                frameByteCount = 0
            } else {
                if mendsChunks { write(parts[index].count - chunkHeaderByteCount, to: &parts[index]) }
                // EXIF and XMP follow the last frame and do not belong to it.
                let isOutside = parts[index].starts(with: "EXIF".utf8) || parts[index].starts(with: "XMP ".utf8)
                frameByteCount = isOutside ? 0 : frameByteCount + parts[index].count
            }
        }
        if !parts.isEmpty { write(fileByteCount - chunkHeaderByteCount, to: &parts[0]) }
    }

    /// Returns the length that a chunk declares; nil if its header is incomplete.
    private static func length(of chunk: ArraySlice<UInt8>) -> Int? {
        guard chunk.count >= chunkHeaderByteCount else { return nil }
        return chunk.dropFirst(4).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Writes a little-endian length at the position of a chunk's or file's length.
    private static func write(_ length: Int, to part: inout [UInt8]) {
        part.write(UInt64(UInt32(truncatingIfNeeded: length).byteSwapped), byteCount: 4, at: 4)
    }
}
