import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A minimal memory cache: a dictionary behind a mutex, without bounds, order or variants.
///
/// It is Sendable because all state but the mutex itself is accessed only while the mutex is held.
final class LockedDictionary: @unchecked Sendable {
    /// An element of the dictionary.
    final class Element: Sendable {
        let image: Image

        init(_ image: Image) { self.image = image }
    }

    private var elements: [String: Element] = [:]
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    init() {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    subscript(key: String) -> Element? {
        get {
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            return elements[key]
        }
        set {
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            elements[key] = newValue
        }
    }
}
