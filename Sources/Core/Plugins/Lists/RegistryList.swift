import Synchronization

/// The loaders, coders, transformers or colour converters of a manager: the newest is asked first.
///
/// Thread-safe. Client code is never called while the list is locked: iterations use a snapshot.
public final class RegistryList<Element: Sendable>: Sendable {
    private struct State {
        /// The newest first, each with its token at the same index.
        var elements: [Element] = []
        var tokens: [RegistryToken] = []
    }

    private let state = Lock(State())
    private let changes = Atomic(0)

    init() {}

    /// The number of changes so far. Reading it takes no lock; reading it before the elements tells whether they have
    /// changed since.
    var changeCount: Int { changes.load(ordering: .acquiring) }

    /// Adds an element before all others.
    /// - Returns: What removes it again.
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

    /// Takes out what was added under `token`; false when it is not there any more. Work under way finishes with it.
    @discardableResult
    public func remove(_ token: RegistryToken) -> Bool {
        // Let go of when the list is free again: what ends with it is client code.
        let removed = state.withLock { state -> Element? in
            guard let index = state.tokens.firstIndex(of: token) else { return nil }
            state.tokens.remove(at: index)
            return state.elements.remove(at: index)
        }
        guard removed != nil else { return false }
        changes.add(1, ordering: .releasing)
        return true
    }

    /// The elements as they are now, the newest first.
    public var elements: [Element] {
        state.withLock { $0.elements }
    }
}
