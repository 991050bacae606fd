/// The loaders, coders, transformers or colour converters of a manager: the newest is asked first.
///
/// Thread-safe. Nobody's code is called while the list is locked: whoever goes through it goes through a snapshot.
public final class RegistryList<Element: Sendable>: Sendable {
    private struct State {
        /// The newest first.
        var entries: [(token: RegistryToken, element: Element)] = []
    }

    private let state = Lock(State())

    init() {}

    /// Adds an element before all others.
    /// - Returns: What removes it again.
    @discardableResult
    public func add(_ element: Element) -> RegistryToken {
        let token = RegistryToken()
        state.withLock { $0.entries.insert((token, element), at: 0) }
        return token
    }

    /// Takes out what was added under `token`; false when it is not there any more. Work under way finishes with it.
    @discardableResult
    public func remove(_ token: RegistryToken) -> Bool {
        state.withLock { state in
            guard let index = state.entries.firstIndex(where: { $0.token == token }) else { return false }
            state.entries.remove(at: index)
            return true
        }
    }

    /// The elements as they are now, the newest first.
    public var elements: [Element] {
        state.withLock { $0.entries.map(\.element) }
    }
}
