/// A block of scratch memory at a multiple of 64 bytes; goes with its owner.
final class RowMemory<Element: BitwiseCopyable> {
    let base: UnsafeMutablePointer<Element>

    /// Memory for `count` elements, all zero.
    init(count: Int) {
        let byteCount = max(64, count * MemoryLayout<Element>.stride)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
        base = memory.assumingMemoryBound(to: Element.self)
    }

    deinit { UnsafeMutableRawPointer(base).deallocate() }
}
