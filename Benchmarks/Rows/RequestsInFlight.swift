import CalotypeStandard
import Foundation

/// The cost of each of ten thousand requests in flight, all of which wait for their loader. Measured in a separate
/// process of this program, whose memory is unused at the start.
enum RequestsInFlight {
    /// The argument that marks the separate process. The path for its results follows.
    static let word = "--requests-in-flight"

    private static let count = 10_000
    private static let processCount = 5
    private static let program = Bundle.main.bundleURL.appending(path: "calotype-benchmarks")
        .path(percentEncoded: false)

    static var benchmarks: [Benchmark] {
        [
            Benchmark(id: "requests/in-flight-memory", title: "bytes for each of 10,000 requests in flight") {
                guard ResidentMemory.byteCount != nil else {
                    return .unavailable(.notCounted, because: "this system does not report resident memory")
                }
                let bytes = try measured().bytes
                return .count(bytes, text: "\((Int(bytes) * count) >> 20) MiB for all of them")
            },
            Benchmark(id: "requests/in-flight-time", title: "us for each of 10,000 requests, begin to end") {
                let times = try (0..<processCount).map { _ in try measured().seconds * 1e6 }
                return .count(Statistics.median(times), text: "median of \(processCount) processes")
            },
        ]
    }

    /// Returns bytes and seconds for each request, as measured by another process.
    private static func measured() throws -> (bytes: Double, seconds: Double) {
        let directory = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(directory) }
        let path = TemporaryDirectory.path("found", in: directory)
        guard ExternalProgram.run([program, word, path]) == 0 else {
            throw BenchmarkError("\(program) ended with an error")
        }
        let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
        let found = text.split(separator: " ").compactMap { Double($0) }
        guard found.count == 2 else { throw BenchmarkError("\(program) printed no result: \(text)") }
        return (found[0], found[1])
    }

    /// Measures in this process, and writes the results to a file.
    static func measure(into path: String) async throws {
        // The memory that remains: threads, tables and the allocator's reserve.
        _ = try await round(of: 100)
        let before = ResidentMemory.byteCount ?? 0
        let (held, seconds) = try await round(of: count)
        let bytes = Double(max(0, held - before)) / Double(count)
        try Data("\(bytes) \(seconds / Double(count))".utf8).write(to: URL(filePath: path))
    }

    /// Starts `count` requests at once and completes all of them. Returns the memory in use while all waited, and the
    /// seconds for all.
    private static func round(of count: Int) async throws -> (heldBytes: Int, seconds: Double) {
        let loader = HoldingLoader(
            image: Image(pixels: try DrawnPicture.pixels(size: PixelSize(16, 16), isOpaque: true)))
        let manager = ImageManager(context: [.off(.imageCache)])
        manager.registry.loaders.add(loader)
        let start = ContinuousClock.now
        let tasks = (0..<count).map { manager.load("https://example.org/pictures/\($0).jpg") }
        await loader.waitForLoads(count)
        let heldBytes = ResidentMemory.byteCount ?? 0
        loader.letGo()
        for task in tasks { _ = try await task.response }
        return (heldBytes, start.duration(to: .now).seconds)
    }
}

/// A loader that holds all loads until it is told to complete them.
private final class HoldingLoader: ImageLoader {
    private struct State {
        var held: [UnsafeContinuation<Void, Never>] = []
        var expected = Int.max
        var watcher: UnsafeContinuation<Void, Never>?

        /// Returns the waiter if the expected number of loads is reached.
        mutating func reached() -> UnsafeContinuation<Void, Never>? {
            guard held.count >= expected else { return nil }
            defer { watcher = nil }
            return watcher
        }
    }

    let queuesLoads = true
    private let image: Image
    private let state = Lock(State())

    init(image: Image) { self.image = image }

    func canLoad(_ request: LoadRequest) -> Bool { true }

    @concurrent func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            let watcher = state.withLock { state in
                state.held.append(continuation)
                return state.reached()
            }
            watcher?.resume()
        }
        return .image(image)
    }

    /// Waits until the loader holds `count` loads.
    func waitForLoads(_ count: Int) async {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            let watcher = state.withLock { state in
                state.expected = count
                state.watcher = continuation
                return state.reached()
            }
            watcher?.resume()
        }
    }

    /// Completes all loads that it holds.
    func letGo() {
        let held = state.withLock { state in
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }
}
