import CalotypeTesting
import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct ImageBytesTests {
    private static let largestPiece = 256 << 10

    /// Returns bytes in which no two pieces are equal.
    private func pattern(_ count: Int) -> Data {
        var random = SplitMix64(seed: UInt64(count))
        return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    /// Returns all pieces, as a sequential reader receives them.
    private func pieces(of bytes: ImageBytes) -> [Data] {
        var (pieces, offset): ([Data], Int) = ([], 0)
        while let piece = bytes.chunk(at: offset) {
            pieces.append(piece)
            offset += piece.count
        }
        return pieces
    }

    // MARK: In memory

    @Test func `appended bytes are available at once and contiguous`() throws {
        let data = pattern(10_000)
        let bytes = ImageBytes()
        var rest = data[...]
        for count in [0, 1, 14, 15, 1000, 4096, 4874] {
            // Slices, whose indices do not begin at zero.
            try bytes.append(rest.prefix(count))
            rest = rest.dropFirst(count)
            #expect(bytes.byteCount == data.count - rest.count)
            #expect(bytes.data == data.prefix(bytes.byteCount))
            #expect(bytes.data.startIndex == 0)
            #expect(bytes.head(20) == data.prefix(min(20, bytes.byteCount)))
            #expect(!bytes.isComplete)
        }
        bytes.finish()
        #expect(bytes.isComplete)
        #expect(bytes.data == data)
        #expect(bytes.failure == nil)
    }

    @Test func `returned data does not change when more is appended`() throws {
        let data = pattern(3000)
        let bytes = ImageBytes()
        try bytes.append(data.prefix(1000))
        let (early, piece, head) = (bytes.data, bytes.chunk(at: 0), bytes.head(100))
        try bytes.append(data.dropFirst(1000))
        #expect(early == data.prefix(1000))
        #expect(piece == data.prefix(1000))
        #expect(head == data.prefix(100))
        #expect(bytes.data == data)
    }

    @Test func `a reader with a cursor gets every byte once`() throws {
        let data = pattern(600_000)
        let bytes = ImageBytes()
        #expect(bytes.chunk(at: 0) == nil)
        try bytes.append(data.prefix(550_000))
        #expect(pieces(of: bytes).dropLast().map(\.count) == [Self.largestPiece, Self.largestPiece])
        #expect(pieces(of: bytes).reduce(Data(), +) == data.prefix(550_000))
        #expect(bytes.chunk(at: 550_000) == nil)
        try bytes.append(data.dropFirst(550_000))
        #expect(bytes.chunk(at: 550_000) == data.dropFirst(550_000))
        bytes.finish()
        #expect(pieces(of: bytes) == [data])
        #expect(bytes.chunk(at: 600_000) == nil)
        #expect(bytes.chunk(at: 700_000) == nil)
    }

    // MARK: Sources

    @Test func `only the requested part of a source is read, and nothing is kept`() {
        let data = pattern(600_000)
        let source = ScriptedSource(data)
        let bytes = ImageBytes(source)
        #expect(bytes.byteCount == 600_000)
        #expect(bytes.isComplete)
        #expect(source.reads == [])
        #expect(bytes.head(64) == data.prefix(64))
        #expect(bytes.chunk(at: 100) == data[100..<100 + Self.largestPiece])
        #expect(bytes.chunk(at: 599_999) == data.suffix(1))
        #expect(bytes.chunk(at: 600_000) == nil)
        #expect(source.reads == [0..<64, 100..<100 + Self.largestPiece, 599_999..<600_000])
        #expect(pieces(of: bytes).reduce(Data(), +) == data)
        #expect(pieces(of: bytes).allSatisfy { $0.count <= Self.largestPiece })
        #expect(bytes.head(1_000_000) == data)
        #expect(bytes.failure == nil)
    }

    @Test func `all bytes of a source are read once`() {
        let data = pattern(600_000)
        let source = ScriptedSource(data)
        let bytes = ImageBytes(source)
        #expect(bytes.data == data)
        #expect(bytes.data == data)
        #expect(bytes.head(64) == data.prefix(64))
        #expect(pieces(of: bytes) == [data])
        #expect(source.reads == [0..<600_000])
        source.change()
        #expect(bytes.data == data)
        #expect(bytes.failure == nil)
    }

    @Test func `an empty source has no bytes`() {
        let bytes = ImageBytes(ScriptedSource(Data()))
        #expect(bytes.byteCount == 0)
        #expect(bytes.data.isEmpty)
        #expect(bytes.head(64).isEmpty)
        #expect(bytes.chunk(at: 0) == nil)
        #expect(bytes.failure == nil)
    }

    @Test func `a failure is remembered, and nothing is read after it`() {
        let source = ScriptedSource(pattern(1000))
        let bytes = ImageBytes(source, pieceByteCount: 100)
        #expect(bytes.chunk(at: 0)?.count == 100)
        source.change()
        #expect(bytes.chunk(at: 100) == nil)
        #expect(bytes.failure?.message == ScriptedSource.change.message)
        #expect(bytes.chunk(at: 0) == nil)
        #expect(bytes.head(10).isEmpty)
        #expect(bytes.data.isEmpty)
        #expect(throws: ImageError.self) { try bytes.whole() }
        #expect(source.reads.count == 2)
        #expect(bytes.byteCount == 1000)
    }

    @Test func `a source shorter than announced fails`() {
        let data = pattern(1000)
        let bytes = ImageBytes(ScriptedSource(data, claiming: 1001), pieceByteCount: 500)
        #expect(bytes.chunk(at: 0) == data.prefix(500))
        #expect(bytes.failure == nil)
        #expect(bytes.chunk(at: 501) == nil)
        #expect(bytes.failure?.code == .loadFailed)
        #expect(bytes.failure?.message == "ends after 1000 of 1001 bytes")
    }

    @Test func `many concurrent readers get the same bytes`() async {
        let data = pattern(200_000)
        let bytes = ImageBytes(ScriptedSource(data))
        await withTaskGroup(of: Bool.self) { group in
            for index in 0..<20 {
                group.addTask {
                    index.isMultiple(of: 2) ? bytes.data == data : bytes.chunk(at: 0) == data
                }
            }
            for await isEqual in group { #expect(isEqual) }
        }
    }
}
