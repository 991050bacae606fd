#if HTTP
import Calotype

extension ImageError {
    static var noMemoryForCurl: ImageError {
        ImageError(
            .outOfMemory, stage: .load, message: "no memory for libcurl",
            advice: "do less at once, or give the process more memory")
    }

    static var noDescriptorForCurl: ImageError {
        ImageError(
            .loadFailed, stage: .load, message: "the system has no descriptor left for libcurl",
            advice: "keep fewer files and connections open, or raise the limit by ulimit -n")
    }
}
#endif
