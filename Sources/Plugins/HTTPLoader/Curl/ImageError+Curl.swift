#if HTTP
import Calotype

extension ImageError {
    static var noMemoryForCurl: ImageError {
        ImageError(
            .outOfMemory, stage: .load, message: "not enough memory for libcurl",
            advice: "load fewer images at once, or raise the process's memory limit")
    }

    static var noDescriptorForCurl: ImageError {
        ImageError(
            .loadFailed, stage: .load, message: "the system has no file descriptor left for libcurl",
            advice: "keep fewer files and connections open, or raise the limit with `ulimit -n`")
    }
}
#endif
