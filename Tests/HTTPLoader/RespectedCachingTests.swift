#if HTTP
import Calotype
import CalotypeHTTP
import CalotypeTesting
import Testing

/// Requests for which the rules of HTTP hold, with what a server really says.
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
    func `what is fresh for an hour is not asked for again`(context: ImageContext) async throws {
        server.answer("/picture.raw", with: .bytes(picture, headers: ["Cache-Control": "max-age=3600"]))
        #expect(try await source(context) == .loader)
        #expect(try await source(context) == .memory)
        bench.memory.clear()
        #expect(try await source(context) == .disk)
        #expect(server.requestCount == 1)
    }

    @Test func `a thumbnail of what is fresh is made without asking`() async throws {
        server.answer("/picture.raw", with: .bytes(picture, headers: ["Cache-Control": "max-age=3600"]))
        #expect(try await source([.thumbnailPixelSize(20, 20)]) == .loader)
        #expect(try await source([.thumbnailPixelSize(10, 10)]) == .disk)
        #expect(server.requestCount == 1)
    }

    @Test func `what must be confirmed each time is, by its tag, and is not sent again`() async throws {
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
        #expect(bench.memory.count == 0, "memory would answer without asking")
    }

    @Test(arguments: contexts)
    func `what must not be kept is in no cache`(context: ImageContext) async throws {
        server.answer("/picture.raw", with: .bytes(picture, headers: ["Cache-Control": "no-store"]))
        for _ in 0..<2 { #expect(try await source(context) == .loader) }
        bench.expectNothingKept()
        #expect(server.requestCount == 2)
    }

    @Test(arguments: contexts)
    func `what is another for every request is in no cache, however fresh`(context: ImageContext) async throws {
        let headers: ScriptedHeaders = ["Cache-Control": "max-age=3600", "Vary": "*"]
        server.answer("/picture.raw", with: .bytes(picture, headers: headers))
        for _ in 0..<2 { #expect(try await source(context) == .loader) }
        bench.expectNothingKept()
        #expect(server.requestCount == 2)
    }
}
#endif
