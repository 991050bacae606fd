#if HTTP
import Calotype

/// The idle handles, which requests with the same trusted authorities reuse.
///
/// The number of handles is the maximum number that were in use at once. Use it on one thread.
struct IdleHandles<Handle> {
    private var handles: [(authorities: String?, handle: Handle)] = []

    var count: Int { handles.count }

    /// Adds an idle handle.
    /// - Parameters:
    ///   - handle: The handle.
    ///   - authorities: The path of the file with its trusted certificates; nil for the system's.
    mutating func add(_ handle: Handle, trusting authorities: String?) { handles.append((authorities, handle)) }

    /// Removes and returns the most recently used handle with the same authorities.
    ///
    /// Returns nil if there is none. In that case the oldest handle is dropped in favor of the one that the caller
    /// creates.
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
