import Synchronization

/// A list of a manager's loaders, coders, transformers or color converters. The newest element is asked first.
///
/// Thread-safe. Client code is never called while the list is locked: iterations use a snapshot.
public final class RegistryList<Element: Sendable>: Sendable {
    private struct State {
        /// The elements, the newest first.
        var elements: [Element] = []
        /// The tokens of the elements, at the same indices.
        var tokens: [RegistryToken] = []
    }

    private let state = Lock(State())
    private let changes = Atomic(0)

    init() {}

    /// The number of changes so far. To detect a later change of the elements, read this number before you read them.
    var changeCount: Int { changes.load(ordering: .acquiring) }

    /// Adds an element before all others.
    /// - Returns: The token for ``remove(_:)``.
    @discardableResult
    public func add(_ element: Element) -> RegistryToken {
        let token = RegistryToken()
        state.withLock { state in
            state.elements.insert(element, at: 0)
            state.tokens.insert(token, at: 0)
        }
        changes.add(1, ordering: .releasing)
        return token
    }

    /// Removes the element for which ``add(_:)`` returned `token`. Returns false if the element is not in the list.
    /// Work in progress may still use the element.
    @discardableResult
    public func remove(_ token: RegistryToken) -> Bool {
        // The element is released outside the lock: its `deinit` may run client code.
        let removed = state.withLock { state -> Element? in
            guard let index = state.tokens.firstIndex(of: token) else { return nil }
            state.tokens.remove(at: index)
            return state.elements.remove(at: index)
        }
        guard removed != nil else { return false }
        changes.add(1, ordering: .releasing)
        return true
    }

    /// The current elements, the newest first.
    public var elements: [Element] {
        state.withLock { $0.elements }
    }
}
