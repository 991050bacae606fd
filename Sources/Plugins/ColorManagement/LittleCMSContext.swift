#if COLOR
import CLCMS
import Calotype

/// A context of Little CMS, in which two profiles are made a transform: with memory and errors of its own.
final class LittleCMSContext {
    let pointer: OpaquePointer
    private let state: LittleCMSState

    /// Creates a context.
    /// - Parameter maxTableBytes: The most bytes of curves and tables that profiles in it may have.
    init(maxTableBytes: Int) throws(ImageError) {
        state = LittleCMSState(memoryCeiling: LittleCMSMemory.ceiling(forTables: maxTableBytes))
        var plugin = LittleCMSMemory.plugin
        guard let pointer = cmsCreateContext(&plugin, Unmanaged.passUnretained(state).toOpaque()) else {
            throw ImageError(
                .outOfMemory, stage: .decode, message: "no memory for Little CMS",
                advice: "do less at once, or give the process more memory")
        }
        self.pointer = pointer
        cmsSetLogErrorHandlerTHR(pointer) { context, _, text in
            guard let text else { return }
            let said = String(cString: text)
            // The first error is the cause of those that follow.
            LittleCMSState.of(context)?.complaint.withLock { $0 = $0 ?? said }
        }
    }

    deinit { cmsDeleteContext(pointer) }

    /// The bytes that Little CMS holds for this context.
    var byteCount: Int { state.memory.byteCount }

    /// Whether Little CMS has not got memory that it asked for.
    var isOutOfMemory: Bool { state.memory.hasRefused }

    /// The error for a function that returned nothing, or that ran out of memory.
    var failure: ImageError {
        if isOutOfMemory {
            return .unusableProfile("takes more than \(state.memory.ceiling) bytes of memory to be used")
        }
        let said = state.complaint.withLock { $0 }
        return .unusableProfile("is damaged" + (said.map { "; Little CMS says '\($0)'" } ?? ""))
    }
}
#endif
