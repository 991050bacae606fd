#if HTTP
import Calotype
import CalotypeHTTP
import CalotypeTesting
import Testing

/// Twenty thousand loads that are shared, cancelled and disturbed at random, with checks of invariants.
@Suite(.timeLimit(.minutes(10)))
struct StressTests {
    private static let roundCount = 40
    private static let loadsInRound = 500
    /// The width of the widest picture; all pictures have one row.
    private static let longest = 30

    /// A behavior of the server, and the possible outcomes of a load.
    private enum Deed: String, CaseIterable {
        case good, chunked, closing, large, away, missing, short, reset, hangUp, garbage, silent

        /// The number of bytes after a large picture: more than the loader buffers.
        static let excess = 400_000

        func response(_ picture: Data, width: Int) -> ScriptedResponse {
            switch self {
            case .good: .bytes(picture)
            case .chunked: .chunked([Data(picture.prefix(20)), Data(picture.dropFirst(20))])
            case .closing: .unknownLength(picture)
            case .large: .bytes(picture + Data(count: Self.excess))
            case .away: .redirect(to: "/good/\(width)")
            case .missing: .html("<h1>Sorry</h1>", status: 404)
            case .short: .truncated(picture, sending: picture.count / 2)
            case .reset: .bytes(picture).cut(after: 10, byReset: true)
            case .hangUp: .hangUp
            case .garbage: .raw(Data("garbage\r\n\r\n".utf8))
            case .silent: .silence
            }
        }

        /// The possible error codes; none for a picture.
        var codes: [ImageError.Code] {
            switch self {
            case .good, .chunked, .closing, .large, .away: []
            case .missing: [.notFound]
            case .short: [.incomplete]
            case .reset: [.connectionFailed]
            // The second code occurs if libcurl has tried all its connections.
            case .hangUp: [.loadFailed, .connectionFailed]
            case .garbage: [.loadFailed]
            case .silent: [.timedOut]
            }
        }
    }

    /// One random load of the run.
    private struct Wish {
        let deed: Deed
        let width: Int
        /// Whether it uses the manager, where it may share a transfer; otherwise the loader.
        let isShared: Bool
        /// The number of turns until it is cancelled; nil for never.
        let patience: Int?

        init(_ random: inout SplitMix64) {
            // Half are successful. Silence takes time, so it is rare.
            let isSilent = Int.random(in: 0..<200, using: &random) == 0
            let others = Deed.allCases.filter { $0 != .silent }
            let isGood = Bool.random(using: &random)
            deed = isSilent ? .silent : isGood ? .good : others.randomElement(using: &random) ?? .good
            width = Int.random(in: 1...StressTests.longest, using: &random)
            isShared = Bool.random(using: &random)
            let isImpatient = Int.random(in: 0..<4, using: &random) == 0
            patience = isImpatient ? Int.random(in: 0..<60, using: &random) : nil
        }

        var context: ImageContext { deed == .silent ? [.transferTimeout(.milliseconds(20))] : [] }
        var path: String { "/\(deed.rawValue)/\(width)" }
    }

    /// The outcome of a load.
    private enum End: Equatable {
        case picture(PixelSize)
        case bytes(Int)
        case error(ImageError.Code)
        case cancelled
        /// An invalid outcome, or not exactly one.
        case wrong(String)
    }

    @Test func `every load ends once as expected, and nothing is left behind`() async throws {
        let server = try ScriptedServer()
        let pictures = (1...Self.longest).map { RawImageCoder.file(width: $0, height: 1) }
        for deed in Deed.allCases {
            for (index, picture) in pictures.enumerated() {
                server.answer("/\(deed.rawValue)/\(index + 1)", with: deed.response(picture, width: index + 1))
            }
        }
        let leftovers = try await run(against: server)
        try await leftovers.waitUntilGone()
        await server.waitForOpenConnections(atMost: 0)
        try await waitUntil("no socket to the server remains") { Leftovers.socketCount(to: server.port) == 0 }
        #expect(server.requestCount < Self.roundCount * Self.loadsInRound, "some loads were shared")
    }

    /// Runs all loads, and releases the loader.
    private func run(against server: ScriptedServer) async throws -> Leftovers {
        var configuration = CurlImageLoader.Configuration()
        configuration.maxConcurrentLoads = 16
        configuration.maxConcurrentLoadsPerHost = 12
        configuration.order = .lastInFirstOut
        let loader = CurlImageLoader(configuration)
        let manager = ImageManager(context: [.off(.imageCache)])
        manager.registry.loaders.add(loader)
        manager.registry.coders.add(RawImageCoder())

        var random = SplitMix64(seed: 3)
        for round in 0..<Self.roundCount {
            let wishes = (0..<Self.loadsInRound).map { _ in Wish(&random) }
            await withTaskGroup(of: (Wish, End).self) { group in
                for wish in wishes {
                    let url = server.url(wish.path)
                    group.addTask {
                        guard wish.isShared else { return (wish, await Self.end(of: url, wish, in: loader)) }
                        return (wish, await Self.end(of: url, wish, in: manager))
                    }
                }
                for await (wish, end) in group {
                    #expect(Self.isAllowed(end, for: wish), "round \(round): \(wish) gave \(end)")
                }
            }
        }
        return try Leftovers(of: loader)
    }

    private static func isAllowed(_ end: End, for wish: Wish) -> Bool {
        if wish.patience != nil, end == .cancelled { return true }
        switch end {
        case .error(let code): return wish.deed.codes.contains(code)
        case .picture(let size): return wish.deed.codes.isEmpty && size == PixelSize(wish.width, 1)
        case .bytes(let count):
            let excess = wish.deed == .large ? Deed.excess : 0
            return wish.deed.codes.isEmpty && count == RawImageCoder.file(width: wish.width, height: 1).count + excess
        case .cancelled, .wrong: return false
        }
    }

    private static func end(of url: URL, _ wish: Wish, in manager: ImageManager) async -> End {
        let task = manager.load(ImageRequest(url, context: wish.context))
        await afterTurns(wish.patience) { task.cancel() }
        var ends: [End] = []
        var iterator = task.makeAsyncIterator()
        while true {
            do {
                guard let event = try await iterator.next() else { break }
                if case .finished(let response) = event { ends.append(.picture(response.image.size)) }
            } catch let error as ImageError {
                ends.append(error.code == .cancelled ? .cancelled : .error(error.code))
            } catch {
                ends.append(.wrong("\(error)"))
            }
        }
        return ends.count == 1 ? ends[0] : .wrong("\(ends)")
    }

    private static func end(of url: URL, _ wish: Wish, in loader: CurlImageLoader) async -> End {
        let sink = CollectingSink()
        let request = LoadRequest(url: url, context: ResolvedContext(wish.context))
        let load = Task { try await loader.load(request, into: sink) }
        await afterTurns(wish.patience) { load.cancel() }
        do {
            _ = try await load.value
            guard sink.heads.count == 1, sink.metrics.count == 1 else { return .wrong("not one head, or not one end") }
            return .bytes(sink.data.count)
        } catch is CancellationError {
            return .cancelled
        } catch let error as ImageError {
            return .error(error.code)
        } catch {
            return .wrong("\(error)")
        }
    }

    /// Calls `cancel` after a number of turns; never for nil.
    private static func afterTurns(_ count: Int?, _ cancel: () -> Void) async {
        guard let count else { return }
        for _ in 0..<count { await Task.yield() }
        cancel()
    }
}
#endif
