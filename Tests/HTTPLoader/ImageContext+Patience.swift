#if HTTP
import Calotype
import CalotypeHTTP

extension ImageContext {
    /// Time enough for a test that is held up by others, on a slow machine, under a sanitizer.
    static let patient: ImageContext = [
        .connectTimeout(.seconds(300)), .lowSpeedTime(.seconds(300)), .transferTimeout(.seconds(300)),
    ]
}
#endif
