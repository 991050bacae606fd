#if HTTP
import CalotypeStandard

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// URLSession, without its cache.
final class URLSessionClient {
    private let batch: FileBatch
    private let session: URLSession
    private let urls: [URL]

    init(_ batch: FileBatch) throws(BenchmarkError) {
        self.batch = batch
        urls = try batch.urls()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = batch.limit
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        session = URLSession(configuration: configuration)
    }

    deinit { session.invalidateAndCancel() }

    /// Requests all files at once, and waits for them.
    func get() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for url in urls {
                group.addTask { [session, byteCount = batch.byteCount] in
                    let (data, response) = try await session.data(from: url)
                    guard (response as? HTTPURLResponse)?.statusCode == 200, data.count == byteCount else {
                        throw FileBatch.failure("URLSession")
                    }
                }
            }
        }
    }
}
#endif
