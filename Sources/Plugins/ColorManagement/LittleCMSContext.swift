#if COLOR
import CLCMS
import Calotype

/// A Little CMS context for the transforms of one conversion, with its own memory and errors.
final class LittleCMSContext: Sendable {
    /// The context of Little CMS.
    ///
    /// `nonisolated(unsafe)` is sound: the pointer is constant, and threads that use the context at once do not modify
    /// it.
    /// - Only `init` changes its plug-ins and its error handler, before another thread can have a reference. Nothing
    ///   else calls a function that sets something in a context.
    /// - The functions that make profiles and transforms read the context. What they change is behind `state`, in which
    ///   locks protect the memory and the first error.
    /// - `deinit` runs without any remaining reference. Profiles and transforms retain the object until they have been
    ///   closed and deleted, so nothing of this context is left then.
    nonisolated(unsafe) let pointer: OpaquePointer
    private let state: LittleCMSState

    /// Creates a context that allocates from `memory`. Throws `outOfMemory`.
    init(_ memory: LittleCMSMemory) throws(ImageError) {
        state = LittleCMSState(memory)
        var plugin = LittleCMSMemory.plugin
        guard memory.fillReserve(),
            let pointer = cmsCreateContext(&plugin, Unmanaged.passUnretained(state).toOpaque())
        else {
            memory.freeAll()
            throw LittleCMSContext.noMemory
        }
        self.pointer = pointer
        cmsSetLogErrorHandlerTHR(pointer) { context, _, text in
            guard let text else { return }
            let said = String(cString: text)
            // The first error is the cause of all later ones.
            LittleCMSState.of(context)?.complaint.withLock { $0 = $0 ?? said }
        }
    }

    deinit {
        cmsDeleteContext(pointer)
        state.memory.freeAll()
    }

    /// The number of bytes that Little CMS has allocated in this context and not yet freed.
    var byteCount: Int { state.memory.byteCount }

    /// Whether an allocation of Little CMS has failed.
    var isShortOfMemory: Bool { state.memory.shortage != nil }

    /// The error to throw after a function of Little CMS returned nil, or after an allocation failed.
    var failure: ImageError {
        switch state.memory.shortage {
        case .system: return Self.noMemory
        case .ceiling: return .unusableProfile("requires more than \(state.memory.ceiling) bytes of memory")
        case nil:
            let said = state.complaint.withLock { $0 }
            return .unusableProfile("is damaged" + (said.map { "; Little CMS says '\($0)'" } ?? ""))
        }
    }

    private static var noMemory: ImageError {
        ImageError(
            .outOfMemory, stage: .decode, message: "not enough memory for Little CMS",
            advice: "load fewer images at once, or raise the process's memory limit")
    }
}
#endif
