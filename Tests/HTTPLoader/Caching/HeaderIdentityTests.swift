#if HTTP
import Calotype
import CalotypeHTTP
import CalotypeTesting
import Testing

/// Tokens that change while the user remains the same.
@Suite(.timeLimit(.minutes(5)))
struct HeaderIdentityTests {
    private let server: ScriptedServer
    private let bench: HTTPBench

    init() throws {
        server = try ScriptedServer()
        bench = try HTTPBench()
    }

    private var url: URL { server.url("/picture.raw") }

    /// Serves each user a picture whose width is the user's number. Tokens are `Bearer 17.1`, `Bearer 17.2` and so on.
    private func scriptPictures() {
        server.answer("/picture.raw") { request in
            let token = (request.headers["Authorization"] ?? "").split(separator: " ").last ?? ""
            guard let width = token.split(separator: ".").first.flatMap({ Int($0) }) else { return .status(401) }
            return .bytes(RawImageCoder.file(width: width, height: 5))
        }
    }

    private func request(_ value: String, _ identity: HTTPHeaders.Identity?) -> ImageRequest {
        let headers = identity.map { .authorization(value, identity: $0) } ?? ["Authorization": value] as HTTPHeaders
        return ImageRequest(url, context: [.httpHeaders(headers)])
    }

    @Test func `five tokens of one user take one load and one entry, which no other user gets`() async throws {
        scriptPictures()
        for number in 1...5 {
            let image = try await bench.manager.image(for: request("Bearer 17.\(number)", "user-17"))
            #expect(image.width == 17)
        }
        #expect(server.requestCount == 1)
        #expect(bench.data.stores.count == 1)
        #expect(bench.memory.count == 1)
        bench.memory.clear()
        #expect(try await bench.manager.response(for: request("Bearer 17.6", "user-17")).source == .disk)

        let other = try await bench.manager.image(for: request("Bearer 18.1", "user-18"))
        #expect(other.width == 18)
        #expect(await bench.failure(of: url)?.code == .accessDenied, "a request without credentials is refused")
        for unnamed in ["Bearer 17.1", "user-17"] {
            let cached = request(unnamed, nil).with([.fromCacheOnly])
            #expect(await imageError { try await bench.manager.image(for: cached) }?.code == .notCached)
        }
    }

