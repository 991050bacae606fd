import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Keeps the memory of large pixel buffers for the next image.
///
/// Touching fresh pages costs about 40 % of a full decode of a large picture, so blocks are kept; and kept blocks would
/// make a daemon's memory grow for ever, so they are bounded and given back to the system when nobody has taken one for
/// a while. Small blocks come from `malloc`, which is good at them.
final class PixelPool: Sendable {
    /// The pool of the process.
    static let shared = PixelPool(limit: max(32 << 20, SystemMemory.limit / 32))

    /// Below this a block is malloc's business.
    private static let smallest = 256 << 10
    private static let idleSeconds = 5.0

    private struct State {
        var free: [Int: [UnsafeMutableRawPointer]] = [:]
        var freeBytes = 0
        /// Counts the takings, so that the sweeper can tell whether anybody came since it last looked.
        var takings = 0
        var isSweeping = false
    }

    private let state = Lock(State())
    private let limit: Int

    /// A pool that keeps at most `limit` bytes of free blocks.
    init(limit: Int) {
        self.limit = limit
    }

    deinit { release() }

    /// Bytes kept and not in use.
    var freeBytes: Int { state.withLock { $0.freeBytes } }

    /// At least `count` bytes at a multiple of 64, and how many they really are; nil when the system has none.
    func take(_ count: Int) -> (UnsafeMutableRawPointer, capacity: Int)? {
        let capacity = Self.capacity(for: count)
        guard capacity >= Self.smallest else {
            var pointer: UnsafeMutableRawPointer?
            guard posix_memalign(&pointer, 64, capacity) == 0, let pointer else { return nil }
            return (pointer, capacity)
        }
        let kept = state.withLock { state -> UnsafeMutableRawPointer? in
            state.takings += 1
            guard let block = state.free[capacity]?.popLast() else { return nil }
            state.freeBytes -= capacity
            return block
        }
        if let kept { return (kept, capacity) }
        if !MemoryReserve.allows(capacity) {
            // Blocks that are kept for other sizes go before a picture is refused.
            release()
            guard MemoryReserve.allows(capacity) else { return nil }
        }
        let mapped = mmap(nil, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let mapped, mapped != MAP_FAILED else { return nil }
        return (mapped, capacity)
    }

    /// Gives back what `take` gave.
    func giveBack(_ block: UnsafeMutableRawPointer, capacity: Int) {
        guard capacity >= Self.smallest else { return free(block) }
        guard capacity <= limit else {
            munmap(block, capacity)
            return
        }
        let (dropped, startsSweeping) = state.withLock { state in
            var dropped: [Int: [UnsafeMutableRawPointer]] = [:]
            if state.freeBytes + capacity > limit {
                // What is kept has been passed over lately: sizes that nobody wants must not keep out those in use.
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
        let blocks = state.withLock { state in
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

    /// Looks again in a while: releases everything if nobody has come since, otherwise keeps looking.
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

    /// Rounds up to one of four steps between powers of two, so that pictures of nearly one size share blocks and no
    /// more than a fifth is wasted.
    private static func capacity(for count: Int) -> Int {
        guard count >= smallest else { return max(64, (count + 63) & ~63) }
        let step = 1 << (Int.bitWidth - 1 - count.leadingZeroBitCount - 2)
        let (raised, overflow) = count.addingReportingOverflow(step - 1)
        return overflow ? count : raised & ~(step - 1)
    }
}
