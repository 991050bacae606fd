#if PNG
import Calotype

/// A reader with random access to the bytes of a file. It holds one part of the file in memory at a time. Use an
/// instance on one thread at a time.
final class PNGBytes: PNGInput {
    private let bytes: ImageBytes
    private var window = Data()
    /// The offset in the file of the first byte of the window.
    private var windowStart = 0
    /// The offset in the file of the next byte to read.
    private var offset = 0

    init(_ bytes: ImageBytes) {
        self.bytes = bytes
    }

    let damage: String? = nil

    /// The number of bytes in the file.
    var byteCount: Int { bytes.byteCount }

    /// Moves to an offset in the file, where the next read begins.
    func seek(to offset: Int) {
        self.offset = offset
    }

    func read(into target: UnsafeMutableRawBufferPointer) -> Bool {
        var rest = target[...]
        while !rest.isEmpty {
            if offset < windowStart || offset - windowStart >= window.count {
                guard let next = bytes.chunk(at: offset), !next.isEmpty else { return false }
                (window, windowStart) = (next, offset)
            }
            let start = offset - windowStart
            let part = start..<min(window.count, start + rest.count)
            window.withUnsafeBytes { window in
                UnsafeMutableRawBufferPointer(rebasing: rest).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: window[part]))
            }
            rest = rest.dropFirst(part.count)
            offset += part.count
        }
        return true
    }

    /// Reads the next bytes as a big-endian number. Returns nil if the file ends before the end of the number.
    func readNumber<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        var number = Number.zero
        guard withUnsafeMutableBytes(of: &number, { read(into: $0) }) else { return nil }
        return Number(bigEndian: number)
    }

    /// Returns the body of a chunk; nil if the chunk is incomplete or its checksum is wrong. Allocates no memory for a
    /// chunk that extends beyond the end of the file.
    func body(of chunk: PNGChunkHeader) -> Data? {
        guard chunk.end <= byteCount else { return nil }
        var body = Data(count: chunk.length)
        return body.withUnsafeMutableBytes { readBody(of: chunk, into: $0) } ? body : nil
    }

    /// Reads the body of a chunk. Returns false if the chunk is incomplete or its checksum is wrong.
    /// - Parameters:
    ///   - start: The number of bytes to omit from the beginning of the body, at most 8.
    ///   - target: Memory for exactly the remaining bytes of the body.
    func readBody(
        of chunk: PNGChunkHeader, from start: Int = 0, into target: UnsafeMutableRawBufferPointer
    ) -> Bool {
        seek(to: chunk.bodyStart)
        var checksum = PNGChecksum(of: chunk.type)
        var room = UInt64.zero
        let isComplete = withUnsafeMutableBytes(of: &room) { room in
            let rest = UnsafeMutableRawBufferPointer(rebasing: room.prefix(start))
            guard read(into: rest) else { return false }
            checksum.add(UnsafeRawBufferPointer(rest))
            return read(into: target)
        }
        guard isComplete, let told = readNumber(UInt32.self) else { return false }
        checksum.add(UnsafeRawBufferPointer(target))
        return checksum.value == told
    }
}
#endif
