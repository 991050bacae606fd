#if COLOR
/// The blocks of memory that Little CMS holds for one context: a linked list, whose links begin the blocks.
struct LittleCMSBlocks {
    /// The beginning of a block, before the bytes that Little CMS uses. Its size keeps them aligned.
    struct Head {
        let owner: Unmanaged<LittleCMSMemory>
        let byteCount: Int
        fileprivate var previous: UnsafeMutablePointer<Head>?
        fileprivate var next: UnsafeMutablePointer<Head>?
    }

    /// The bytes that a head takes, on every platform a multiple of the largest alignment.
    static let headByteCount = 32

    /// The bytes of all blocks, without their heads.
    private(set) var byteCount = 0
    /// The block that was added last.
    private(set) var first: UnsafeMutablePointer<Head>?

    /// Returns the head of a block that Little CMS was given.
    static func head(of block: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Head> {
        (block - headByteCount).assumingMemoryBound(to: Head.self)
    }

    /// Adds `byteCount` bytes behind room for a head; returns the block for Little CMS.
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

    /// Removes a block, which the caller frees.
    mutating func remove(_ head: UnsafeMutablePointer<Head>) {
        let next = head.pointee.next
        if let previous = head.pointee.previous { previous.pointee.next = next } else { first = next }
        next?.pointee.previous = head.pointee.previous
        byteCount -= head.pointee.byteCount
    }
}
#endif
