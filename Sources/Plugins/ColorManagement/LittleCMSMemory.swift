#if COLOR
import CLCMS
import Calotype

/// The memory that Little CMS takes for one context: counted, and bounded by a ceiling.
///
/// An allocation beyond the ceiling fails, which Little CMS reports as an error. A profile that passed
/// ``ProfileExtract`` needs a fraction of it; the ceiling is for what that does not foresee.
final class LittleCMSMemory: Sendable {
    /// The most bytes that the two profiles and the transforms of one conversion may take.
    static let ceiling = 48 << 20

    private let used = Lock(0)

    /// The bytes that Little CMS holds now.
    var byteCount: Int { used.withLock { $0 } }

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
            _ = memory?.reserve(oldByteCount - byteCount)
            return nil
        }
        new.storeBytes(of: byteCount, as: Int.self)
        return new + headByteCount
    }

    private static func release(_ block: UnsafeMutableRawPointer?, in context: cmsContext?) {
        guard let head = block.map({ $0 - headByteCount }) else { return }
        _ = LittleCMSState.of(context)?.memory.reserve(-head.load(as: Int.self))
        free(head)
    }

    /// Counts `byteCount` bytes more, or fewer; false, and counts none, when they would pass the ceiling.
    private func reserve(_ byteCount: Int) -> Bool {
        used.withLock { used in
            guard byteCount <= 0 || used + byteCount <= Self.ceiling else { return false }
            used += byteCount
            return true
        }
    }
}
#endif
