#if PNG
import Calotype

/// The bytes of a file, read from anywhere on: a window of them is at hand, which is all of them for a file in memory
/// that is first read from its beginning. Used by one thread at a time.
final class PNGBytes: PNGInput {
    private let bytes: ImageBytes
    private var window = Data()
    /// The offset of the window in the file.
    private var windowStart = 0
    /// The offset of the next byte to read in the file.
    private var offset = 0

    init(_ bytes: ImageBytes) {
        self.bytes = bytes
    }

    let damage: String? = nil

    /// The number of bytes.
    var byteCount: Int { bytes.byteCount }

    /// Reads on from another place.
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

    /// Reads the next bytes as a number whose first byte is the most significant.
    func readNumber<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        var number = Number.zero
        guard withUnsafeMutableBytes(of: &number, { read(into: $0) }) else { return nil }
        return Number(bigEndian: number)
    }

    /// The body of a chunk; nil when it is not all there, or its checksum is wrong. Takes memory for what is there.
    func body(of chunk: PNGChunkHeader) -> Data? {
        guard chunk.end <= byteCount else { return nil }
        seek(to: chunk.bodyStart)
        var body = Data(count: chunk.length)
        guard body.withUnsafeMutableBytes({ read(into: $0) }), let told = readNumber(UInt32.self) else { return nil }
        var checksum = PNGChecksum(of: chunk.type)
        body.withUnsafeBytes { checksum.add($0) }
        return checksum.value == told ? body : nil
    }
}
#endif
