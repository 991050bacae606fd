@testable import Calotype

/// The period from the beginning of a call until it suspends, on the calling thread. Code that runs in it blocks the
/// caller.
final class CallWindow: Sendable {
    /// The ID of the calling thread; nil outside a call.
    private let thread = Lock<String?>(nil)

    /// Whether the current thread is in the period.
    var isOpenHere: Bool {
        let id = ThreadNote.currentID
        return thread.withLock { $0 } == id
    }

    /// Starts a call on this thread. Returns as soon as it suspends or ends.
    func begin(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        open()
        defer { close() }
        return .startingHere { await body() }
    }

    /// Starts a call in the main actor's isolation. Returns as soon as it suspends or ends.
    @MainActor
    func beginOnMainActor(_ body: @escaping @MainActor @Sendable () async -> Void) -> Task<Void, Never> {
        open()
        defer { close() }
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            return Task.immediate { @MainActor in await body() }
        }
        return Task { @MainActor in await body() }
    }

    private func open() {
        let id = ThreadNote.currentID
        thread.withLock { $0 = id }
    }

    private func close() { thread.withLock { $0 = nil } }
}
