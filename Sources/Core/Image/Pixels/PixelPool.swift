import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A pool that keeps the memory of released pixel buffers for later images.
///
/// Using fresh memory pages takes about 40 % of the time of decoding a large picture. The total size of the free blocks
/// is limited, and all are returned to the system if no block is taken for a while. Small blocks are not kept.
final class PixelPool: Sendable {
    /// The pool of the process.
    static let shared = PixelPool(limit: max(32 << 20, SystemMemory.limit / 32))

    /// The minimum size in bytes of blocks that the pool keeps. Smaller ones are allocated with `posix_memalign`.
    private static let smallest = 256 << 10
    private static let idleSeconds = 5.0

    private struct State {
        var free: [Int: [UnsafeMutableRawPointer]] = [:]
        var freeBytes = 0
        /// The number of times that a large block was taken. If it stays the same for a while, the pool is idle.
        var takings = 0
        var isSweeping = false
    }

    private let state = Lock(State())
    private let limit: Int

    /// Creates a pool that keeps at most `limit` bytes of free blocks.
    init(limit: Int) {
        self.limit = limit
    }

    deinit { release() }

    /// The total size of the free blocks in bytes.
    var freeBytes: Int { state.withLock { $0.freeBytes } }

    /// Returns a block of at least `count` bytes, aligned to 64 bytes, and its capacity; nil if memory is short.
    func take(_ count: Int) -> (UnsafeMutableRawPointer, capacity: Int)? {
        let capacity = Self.capacity(for: count)
        guard capacity >= Self.smallest else {
            var pointer: UnsafeMutableRawPointer?
            guard posix_memalign(&pointer, 64, capacity) == 0, let pointer else { return nil }
            return (pointer, capacity)
        }
        // Unchecked: the block is taken out of the state.
        let kept = state.withLockUnchecked { state -> UnsafeMutableRawPointer? in
            state.takings += 1
            guard let block = state.free[capacity]?.popLast() else { return nil }
            state.freeBytes -= capacity
            return block
        }
        if let kept { return (kept, capacity) }
        if !MemoryReserve.allows(capacity) {
            // Free blocks of other sizes are given back before a picture is refused.
            release()
            guard MemoryReserve.allows(capacity) else { return nil }
        }
        let mapped = mmap(nil, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let mapped, mapped != MAP_FAILED else { return nil }
        return (mapped, capacity)
    }

    /// Takes back a block. Pass the block and the capacity as `take` returned them.
    func giveBack(_ block: UnsafeMutableRawPointer, capacity: Int) {
        guard capacity >= Self.smallest else { return free(block) }
        guard capacity <= limit else {
            munmap(block, capacity)
            return
        }
        // Unchecked: the caller does not use the block any more. Dropped blocks are taken out of the state.
        let (dropped, startsSweeping) = state.withLockUnchecked { state in
            var dropped: [Int: [UnsafeMutableRawPointer]] = [:]
            if state.freeBytes + capacity > limit {
                // All free blocks are dropped: their sizes may no longer be wanted, and must not keep out those in use.
                dropped = state.free
                state.free = [:]
                state.freeBytes = 0
            }
            state.free[capacity, default: []].append(block)
            state.freeBytes += capacity
            defer { state.isSweeping = true }
            return (dropped, !state.isSweeping)
        }
        Self.unmap(dropped)
        if startsSweeping { sweepLater() }
    }

    /// Returns all free blocks to the system.
    func release() {
        // Unchecked: the blocks are taken out of the state.
        let blocks = state.withLockUnchecked { state in
            defer {
                state.free = [:]
                state.freeBytes = 0
            }
            return state.free
        }
        Self.unmap(blocks)
    }

    private static func unmap(_ blocks: [Int: [UnsafeMutableRawPointer]]) {
        for (capacity, list) in blocks {
            for block in list { munmap(block, capacity) }
        }
    }

    /// Waits a few seconds, then releases all free blocks if no block was taken in the meantime. Otherwise waits again.
    private func sweepLater() {
        let seen = state.withLock { $0.takings }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.idleSeconds) { [weak self] in
            guard let self else { return }
            let isIdle = state.withLock { state in
                guard state.takings == seen else { return false }
                state.isSweeping = false
                return true
            }
            if isIdle { release() } else { sweepLater() }
        }
    }

    /// Returns the capacity of a block for `count` bytes. Large sizes are rounded up to one of four steps between
    /// powers of two. So pictures of similar sizes can use the same blocks, and at most a fifth of a block is unused.
    private static func capacity(for count: Int) -> Int {
        guard count >= smallest else { return max(64, (count + 63) & ~63) }
        let step = 1 << (Int.bitWidth - 1 - count.leadingZeroBitCount - 2)
        let (raised, overflow) = count.addingReportingOverflow(step - 1)
        return overflow ? count : raised & ~(step - 1)
    }
}
