import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct PixelPoolTests {
    /// A block from a pool.
    private typealias Block = (pointer: UnsafeMutableRawPointer, capacity: Int)

    private func take(_ count: Int, from pool: PixelPool) throws -> Block {
        guard let (pointer, capacity) = pool.take(count) else {
            throw ImageError(.outOfMemory, stage: .decode, message: "no memory for \(count) bytes")
        }
        return (pointer, capacity)
    }

    @Test(arguments: [
        1, 63, 64, 65, 1000, 100_000, (256 << 10) - 64, (256 << 10) - 1, 256 << 10, (256 << 10) + 1, 300_000, 1 << 20,
        (1 << 20) + 1, 5_000_000,
    ])
    func `a block has at least the requested size, is aligned to 64 bytes and wastes at most a fifth`(
        count: Int
    ) throws {
        let pool = PixelPool(limit: 64 << 20)
        let block = try take(count, from: pool)
        #expect(block.capacity >= count)
        #expect(block.capacity - count <= max(63, block.capacity / 5))
        #expect(Int(bitPattern: block.pointer).isMultiple(of: 64))
        // All of it is writable.
        block.pointer.storeBytes(of: 1, as: UInt8.self)
        block.pointer.storeBytes(of: 2, toByteOffset: block.capacity - 1, as: UInt8.self)
        pool.giveBack(block.pointer, capacity: block.capacity)
    }

    @Test func `a large block is kept and reused for a similar request`() throws {
        let pool = PixelPool(limit: 64 << 20)
        let first = try take(1_000_000, from: pool)
        #expect(pool.freeBytes == 0)
        pool.giveBack(first.pointer, capacity: first.capacity)
        #expect(pool.freeBytes == first.capacity)

        let second = try take(990_000, from: pool)
        #expect(second.pointer == first.pointer)
        #expect(second.capacity == first.capacity)
        #expect(pool.freeBytes == 0)
        pool.giveBack(second.pointer, capacity: second.capacity)
    }

    @Test func `a request does not get a kept block of a different size`() throws {
        let pool = PixelPool(limit: 64 << 20)
        let small = try take(1 << 20, from: pool)
        pool.giveBack(small.pointer, capacity: small.capacity)
        let large = try take(2 << 20, from: pool)
        #expect(large.capacity >= 2 << 20)
        #expect(pool.freeBytes == small.capacity)
        pool.giveBack(large.pointer, capacity: large.capacity)
        #expect(pool.freeBytes == small.capacity + large.capacity)
    }

    @Test func `blocks in use are distinct`() throws {
        let pool = PixelPool(limit: 64 << 20)
        let blocks = try (0..<5).map { _ in try take(1 << 20, from: pool) }
        #expect(Set(blocks.map(\.pointer)).count == 5)
        for block in blocks { pool.giveBack(block.pointer, capacity: block.capacity) }
        let again = try (0..<5).map { _ in try take(1 << 20, from: pool) }
        #expect(Set(again.map(\.pointer)) == Set(blocks.map(\.pointer)))
        for block in again { pool.giveBack(block.pointer, capacity: block.capacity) }
    }

    @Test func `the pool keeps no more than its limit`() throws {
        let pool = PixelPool(limit: 2 << 20)
        let blocks = try (0..<4).map { _ in try take(1 << 20, from: pool) }
        for block in blocks {
            pool.giveBack(block.pointer, capacity: block.capacity)
            #expect(pool.freeBytes <= 2 << 20)
        }
        #expect(pool.freeBytes == 2 << 20)

        let large = try take(3 << 20, from: pool)
        pool.giveBack(large.pointer, capacity: large.capacity)
        #expect(pool.freeBytes == 2 << 20)
    }

    @Test func `unused sizes make room for sizes in use`() throws {
        let pool = PixelPool(limit: 4 << 20)
        let small = try (0..<4).map { _ in try take(1 << 20, from: pool) }
        for block in small { pool.giveBack(block.pointer, capacity: block.capacity) }
        let large = try take(2 << 20, from: pool)
        pool.giveBack(large.pointer, capacity: large.capacity)
        let again = try take(2 << 20, from: pool)
        #expect(again.pointer == large.pointer)
        pool.giveBack(again.pointer, capacity: again.capacity)
        #expect(pool.freeBytes <= 4 << 20)
    }

    @Test func `a pool with a limit of zero keeps nothing`() throws {
        let pool = PixelPool(limit: 0)
        let block = try take(1 << 20, from: pool)
        pool.giveBack(block.pointer, capacity: block.capacity)
        #expect(pool.freeBytes == 0)
    }

    @Test func `releasing frees everything, and the pool still works`() throws {
        let pool = PixelPool(limit: 64 << 20)
        let blocks = try [1 << 20, 1 << 20, 3 << 20].map { try take($0, from: pool) }
        for block in blocks { pool.giveBack(block.pointer, capacity: block.capacity) }
        #expect(pool.freeBytes == 5 << 20)
        pool.release()
        #expect(pool.freeBytes == 0)
        pool.release()

        let block = try take(1 << 20, from: pool)
        pool.giveBack(block.pointer, capacity: block.capacity)
        #expect(pool.freeBytes == block.capacity)
    }

    @Test func `small blocks are not kept`() throws {
        let pool = PixelPool(limit: 64 << 20)
        for count in [1, 64, 4096, 200_000] {
            let block = try take(count, from: pool)
            pool.giveBack(block.pointer, capacity: block.capacity)
            #expect(pool.freeBytes == 0)
        }
    }

    @Test func `an impossible size is refused`() {
        let pool = PixelPool(limit: 64 << 20)
        let isRefused = pool.take(1 << 60) == nil
        #expect(isRefused)
    }

    @Test func `concurrent tasks never share a block`() async throws {
        let pool = PixelPool(limit: 3 << 20)
        await withTaskGroup(of: Bool.self) { group in
            for mark in UInt8(1)...8 {
                group.addTask {
                    for _ in 0..<200 {
                        guard let (pointer, capacity) = pool.take(1 << 20) else { return false }
                        pointer.storeBytes(of: mark, as: UInt8.self)
                        await Task.yield()
                        guard pointer.load(as: UInt8.self) == mark else { return false }
                        pool.giveBack(pointer, capacity: capacity)
                    }
                    return true
                }
            }
            for await isOwn in group { #expect(isOwn) }
        }
        pool.release()
        #expect(pool.freeBytes == 0)
    }
}
