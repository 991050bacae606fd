@testable import Calotype

/// The time from the beginning of a call until it has to wait for something, on the thread that has called: what runs
/// then holds up the caller.
final class CallWindow: Sendable {
    /// The thread by its number; nil where nobody is calling.
    private let thread = Lock<String?>(nil)

    /// Whether this runs in it.
    var isOpenHere: Bool {
        let id = ThreadNote.currentID
        return thread.withLock { $0 } == id
    }

    /// Calls on this thread. Returns as soon as that has to wait, or has ended.
    func begin(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        open()
        defer { close() }
        return .startingHere { await body() }
    }

    /// Calls in the main actor's isolation, likewise.
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
