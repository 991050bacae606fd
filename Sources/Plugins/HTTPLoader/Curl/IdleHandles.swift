#if HTTP
import Calotype

/// A collection of idle libcurl handles. A request reuses a handle that trusts the same certificates as the request.
/// Use the collection on one thread.
///
/// The number of idle handles never exceeds the maximum number of handles that were in use at once.
struct IdleHandles<Handle> {
    private var handles: [(authorities: String?, handle: Handle)] = []

    var count: Int { handles.count }

    /// Adds an idle handle.
    /// - Parameters:
    ///   - handle: The handle.
    ///   - authorities: The path of the file with the certificates that the handle trusts; nil for the system's
    ///     certificates.
    mutating func add(_ handle: Handle, trusting authorities: String?) { handles.append((authorities, handle)) }

    /// Removes and returns the most recently used handle that trusts the given certificates.
    ///
    /// Returns nil if there is no such handle. In this case, the method drops the oldest handle, because the caller
    /// creates a new one.
    /// - Parameter authorities: The path of the file with the certificates; nil for the system's certificates.
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
