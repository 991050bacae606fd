#if HTTP
import Calotype
import CalotypeHTTP
import CalotypeTesting
import Testing

/// Requests with the caching rules of HTTP, with responses of a server.
@Suite(.timeLimit(.minutes(5)))
struct RespectedCachingTests {
    private let server: ScriptedServer
    private let bench: HTTPBench
    private let picture = RawImageCoder.file(width: 40, height: 30)

    init() throws {
        server = try ScriptedServer()
        bench = try HTTPBench(context: [.httpCaching(.respect)])
    }

    private static let contexts: [ImageContext] = [[], [.thumbnailPixelSize(20, 20)]]

    private func source(_ context: ImageContext = []) async throws -> ImageResponse.Source {
        try await bench.manager.response(for: ImageRequest(server.url("/picture.raw"), context: context)).source
    }

    @Test(arguments: contexts)
    func `a response fresh for an hour is not requested again`(context: ImageContext) async throws {
        server.answer("/picture.raw", with: .bytes(picture, headers: ["Cache-Control": "max-age=3600"]))
        #expect(try await source(context) == .loader)
        #expect(try await source(context) == .memory)
        bench.memory.clear()
        #expect(try await source(context) == .disk)
        #expect(server.requestCount == 1)
    }

    @Test func `a thumbnail of a fresh response is made without a request`() async throws {
        server.answer("/picture.raw", with: .bytes(picture, headers: ["Cache-Control": "max-age=3600"]))
        #expect(try await source([.thumbnailPixelSize(20, 20)]) == .loader)
        #expect(try await source([.thumbnailPixelSize(10, 10)]) == .disk)
        #expect(server.requestCount == 1)
    }

    @Test func `a no-cache response is revalidated by its tag each time, and not sent again`() async throws {
        server.answer("/picture.raw") { [picture] request in
            guard request.headers["If-None-Match"] == "\"v1\"" else {
                return .bytes(picture, headers: ["Cache-Control": "no-cache", "ETag": "\"v1\""])
            }
            return .status(304, headers: ["ETag": "\"v1\""])
        }
        #expect(try await source() == .loader)
        for count in 2...3 {
            let response = try await bench.manager.response(for: server.url("/picture.raw"))
            #expect(response.source == .revalidated)
            #expect(response.image.size == PixelSize(40, 30))
            #expect(response.data == picture)
            #expect(server.requestCount == count)
            #expect(server.requests.last?.headers["If-None-Match"] == "\"v1\"")
        }
        #expect(bench.memory.count == 0, "an image in memory would be returned without a request")
    }

    @Test(arguments: contexts)
    func `a no-store response is in no cache`(context: ImageContext) async throws {
        server.answer("/picture.raw", with: .bytes(picture, headers: ["Cache-Control": "no-store"]))
        for _ in 0..<2 { #expect(try await source(context) == .loader) }
        bench.expectNothingKept()
        #expect(server.requestCount == 2)
    }

    @Test(arguments: contexts)
    func `a response with Vary * is in no cache, however fresh`(context: ImageContext) async throws {
        let headers: ScriptedHeaders = ["Cache-Control": "max-age=3600", "Vary": "*"]
        server.answer("/picture.raw", with: .bytes(picture, headers: headers))
        for _ in 0..<2 { #expect(try await source(context) == .loader) }
        bench.expectNothingKept()
        #expect(server.requestCount == 2)
    }

    // MARK: Responses that vary

    /// Returns another manager with the same caches, whose loader has another user agent.
    private func manager(_ userAgent: String) -> ImageManager {
        var configuration = CurlImageLoader.Configuration()
        configuration.userAgent = userAgent
        let manager = ImageManager(context: bench.manager.context)
        manager.registry.loaders.add(CurlImageLoader(configuration))
        manager.registry.coders.add(RawImageCoder())
        return manager
    }

    @Test(arguments: contexts)
    func `a response chosen by another loader's fields is revalidated, and then matches this loader`(
        context: ImageContext
    ) async throws {
        server.answer("/picture.raw") { [picture] request in
            let headers: ScriptedHeaders = ["Cache-Control": "max-age=3600", "ETag": "\"v1\"", "Vary": "User-Agent"]
            guard request.headers["If-None-Match"] == "\"v1\"" else { return .bytes(picture, headers: headers) }
            return .status(304, headers: headers)
        }
        let request = ImageRequest(server.url("/picture.raw"), context: context)
        let (one, same, other) = (manager("one/1"), manager("one/1"), manager("other/1"))
        #expect(try await one.response(for: request).source == .loader)
        #expect(try await same.response(for: request).source == .memory)
        bench.memory.clear()
        #expect(try await same.response(for: request).source == .disk)
        #expect(server.requestCount == 1)
        var requestCount = 1
        for (manager, userAgent) in [(other, "other/1"), (one, "one/1")] {
            #expect(try await manager.response(for: request).source == .revalidated)
            requestCount += 1
            #expect(server.requests.last?.headers["User-Agent"] == userAgent)
            // An explanation waits for pending stores.
            _ = try await manager.explain(request)
            #expect(try await manager.response(for: request).source == .memory)
            bench.memory.clear()
            #expect(try await manager.response(for: request).source == .disk)
            #expect(server.requestCount == requestCount)
        }
    }

    @Test func `each loader gets the server's variant for it`() async throws {
        let small = RawImageCoder.file(width: 20, height: 10)
        server.answer("/picture.raw") { [picture] request in
            let isOne = request.headers["User-Agent"] == "one/1"
            return .bytes(isOne ? small : picture, headers: ["Cache-Control": "max-age=3600", "Vary": "User-Agent"])
        }
        let url = server.url("/picture.raw")
        let (one, other) = (manager("one/1"), manager("other/1"))
        #expect(try await one.image(for: url).size == PixelSize(20, 10))
        #expect(try await other.image(for: url).size == PixelSize(40, 30))
        #expect(try await one.image(for: url).size == PixelSize(20, 10))
        #expect(server.requestCount == 3)
    }

    @Test func `the explanation says why a fresh response is requested`() async throws {
        let headers: ScriptedHeaders = ["Cache-Control": "max-age=3600", "Vary": "User-Agent"]
        server.answer("/picture.raw", with: .bytes(picture, headers: headers))
        let request = ImageRequest(server.url("/picture.raw"), context: [.thumbnailPixelSize(20, 20)])
        _ = try await manager("one/1").image(for: request)
        #expect(try await manager("one/1").explain(request).freshness?.hasPrefix("fresh for") == true)
        #expect(
            try await manager("other/1").explain(request).freshness
                == "for other request headers than now; its server must be asked")
    }

    @Test func `a request that ignores HTTP caching accepts a response for any fields`() async throws {
        let headers: ScriptedHeaders = ["Cache-Control": "max-age=3600", "Vary": "User-Agent"]
        server.answer("/picture.raw", with: .bytes(picture, headers: headers))
        let request = ImageRequest(server.url("/picture.raw"), context: [.httpCaching(.ignore)])
        #expect(try await manager("one/1").response(for: request).source == .loader)
        #expect(try await manager("other/1").response(for: request).source == .memory)
        bench.memory.clear()
        #expect(try await manager("other/1").response(for: request).source == .disk)
        #expect(server.requestCount == 1)
    }
}
#endif
