#if COLOR
import CLCMS
import Calotype

/// The memory of Little CMS for one context: counted, limited by a ceiling, and freed with the context.
///
/// The ceiling is for cases that the checks of ``ProfileExtract`` do not foresee. It applies only to large blocks,
/// because Little CMS (2.14 to 2.19) crashes if certain small allocations fail. After a failed allocation, small blocks
/// come from a ``LittleCMSReserve``. Blocks that Little CMS leaks are freed after the context has been deleted.
final class LittleCMSMemory: Sendable {
    /// A function that allocates bytes, or returns nil.
    typealias Allocator = @Sendable (_ byteCount: Int) -> UnsafeMutableRawPointer?

    /// The reason for a failed allocation.
    enum Shortage {
        /// The block would have raised the total to `neededByteCount` bytes, which is more than the ceiling.
        case ceiling(neededByteCount: Int)
        /// The system could not provide the memory.
        case system
    }

    private struct State {
        var blocks = LittleCMSBlocks()
        var reserve = LittleCMSReserve()
        var shortage: Shortage?

        /// Removes a block, and frees it unless it belongs to the reserve.
        mutating func discard(_ head: UnsafeMutablePointer<LittleCMSBlocks.Head>) {
            blocks.remove(head)
            if !reserve.contains(head) { free(head) }
        }
    }

    /// The maximum number of bytes for the two profiles and the transforms of one conversion.
    let ceiling: Int
    private let allocate: Allocator
    private let state = Lock(State())

    /// The maximum size of a small block, in bytes. Larger blocks are tables and profiles, and Little CMS checks
    /// whether their allocation succeeds. Its other structures take at most 524 bytes.
    static let smallByteCount = 1024

    /// Creates the memory of one context. Tests pass an allocator that fails.
    init(ceiling: Int, allocate: @escaping Allocator = { malloc($0) }) {
        self.ceiling = ceiling
        self.allocate = allocate
    }

    deinit { freeAll() }

    /// Returns the ceiling for profiles whose curves and tables take at most `byteCount` bytes. Little CMS was observed
    /// to hold four and a half copies of large tables at once.
    static func ceiling(forTables byteCount: Int) -> Int {
        let (product, overflow) = byteCount.multipliedReportingOverflow(by: 6)
        return overflow ? .max : max(48 << 20, product)
    }

    /// The number of bytes that Little CMS has allocated and not yet freed.
    var byteCount: Int { state.withLock { $0.blocks.byteCount } }

    /// The reason for the first failed allocation; nil if none has failed.
    ///
    /// Check this even if Little CMS has made a transform. If memory is short while Little CMS searches for the darkest
    /// color, it assumes black and continues.
    var shortage: Shortage? { state.withLock { $0.shortage } }

    /// The memory functions in the form of a Little CMS plug-in.
    static var plugin: cmsPluginMemHandler {
        var plugin = cmsPluginMemHandler()
        plugin.base.Magic = cmsUInt32Number(cmsPluginMagicNumber)
        plugin.base.Type = cmsUInt32Number(cmsPluginMemHandlerSig)
        plugin.base.ExpectedVersion = cmsUInt32Number(LCMS_VERSION)
        plugin.MallocPtr = { LittleCMSState.of($0)?.memory.block(of: Int($1)) }
        plugin.ReallocPtr = { LittleCMSState.of($0)?.memory.block(of: Int($2), replacing: $1) }
        plugin.FreePtr = { LittleCMSMemory.release($1) }
        return plugin
    }

    // MARK: The reserve

    /// The number of bytes requested from the reserve. It exceeds the size of the reserve if a small block was refused.
    var reservedByteCount: Int { state.withLock { $0.reserve.usedByteCount } }

    /// Allocates the reserve. Returns whether there was memory for it.
    func fillReserve() -> Bool {
        guard let memory = allocate(LittleCMSReserve.byteCount) else { return false }
        // Unchecked: nothing else refers to the memory yet.
        state.withLockUnchecked { $0.reserve.fill(with: memory) }
        return true
    }

    /// Frees the reserve if there was no shortage. After a shortage, the reserve may contain blocks. Call this after
    /// the last allocation.
    func freeUnusedReserve() {
        state.withLock { state in
            guard state.shortage == nil else { return }
            state.reserve.release()
        }
    }

    /// Frees the reserve and all leaked blocks. Call this after Little CMS has deleted the context.
    func freeAll() {
        state.withLock { state in
            while let head = state.blocks.first { state.discard(head) }
            state.reserve.release()
        }
    }

    // MARK: Blocks

    /// Allocates a block, or returns nil. After the first shortage, only small blocks are allocated, from the reserve.
    private func block(of byteCount: Int) -> UnsafeMutableRawPointer? {
        let wholeByteCount = LittleCMSBlocks.headByteCount + byteCount
        var memory = isGranted(byteCount) ? allocate(wholeByteCount) : nil
        // Unchecked: nothing else refers to the memory yet. The caller gets only the part after the block's head.
        return state.withLockUnchecked { state -> UnsafeMutableRawPointer? in
            if memory == nil {
                state.shortage = state.shortage ?? .system
                memory = byteCount > Self.smallByteCount ? nil : state.reserve.take(wholeByteCount)
            }
            return memory.map { state.blocks.add($0, byteCount: byteCount, owner: self) }
        }
    }

    private func block(
        of byteCount: Int, replacing old: UnsafeMutableRawPointer?
    ) -> UnsafeMutableRawPointer? {
        guard let new = block(of: byteCount) else { return nil }
        guard let old else { return new }
        new.copyMemory(from: old, byteCount: min(byteCount, LittleCMSBlocks.head(of: old).pointee.byteCount))
        Self.release(old)
        return new
    }

    private static func release(_ block: UnsafeMutableRawPointer?) {
        guard let block else { return }
        let head = LittleCMSBlocks.head(of: block)
        // Unchecked: Little CMS does not use a block that it has released.
        head.pointee.owner.takeUnretainedValue().state.withLockUnchecked { $0.discard(head) }
    }

    /// Returns whether a block may be requested from the system. Records a shortage if the block would exceed the
    /// ceiling.
    private func isGranted(_ byteCount: Int) -> Bool {
        state.withLock { state -> Bool in
            guard state.shortage == nil else { return false }
            let neededByteCount = state.blocks.byteCount + byteCount
            guard byteCount > Self.smallByteCount, neededByteCount > ceiling else { return true }
            state.shortage = .ceiling(neededByteCount: neededByteCount)
            return false
        }
    }
}
#endif
