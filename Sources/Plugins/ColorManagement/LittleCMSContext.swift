#if COLOR
import CLCMS
import Calotype

/// A context of Little CMS, in which two profiles are made a transform: with memory and errors of its own.
final class LittleCMSContext {
    let pointer: OpaquePointer
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
            // The first error is the cause of those that follow.
            LittleCMSState.of(context)?.complaint.withLock { $0 = $0 ?? said }
        }
    }

    deinit {
        cmsDeleteContext(pointer)
        state.memory.freeAll()
    }

    /// The bytes that Little CMS holds for this context.
    var byteCount: Int { state.memory.byteCount }

    /// Whether Little CMS has not got memory that it asked for.
    var isShortOfMemory: Bool { state.memory.shortage != nil }

    /// The error for a function that returned nothing, or that ran out of memory.
    var failure: ImageError {
        switch state.memory.shortage {
        case .system: return Self.noMemory
        case .ceiling: return .unusableProfile("takes more than \(state.memory.ceiling) bytes of memory to be used")
        case nil:
            let said = state.complaint.withLock { $0 }
            return .unusableProfile("is damaged" + (said.map { "; Little CMS says '\($0)'" } ?? ""))
        }
    }

    private static var noMemory: ImageError {
        ImageError(
            .outOfMemory, stage: .decode, message: "no memory for Little CMS",
            advice: "do less at once, or give the process more memory")
    }
}
#endif
