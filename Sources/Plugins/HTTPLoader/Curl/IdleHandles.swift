#if HTTP
import Calotype

/// The handles that nobody uses, to be used again by requests that trust the same authorities.
///
/// As many are kept as were used at once. Used by one thread.
struct IdleHandles<Handle> {
    private var handles: [(authorities: String?, handle: Handle)] = []

    var count: Int { handles.count }

    /// Adds a handle that nobody uses any more.
    /// - Parameter authorities: The path of the file with the certificates that it trusts; nil for the system's.
    mutating func add(_ handle: Handle, trusting authorities: String?) { handles.append((authorities, handle)) }

    /// Takes the handle that was used last of those that trust the same; nil if there is none. The handle that the
    /// caller makes then takes the place of the oldest one.
    mutating func take(trusting authorities: String?) -> Handle? {
        if let index = handles.lastIndex(where: { $0.authorities.isSame(as: authorities) }) {
            return handles.remove(at: index).handle
        }
        if !handles.isEmpty { handles.removeFirst() }
        return nil
    }

    /// Forgets all handles.
    mutating func removeAll() { handles = [] }
}
#endif
