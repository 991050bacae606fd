#if HTTP
import Calotype

/// The idle handles, which are reused by requests with the same trusted certificates. Use it on one thread.
///
/// There are never more idle handles than the maximum number of handles that were in use at once.
struct IdleHandles<Handle> {
    private var handles: [(authorities: String?, handle: Handle)] = []

    var count: Int { handles.count }

    /// Adds an idle handle.
    /// - Parameters:
    ///   - handle: The handle.
    ///   - authorities: The path of the file with the certificates that the handle trusts; nil for the system's.
    mutating func add(_ handle: Handle, trusting authorities: String?) { handles.append((authorities, handle)) }

    /// Removes and returns the most recently used handle that trusts the same certificates.
    ///
    /// Returns nil if there is no such handle. Then also drops the oldest handle, because the caller creates a new one.
    mutating func take(trusting authorities: String?) -> Handle? {
        if let index = handles.lastIndex(where: { $0.authorities.isSame(as: authorities) }) {
            return handles.remove(at: index).handle
        }
        if !handles.isEmpty { handles.removeFirst() }
        return nil
    }

    /// Removes all handles.
    mutating func removeAll() { handles = [] }
}
#endif
