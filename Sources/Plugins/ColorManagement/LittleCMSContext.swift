#if COLOR
import CLCMS
import Calotype

/// Little CMS's surroundings for what is made of two profiles. What goes wrong is kept here instead of being lost.
final class LittleCMSContext {
    let pointer: OpaquePointer
    private let complaint = Complaint()

    private final class Complaint: Sendable {
        let text = Lock<String?>(nil)
    }

    init() throws(ImageError) {
        guard let pointer = cmsCreateContext(nil, Unmanaged.passUnretained(complaint).toOpaque()) else {
            throw ImageError(
                .outOfMemory, stage: .decode, message: "no memory for Little CMS",
                advice: "do less at once, or give the process more memory")
        }
        self.pointer = pointer
        cmsSetLogErrorHandlerTHR(pointer) { context, _, text in
            guard let text, let data = cmsGetContextUserData(context) else { return }
            let said = String(cString: text)
            Unmanaged<Complaint>.fromOpaque(data)._withUnsafeGuaranteedRef { complaint in
                // What is said first is the cause of what is said later.
                complaint.text.withLock { $0 = $0 ?? said }
            }
        }
    }

    deinit { cmsDeleteContext(pointer) }

    /// The error for a function that returned nothing.
    var failure: ImageError {
        let said = complaint.text.withLock { $0 }
        return .unusableProfile("is damaged" + (said.map { "; Little CMS says '\($0)'" } ?? ""))
    }
}
#endif
