#if COLOR
/// The memory blocks of Little CMS for one context, in a linked list whose nodes precede the blocks.
struct LittleCMSBlocks {
    /// The node in memory directly before a block. Its size keeps the block aligned.
    struct Head {
        let owner: Unmanaged<LittleCMSMemory>
        let byteCount: Int
        fileprivate var previous: UnsafeMutablePointer<Head>?
        fileprivate var next: UnsafeMutablePointer<Head>?
    }

    /// The size of a node in bytes, which is a multiple of the largest alignment on every platform.
    static let headByteCount = 32

    /// The number of bytes of all blocks, without their nodes.
    private(set) var byteCount = 0
    /// The node of the block that was added last; nil if there are no blocks.
    private(set) var first: UnsafeMutablePointer<Head>?

    /// Returns the node of a block.
    static func head(of block: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Head> {
        (block - headByteCount).assumingMemoryBound(to: Head.self)
    }

    /// Adds a block in `memory`, which has room for a node and `byteCount` bytes. Returns the address after the node.
    mutating func add(
        _ memory: UnsafeMutableRawPointer, byteCount: Int, owner: LittleCMSMemory
    ) -> UnsafeMutableRawPointer {
        let head = memory.bindMemory(to: Head.self, capacity: 1)
        head.initialize(
            to: Head(owner: .passUnretained(owner), byteCount: byteCount, previous: nil, next: first))
        first?.pointee.previous = head
        first = head
        self.byteCount += byteCount
        return memory + Self.headByteCount
    }

    /// Removes the block of a node from the list. The caller frees its memory.
    mutating func remove(_ head: UnsafeMutablePointer<Head>) {
        let next = head.pointee.next
        if let previous = head.pointee.previous { previous.pointee.next = next } else { first = next }
        next?.pointee.previous = head.pointee.previous
        byteCount -= head.pointee.byteCount
    }
}
#endif
