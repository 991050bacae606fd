#if HTTP
import CalotypeStandard
import CalotypeTesting

/// The library's loader, without a manager.
struct LoaderClient {
    private let batch: FileBatch
    private let loader: CurlImageLoader
    private let requests: [LoadRequest]

    init(_ batch: FileBatch) throws {
        self.batch = batch
        var configuration = CurlImageLoader.Configuration()
        configuration.maxConcurrentLoads = batch.limit
        configuration.maxConcurrentLoadsPerHost = batch.limit
        loader = CurlImageLoader(configuration)
        requests = try batch.urls().map { LoadRequest(url: $0) }
    }

    /// Checks that the first file has the expected bytes.
    func check(against bytes: Data) async throws {
        let sink = CollectingSink()
        guard let first = requests.first, case .complete = try await loader.load(first, into: sink),
            sink.data == bytes
        else { throw FileBatch.failure("CurlImageLoader") }
    }

    /// Starts all loads at once, and waits for them.
    func get() async throws {
        let sink = CountingSink()
        try await withThrowingDiscardingTaskGroup { group in
            for request in requests {
                group.addTask { [loader] in
                    guard case .complete = try await loader.load(request, into: sink) else {
                        throw FileBatch.failure("CurlImageLoader")
                    }
                }
            }
        }
        guard sink.byteCount == batch.count * batch.byteCount else { throw FileBatch.failure("CurlImageLoader") }
    }
}
#endif
