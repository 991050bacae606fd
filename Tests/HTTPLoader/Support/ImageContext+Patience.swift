#if HTTP
import Calotype
import CalotypeHTTP

extension ImageContext {
    /// Long timeouts, for tests on a slow machine, beside other tests, or under a sanitizer.
    static let patient: ImageContext = [
        .connectTimeout(.seconds(300)), .lowSpeedTime(.seconds(300)), .transferTimeout(.seconds(300)),
    ]
}
#endif
