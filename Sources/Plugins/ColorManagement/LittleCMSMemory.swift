#if COLOR
import CLCMS
import Calotype

/// The memory that Little CMS takes for one context: counted, and bounded by a ceiling.
///
/// An allocation beyond the ceiling fails. A profile that passed ``ProfileExtract`` needs less; the ceiling is for what
/// that does not foresee.
final class LittleCMSMemory: Sendable {
    private struct State {
        var byteCount = 0
        var hasRefused = false
    }

    /// The most bytes that the two profiles and the transforms of one conversion may take.
    let ceiling: Int
    private let state = Lock(State())

    init(ceiling: Int) {
        self.ceiling = ceiling
    }

    /// The ceiling for profiles whose curves and tables take so many bytes at most. Of large tables, Little CMS was
    /// seen to hold four and a half copies at once.
    static func ceiling(forTables byteCount: Int) -> Int {
        let (product, overflow) = byteCount.multipliedReportingOverflow(by: 6)
        return overflow ? .max : max(48 << 20, product)
    }

    /// The bytes that Little CMS holds now.
    var byteCount: Int { state.withLock { $0.byteCount } }

    /// Whether an allocation has failed. Little CMS makes a transform nevertheless where it only looked for the darkest
    /// color, and takes black for it.
    var hasRefused: Bool { state.withLock { $0.hasRefused } }

    /// The functions that Little CMS calls, as a plug-in of it.
    static var plugin: cmsPluginMemHandler {
        var plugin = cmsPluginMemHandler()
        plugin.base.Magic = cmsUInt32Number(cmsPluginMagicNumber)
        plugin.base.Type = cmsUInt32Number(cmsPluginMemHandlerSig)
        plugin.base.ExpectedVersion = cmsUInt32Number(LCMS_VERSION)
        plugin.MallocPtr = { LittleCMSMemory.reallocate(nil, to: Int($1), in: $0) }
        plugin.ReallocPtr = { LittleCMSMemory.reallocate($1, to: Int($2), in: $0) }
        plugin.FreePtr = { LittleCMSMemory.release($1, in: $0) }
        return plugin
    }

    /// Each block begins with its size, in as many bytes as keep the rest aligned.
    private static let headByteCount = 16

    private static func reallocate(
        _ block: UnsafeMutableRawPointer?, to byteCount: Int, in context: cmsContext?
    ) -> UnsafeMutableRawPointer? {
        let memory = LittleCMSState.of(context)?.memory
        let old = block.map { $0 - headByteCount }
        let oldByteCount = old?.load(as: Int.self) ?? 0
        guard memory?.reserve(byteCount - oldByteCount) ?? true else { return nil }
        guard let new = realloc(old, headByteCount + byteCount) else {
            memory?.giveBack(byteCount - oldByteCount)
            return nil
        }
        new.storeBytes(of: byteCount, as: Int.self)
        return new + headByteCount
    }

    private static func release(_ block: UnsafeMutableRawPointer?, in context: cmsContext?) {
        guard let head = block.map({ $0 - headByteCount }) else { return }
        LittleCMSState.of(context)?.memory.giveBack(head.load(as: Int.self))
        free(head)
    }

    /// Counts `byteCount` bytes more, or fewer; false, and counts none, when they would pass the ceiling.
    private func reserve(_ byteCount: Int) -> Bool {
        state.withLock { state in
            guard byteCount <= 0 || byteCount <= ceiling - state.byteCount else {
                state.hasRefused = true
                return false
            }
            state.byteCount += byteCount
            return true
        }
    }

    private func giveBack(_ byteCount: Int) {
        state.withLock { $0.byteCount -= byteCount }
    }
}
#endif
