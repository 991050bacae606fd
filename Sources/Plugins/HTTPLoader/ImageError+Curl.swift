#if HTTP
import Calotype

extension ImageError {
    static var noMemoryForCurl: ImageError {
        ImageError(
            .outOfMemory, stage: .load, message: "no memory for libcurl",
            advice: "do less at once, or give the process more memory")
    }
}
#endif
