import Testing

@testable import Calotype

/// Requests for more memory than any address space has, so that no machine grants them.
@Suite(.timeLimit(.minutes(5)))
struct MemoryReserveTests {
    private static let tooMuch = 1 << 56

    /// A source that is longer than any memory.
    private struct EndlessSource: ByteSource {
        var byteCount: Int { MemoryReserveTests.tooMuch }

        func read(at offset: Int, into memory: UnsafeMutableRawBufferPointer) throws -> Int {
            memory.initializeMemory(as: UInt8.self, repeating: 7)
            return memory.count
        }
    }

    @Test func `small allocations are allowed, impossible ones are not`() {
        for count in [0, 1, MemoryReserve.smallest, 1 << 20] { #expect(MemoryReserve.allows(count)) }
        for count in [Self.tooMuch, Int.max - 1, Int.max] { #expect(!MemoryReserve.allows(count)) }
    }

    @Test func `data that cannot be allocated is an error, and is not filled`() {
        var isAsked = false
        let error = #expect(throws: ImageError.self) {
            try Data(count: Self.tooMuch, at: .load) { memory in
                isAsked = true
                return memory.count
            }
        }
        #expect(error?.code == .outOfMemory)
        #expect(error?.stage == .load)
        #expect(error?.advice != nil)
        #expect(!isAsked)
    }

    @Test func `data has the written bytes, and an error of the writer is passed on`() throws {
        let data = try Data(count: 300_000, at: .load) { memory in
            memory.initializeMemory(as: UInt8.self, repeating: 9)
            return 200_000
        }
        #expect(data == Data(repeating: 9, count: 200_000))
        #expect(try Data(count: 0, at: .load) { _ in 1 }.isEmpty)
        let error = #expect(throws: ImageError.self) {
            try Data(count: 100, at: .load) { _ in throw ImageError(.loadFailed, stage: .load, message: "is gone") }
        }
        #expect(error?.code == .loadFailed)
    }

    @Test func `reading all of a source that exceeds memory fails`() {
        let bytes = ImageBytes(EndlessSource())
        #expect(bytes.head(4) == Data([7, 7, 7, 7]))
        #expect(bytes.failure == nil)
        #expect(bytes.data.isEmpty)
        #expect(bytes.failure?.code == .outOfMemory)
    }
}