    @Test func `five tokens without an identity take five loads and five entries`() async throws {
        scriptPictures()
        for number in 1...5 { _ = try await bench.manager.image(for: request("Bearer 17.\(number)", nil)) }
        #expect(server.requestCount == 5)
        #expect(Set(bench.data.keys).count == 5)
        #expect(
            Set(bench.data.keys.map(\.description)).count == 1,
            "the descriptions of the keys do not show the difference")
    }

    @Test func `concurrent tokens of one user share a load`() async throws {
        let gate = BlockingGate()
        server.answer(
            "/picture.raw", with: .bytes(RawImageCoder.file(width: 17, height: 5)).stalled(after: 0, at: gate))
        let tasks = (1...5).map { bench.manager.load(request("Bearer 17.\($0)", "user-17")) }
        await server.waitForRequests(1)
        gate.open()
        for task in tasks { #expect(try await task.response.image.width == 17) }
        #expect(server.requestCount == 1)
    }

    @Test func `only pictures that are declared public are shared by all users with access`() async throws {
        scriptPictures()
        for number in 17...20 {
            let image = try await bench.manager.image(for: request("Bearer \(number).1", .everyone))
            #expect(image.width == 17)
        }
        #expect(server.requestCount == 1)
        #expect(await bench.failure(of: url)?.code == .accessDenied)
    }

    @Test func `a refused token does not prevent another of the same user`() async throws {
        server.answer("/picture.raw") { request in
            guard request.headers["Authorization"] == "Bearer new" else { return .status(401) }
            return .bytes(RawImageCoder.file(width: 17, height: 5))
        }
        let remembering: ImageContext = [.failedURLTimeToLive(.seconds(3600))]
        let old = request("Bearer old", "user-17").with(remembering)
        for _ in 0..<2 { #expect(await imageError { try await bench.manager.image(for: old) }?.code == .accessDenied) }
        #expect(server.requestCount == 1, "the failure is remembered")
        let new = request("Bearer new", "user-17").with(remembering)
        #expect(try await bench.manager.image(for: new).width == 17)
        #expect(server.requestCount == 2)
    }

    @Test func `the identity is shown, and the token is not`() async throws {
        scriptPictures()
        let request = request("Bearer 17.s3cr3t", "user-17")
        _ = try await bench.manager.image(for: request.with([.thumbnailPixelSize(4, 4)]))
        let explanation = try await bench.manager.explain(request)
        #expect(explanation.description.contains("authorization: redacted, of user-17"))
        await bench.manager.waitForEvents()
        var text = explanation.description
        dump(bench.listener.events, to: &text)
        #expect(!text.contains("s3cr3t"))
        for (path, data) in bench.directory.contents {
            #expect(!String(decoding: data, as: UTF8.self).contains("s3cr3t"), "\(path)")
        }
    }

    // MARK: Loaders that add a header

    /// A loader that fetches a token for each load.
    private struct SigningLoader: ForwardingImageLoader {
        let base: any ImageLoader
        var distinction = ""
        let token: @Sendable () async throws -> String

        @concurrent func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
            var headers = request.context[.httpHeaders]
            headers["Authorization"] = "Bearer \(try await token())"
            return try await base.load(request.adding([.httpHeaders(headers)]), into: sink)
        }
    }

    @Test func `a loader that adds a header forwards everything else`() async throws {
        scriptPictures()
        let tokens = Lock(0)
        let loader = SigningLoader(base: bench.loader) {
            tokens.withLock { count -> String in
                count += 1
                return "17.\(count)"
            }
        }
        #expect(loader.queuesLoads)
        #expect(loader.identity == "\(loader.name)(\(bench.loader.identity))")
        bench.manager.registry.loaders.add(loader)
        let request = ImageRequest(url, context: [.httpHeaders(["X-Other": "kept"])])
        #expect(try await bench.manager.image(for: request).width == 17)
        #expect(try await bench.manager.response(for: request.with([.fromLoaderOnly])).image.width == 17)
        #expect(server.requests.map { $0.headers["Authorization"] } == ["Bearer 17.1", "Bearer 17.2"])
        #expect(server.requests.map { $0.headers["X-Other"] } == ["kept", "kept"])
        #expect(!loader.canLoad(LoadRequest(url: URL(filePath: "/a.png"))))
        #expect(loader.requestField("user-agent", for: LoadRequest(url: url)) != nil)
    }

    @Test func `loaders of two users share neither loads nor entries`() async throws {
        scriptPictures()
        func request(_ number: Int) -> ImageRequest {
            let loader = SigningLoader(base: bench.loader, distinction: "user-\(number)") { "\(number).1" }
            return ImageRequest(url, context: [.imageLoader(loader)])
        }
        #expect(try await bench.manager.image(for: request(17)).width == 17)
        #expect(try await bench.manager.image(for: request(18)).width == 18)
        #expect(try await bench.manager.response(for: request(17)).source == .memory)
        bench.memory.clear()
        for number in [17, 18] {
            let response = try await bench.manager.response(for: request(number))
            #expect(response.source == .disk)
            #expect(response.image.width == number)
        }
        let plain = ImageRequest(url, context: [.fromCacheOnly])
        #expect(await imageError { try await bench.manager.image(for: plain) }?.code == .notCached)
        #expect(server.requestCount == 2)
    }

    @Test func `a response that varies by a header added by a loader is answered from the cache`() async throws {
        let headers: ScriptedHeaders = ["Cache-Control": "max-age=3600", "Vary": "Authorization, Accept"]
        server.answer("/picture.raw", with: .bytes(RawImageCoder.file(width: 17, height: 5), headers: headers))
        let loader = SigningLoader(base: bench.loader, distinction: "user-17") { "17.1" }
        let request = ImageRequest(url, context: [.imageLoader(loader), .httpCaching(.respect)])
        for _ in 0..<2 { #expect(try await bench.manager.image(for: request).width == 17) }
        bench.memory.clear()
        #expect(try await bench.manager.response(for: request).source == .disk)
        #expect(server.requestCount == 1)
    }

    @Test func `a forwarding loader passes every question on`() async throws {
        /// A loader that adds nothing.
        struct PlainLoader: ForwardingImageLoader {
            let base: any ImageLoader
            let distinction = ""
        }
        /// A loader whose members all differ from the default implementations.
        struct TellingLoader: ImageLoader {
            let queuesLoads = true
            func canLoad(_ request: LoadRequest) -> Bool { request.url.scheme == "told" }
            func requestField(_ name: String, for request: LoadRequest) -> String? { "\(name) of \(request.url)" }
            func version(of request: LoadRequest, mayWait: Bool) -> SourceVersion {
                mayWait ? .known("version of \(request.url)") : .unknown
            }
            @concurrent func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
                .notModified
            }
        }
        let loader = PlainLoader(base: TellingLoader())
        let request = LoadRequest(url: try #require(URL(string: "told://host/a.raw")))
        #expect(loader.queuesLoads)
        #expect(loader.canLoad(request))
        #expect(!loader.canLoad(LoadRequest(url: url)))
        #expect(loader.requestField("accept", for: request) == "accept of told://host/a.raw")
        #expect(loader.version(of: request, mayWait: true) == .known("version of told://host/a.raw"))
        #expect(loader.version(of: request, mayWait: false) == .unknown)
        let outcome = try await loader.load(request, into: CollectingSink())
        guard case .notModified = outcome else {
            Issue.record("expected the call to be forwarded")
            return
        }
    }
}
#endif
