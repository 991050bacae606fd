public import Calotype

/// A loader with scripted responses. It counts its loads and can wait at a gate.
///
/// By default the loader handles URLs with the scheme `fake`.
public final class FakeImageLoader: ImageLoader {
    /// A response of the fake loader.
    public enum Answer: Sendable {
        /// Bytes that are delivered in chunks of `chunkSize` bytes.
        case bytes(Data, chunkSize: Int = 4096)
        /// Bytes in pieces. Before each piece the load waits at the gate of the piece.
        case pieces([(gate: Gate, data: Data)])
        /// Bytes with a head. A request with the same validators as the head receives "not modified" and no bytes.
        case version(Data, LoadHead)
        /// A decoded image.
        case image(Image)
        /// An error that is thrown after the bytes of `after` were delivered.
        case failure(any Error, after: Data = Data())
    }

    private struct State {
        var answers: [String: Answer] = [:]
        var fallback: Answer?
        var requests: [LoadRequest] = []
        var active = 0
        var cancelled = 0
    }

    private let scheme: String
    private let state: Lock<State>
    /// The gate at which each load waits before its first byte; open by default.
    public let gate: Gate

    /// Creates a loader.
    /// - Parameters:
    ///   - scheme: The scheme of the URLs that the loader handles.
    ///   - answer: The response to URLs for which ``answer(_:with:)`` has set none. If it is nil, loads of these URLs
    ///     throw `notFound`.
    ///   - gate: The gate at which each load waits before its first byte. Default: an open gate.
    public init(scheme: String = "fake", answer: Answer? = nil, gate: Gate = Gate(isOpen: true)) {
        self.scheme = scheme
        self.gate = gate
        state = Lock(State(fallback: answer))
    }

    /// Sets the response to a URL.
    public func answer(_ url: String, with answer: Answer) {
        state.withLock { $0.answers[url] = answer }
    }

    /// The requests so far, in the order in which their loads began.
    ///
    /// The loader retains these requests. Therefore a request whose own `imageLoader` is this loader creates a
    /// reference cycle.
    public var requests: [LoadRequest] { state.withLock { $0.requests } }
    /// The number of loads that have begun.
    public var loadCount: Int { state.withLock { $0.requests.count } }
    /// The number of loads in progress.
    public var activeCount: Int { state.withLock { $0.active } }
    /// The number of loads that have ended with a `CancellationError`.
    public var cancelCount: Int { state.withLock { $0.cancelled } }

    public func canLoad(_ request: LoadRequest) -> Bool { request.url.scheme == scheme }

    @concurrent
    public func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
        let answer = state.withLock { state in
            state.requests.append(request)
            state.active += 1
            return state.answers[request.url.absoluteString] ?? state.fallback
        }
        defer { state.withLock { $0.active -= 1 } }
        do {
            try await gate.pass()
            return try await play(answer, to: request, into: sink)
        } catch {
            if error is CancellationError { state.withLock { $0.cancelled += 1 } }
            throw error
        }
    }

    private func play(
        _ answer: Answer?, to request: LoadRequest, into sink: any ByteSink
    ) async throws -> LoadOutcome {
        switch answer {
        case .bytes(let data, let chunkSize):
            try await sink.begin(LoadHead(expectedByteCount: data.count))
            try await write(data, chunkSize: chunkSize, into: sink)
            return .complete
        case .pieces(let pieces):
            try await sink.begin(LoadHead(expectedByteCount: pieces.reduce(0) { $0 + $1.data.count }))
            for piece in pieces {
                try await piece.gate.pass()
                try await sink.write(piece.data)
            }
            return .complete
        case .version(let data, let head):
            try await sink.begin(head)
            guard head.validators == nil || request.validators != head.validators else { return .notModified }
            try await sink.write(data)
            return .complete
        case .image(let image):
            return .image(image)
        case .failure(let error, let data):
            try await sink.begin(LoadHead())
            try await write(data, chunkSize: max(1, data.count), into: sink)
            throw error
        case nil:
            throw ImageError(
                .notFound, stage: .load, message: "no answer is scripted for the URL",
                advice: "script one with `answer`")
        }
    }

    private func write(_ data: Data, chunkSize: Int, into sink: any ByteSink) async throws {
        var rest = data[...]
        while !rest.isEmpty {
            try await sink.write(Data(rest.prefix(chunkSize)))
            rest = rest.dropFirst(chunkSize)
        }
    }
}
