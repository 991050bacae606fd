#if COLOR
import CLCMS
import Calotype

/// The user data of a Little CMS context: its memory, and the first error that Little CMS reported in it.
final class LittleCMSState: Sendable {
    let memory: LittleCMSMemory
    let complaint = Lock<String?>(nil)

    init(_ memory: LittleCMSMemory) {
        self.memory = memory
    }

    /// Returns the state of a context, or nil for the default context of Little CMS, which has none.
    static func of(_ context: cmsContext?) -> LittleCMSState? {
        cmsGetContextUserData(context).map { Unmanaged<LittleCMSState>.fromOpaque($0).takeUnretainedValue() }
    }
}
#endif
