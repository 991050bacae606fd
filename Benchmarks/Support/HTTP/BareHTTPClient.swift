#if HTTP
import BenchmarkFloors

/// libcurl called from C, in one loop on one thread.
final class BareHTTPClient {
    private let batch: FileBatch
    private let client: OpaquePointer

    init(_ batch: FileBatch) throws(BenchmarkError) {
        guard let client = benchmark_http_create(batch.limit) else {
            throw BenchmarkError("libcurl could not be initialized")
        }
        self.batch = batch
        self.client = client
    }

    deinit { benchmark_http_free(client) }

    /// Loads all files.
    func get() throws(BenchmarkError) {
        guard benchmark_http_get(client, batch.address, batch.count, batch.byteCount) else {
            throw FileBatch.failure("libcurl")
        }
    }
}
#endif
