#if HTTP
import Calotype

/// A collection of idle libcurl handles. Use it on one thread.
///
/// The number of idle handles never exceeds the maximum number of handles that were in use at once.
struct IdleHandles<Handle> {
    private var handles: [(authorities: String?, handle: Handle)] = []

    var count: Int { handles.count }

    /// Adds an idle handle. `authorities` is the path of the certificates that the handle trusts; nil for the system's.
    mutating func add(_ handle: Handle, trusting authorities: String?) { handles.append((authorities, handle)) }

    /// Removes and returns the most recently used handle that trusts the given certificates. If there is none, returns
    /// nil and drops the oldest handle, because the caller creates a new one.
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
