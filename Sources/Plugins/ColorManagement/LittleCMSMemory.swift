#if COLOR
import CLCMS
import Calotype

/// The memory that Little CMS takes for one context: counted, bounded by a ceiling, and freed with the context.
///
/// A profile that passed ``ProfileExtract`` stays below the ceiling, which is for what the extract does not foresee.
/// Little CMS (2.14 to 2.19) checks every allocation of a table, but crashes when some of its small ones fail, and
/// loses blocks after many failures. Therefore small blocks are never refused: after a shortage they come from a
/// ``LittleCMSReserve``. Blocks that Little CMS has lost are freed with the context.
///
/// A conversion makes hundreds of small blocks, whatever its profile holds. They count, but the ceiling does not hold
/// for them.
final class LittleCMSMemory: Sendable {
    /// A function that allocates bytes, or returns nil.
    typealias Allocator = @Sendable (_ byteCount: Int) -> UnsafeMutableRawPointer?

    /// The reason for which Little CMS has not got memory.
    enum Shortage {
        /// All blocks would have passed the ceiling, with `neededByteCount`.
        case ceiling(neededByteCount: Int)
        /// The system had no memory.
        case system
    }

    private struct State {
        var blocks = LittleCMSBlocks()
        var reserve = LittleCMSReserve()
        var shortage: Shortage?

        /// Removes a block, and frees it unless it lies in the reserve.
        mutating func discard(_ head: UnsafeMutablePointer<LittleCMSBlocks.Head>) {
            blocks.remove(head)
            if !reserve.contains(head) { free(head) }
        }
    }

    /// The most bytes that the two profiles and the transforms of one conversion may take.
    let ceiling: Int
    private let allocate: Allocator
    private let state = Lock(State())

    /// The largest block that is never refused. Larger ones are tables and profiles, which Little CMS checks; its other
    /// structures take 524 bytes at most.
    static let smallByteCount = 1024

    /// Creates the memory of one context. Tests pass an allocator that fails.
    init(ceiling: Int, allocate: @escaping Allocator = { malloc($0) }) {
        self.ceiling = ceiling
        self.allocate = allocate
    }

    deinit { freeAll() }

    /// The ceiling for profiles whose curves and tables take so many bytes at most. Of large tables, Little CMS was
    /// seen to hold four and a half copies at once.
    static func ceiling(forTables byteCount: Int) -> Int {
        let (product, overflow) = byteCount.multipliedReportingOverflow(by: 6)
        return overflow ? .max : max(48 << 20, product)
    }

    /// The bytes that Little CMS holds now.
    var byteCount: Int { state.withLock { $0.blocks.byteCount } }

    /// The reason for which the first failed allocation failed; nil when none has. Little CMS may make a transform
    /// nevertheless: where it only looked for the darkest color, it takes black for it.
    var shortage: Shortage? { state.withLock { $0.shortage } }

    /// The functions that Little CMS calls, as a plug-in of it.
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

    /// The bytes that were asked of the reserve; more than it has if a small block was refused.
    var reservedByteCount: Int { state.withLock { $0.reserve.usedByteCount } }

    /// Allocates the reserve. Returns whether the system had memory for it.
    func fillReserve() -> Bool {
        guard let memory = allocate(LittleCMSReserve.byteCount) else { return false }
        state.withLock { $0.reserve.fill(with: memory) }
        return true
    }

    /// Frees the reserve once nothing more is allocated. After a shortage, blocks lie in it, and it stays until
    /// ``freeAll()``.
    func freeUnusedReserve() {
        state.withLock { state in
            guard state.shortage == nil else { return }
            state.reserve.release()
        }
    }

    /// Frees the reserve and the blocks that Little CMS has lost, once it has deleted the context.
    func freeAll() {
        state.withLock { state in
            while let head = state.blocks.first { state.discard(head) }
            state.reserve.release()
        }
    }

    // MARK: Blocks

    /// Returns a block: of the system until the first shortage, then of the reserve if it is small.
    private func block(of byteCount: Int) -> UnsafeMutableRawPointer? {
        let wholeByteCount = LittleCMSBlocks.headByteCount + byteCount
        var memory = isGranted(byteCount) ? allocate(wholeByteCount) : nil
        return state.withLock { state -> UnsafeMutableRawPointer? in
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
        head.pointee.owner.takeUnretainedValue().state.withLock { $0.discard(head) }
    }

    /// Returns whether the system is asked for a block. It is not after a shortage: there will be no transform.
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
