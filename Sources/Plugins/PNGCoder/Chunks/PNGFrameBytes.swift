#if PNG
import Calotype

/// The pixels of one frame as the file of a still, which libpng reads as any other: a preamble of the frame's size, and
/// the frame's chunks as IDAT chunks. Their checksums are looked at here: those of the file are not those of the still,
/// and what libpng gets for them is of no meaning.
final class PNGFrameBytes: PNGInput {
    /// The number of bytes of the sequence number before the pixels of a chunk.
    static let numberByteCount = 4

    private(set) var damage: String?

    private let bytes: PNGBytes
    /// The start of the next chunk in the file.
    private var next: Int
    /// The sequence number that the next chunk should have.
    private var sequenceNumber: Int
    /// The bytes to give before anything else.
    private var own: Data
    /// Whether a chunk has begun whose checksum was not looked at.
    private var isInChunk = false
    /// The number of bytes of the chunk's pixels that are left.
    private var leftCount = 0
    /// The chunk's checksum so far.
    private var checksum = PNGChecksum(of: .framePixels)

    init(_ bytes: PNGBytes, at place: PNGAnimation.Place, preamble: Data) {
        self.bytes = bytes
        next = place.start
        sequenceNumber = place.sequenceNumber
        own = preamble
    }

    func read(into target: UnsafeMutableRawBufferPointer) -> Bool {
        var rest = target[...]
        while !rest.isEmpty {
            if !own.isEmpty {
                let part = UnsafeMutableRawBufferPointer(rebasing: rest.prefix(own.count))
                part.copyBytes(from: own.prefix(part.count))
                own.removeFirst(part.count)
                rest = rest.dropFirst(part.count)
            } else if leftCount > 0 {
                let part = UnsafeMutableRawBufferPointer(rebasing: rest.prefix(leftCount))
                guard bytes.read(into: part) else { return false }
                checksum.add(UnsafeRawBufferPointer(part))
                leftCount -= part.count
                rest = rest.dropFirst(part.count)
            } else {
                guard isInChunk ? endChunk() : beginChunk() else { return false }
            }
        }
        return true
    }

    /// Goes to the frame's next chunk. Behind the last one the still ends.
    private func beginChunk() -> Bool {
        var chunks = PNGChunkWalker(bytes, from: next)
        while let chunk = chunks.next() {
            guard chunk.type == .framePixels, chunk.isValid else {
                if chunk.type.isAncillary, chunk.type != .frameControl, chunk.isValid { continue }
                own = Self.header(of: .end, length: 0) + Self.noChecksum
                return true
            }
            guard chunk.length >= Self.numberByteCount else { return fail("pixels without a number") }
            guard let number = bytes.readNumber(UInt32.self) else { return false }
            guard number == sequenceNumber else { return fail("pixels are missing or in disorder") }
            sequenceNumber += 1
            next = chunk.end
            let start = chunk.bodyStart + Self.numberByteCount
            // Of one that is cut off libpng gets what is there.
            leftCount = min(chunk.length - Self.numberByteCount, max(0, bytes.byteCount - start))
            own = Self.header(of: .pixels, length: leftCount)
            isInChunk = true
            checksum = PNGChecksum(of: .framePixels)
            withUnsafeBytes(of: number.bigEndian) { checksum.add($0) }
            return true
        }
        return false
    }

    private func endChunk() -> Bool {
        guard let told = bytes.readNumber(UInt32.self) else { return false }
        guard told == checksum.value else { return fail("a checksum is wrong") }
        own = Self.noChecksum
        isInChunk = false
        return true
    }

    private func fail(_ what: String) -> Bool {
        damage = what
        return false
    }

    private static let noChecksum = Data(count: 4)

    private static func header(of type: PNGChunkType, length: Int) -> Data {
        withUnsafeBytes(of: (UInt64(length) << 32 | UInt64(type.code)).bigEndian) { Data($0) }
    }
}
#endif
