import Calotype
import CalotypeTesting

/// A loader of one file that can break off in the middle a number of times.
///
/// It accepts URLs with the scheme `flaky`.
final class FlakyImageLoader: ImageLoader {
    private struct State {
        var failuresLeft = 0
        var active = 0
    }

    static let scheme = "flaky"

    private let file: Data
    private let gate: Gate
    private let state = Lock(State())

    /// - Parameters:
    /// - file: The file to load.
    /// - gate: The gate at which each load waits before its first byte.
    init(_ file: Data, gate: Gate) {
        self.file = file
        self.gate = gate
    }

    /// The number of active loads.
    var activeCount: Int { state.withLock { $0.active } }

    /// Makes the next `count` loads fail.
    func fail(_ count: Int) { state.withLock { $0.failuresLeft = count } }

    func canLoad(_ request: LoadRequest) -> Bool { request.url.scheme == Self.scheme }

    @concurrent
    func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
        let fails = state.withLock { state in
            state.active += 1
            guard state.failuresLeft > 0 else { return false }
            state.failuresLeft -= 1
            return true
        }
        defer { state.withLock { $0.active -= 1 } }
        try await gate.pass()
        try await sink.begin(LoadHead(expectedByteCount: file.count))
        try await sink.write(fails ? Data(file.prefix(file.count / 2)) : file)
        guard !fails else { throw ImageError(.connectionFailed, stage: .load, message: "the line broke") }
        return .complete
    }
}
