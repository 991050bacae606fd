#if HTTP
import Calotype
import CalotypeHTTP
import CalotypeTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RedirectTests {
    private let server: ScriptedServer
    private let loader = CurlImageLoader()
    private let picture = RawImageCoder.file(width: 4, height: 3)

    init() throws {
        server = try ScriptedServer()
        server.answer("/picture.raw", with: .bytes(picture))
    }

    /// Returns the error of a load that is redirected to `location`.
    private func refusal(of location: String, _ context: ImageContext = []) async -> ImageError? {
        server.answer("/away", with: .redirect(to: location))
        return await imageError { try await loader.fetch(server.url("/away"), context) }
    }

    /// Serves redirects from `/hop/5` to `/hop/4` and so on; `/hop/0` is a picture.
    private func scriptHops() {
        server.answerOthers { [picture] request in
            let left = request.path.split(separator: "/").last.flatMap { Int($0) } ?? 0
            return left == 0 ? .bytes(picture) : .redirect(to: "/hop/\(left - 1)")
        }
    }

    // MARK: Schemes

    @Test func `a redirect to a scheme that is not allowed is refused`() async throws {
        let error = await refusal(of: "https://localhost:\(server.port)/picture.raw", [.allowedSchemes(["http"])])
        #expect(error?.code == .redirectRefused)
        #expect(error?.message.contains("'https' is not allowed") == true)
        #expect(server.connectionCount == 1)
        server.answer("/away", with: .redirect(to: "/picture.raw"))
        #expect(try await loader.fetch(server.url("/away"), [.allowedSchemes(["http"])]).data == picture)
    }

    // MARK: Followed redirects

    @Test(arguments: [301, 302, 303, 307, 308])
    func `every redirect status is followed`(status: Int) async throws {
        server.answer("/away", with: .redirect(to: "/picture.raw", status: status))
        let loaded = try await loader.fetch(server.url("/away"))
        #expect(loaded.isComplete)
        #expect(loaded.data == picture)
        #expect(loaded.metrics.redirectCount == 1)
        #expect(loaded.metrics.receivedByteCount == picture.count)
        #expect(server.requests.map(\.method) == ["GET", "GET"] as [String])
        #expect(server.connectionCount == 1)
    }

    @Test(arguments: [
        ("/c", "/c"), ("c?d=e", "/a/b/c?d=e"), ("../c", "/a/c"), ("./c", "/a/b/c"), ("?q=1", "/a/b/start?q=1"),
        ("/c#part", "/c"), ("/c d", "/c%20d"), ("/../c", "/c"),
    ])
    func `a relative location is resolved against its URL`(location: String, target: String) async throws {
        server.answerOthers { [picture] _ in .bytes(picture) }
        server.answer("/a/b/start", with: .redirect(to: location))
        server.answer("/a/b/start?q=1", with: .bytes(picture))
        let loaded = try await loader.fetch(server.url("/a/b/start"))
        #expect(loaded.data == picture)
        #expect(server.requests.last?.target == target)
    }

    @Test func `a location without a scheme keeps that of its URL`() async throws {
        server.answer("/away", with: .redirect(to: "//localhost:\(server.port)/picture.raw"))
        #expect(try await loader.fetch(server.url("/away")).data == picture)
        #expect(server.requests.last?.headers["Host"] == "localhost:\(server.port)")
    }

    @Test func `a conditional request stays conditional after a redirect`() async throws {
        server.answer("/away", with: .redirect(to: "/same"))
        server.answer("/same") { $0.headers["If-None-Match"] == "\"v1\"" ? .status(304) : .status(500) }
        let loaded = try await loader.fetch(server.url("/away"), validators: Validators(entityTag: "\"v1\""))
        #expect(loaded.isNotModified)
    }

    @Test func `the body of a redirect is ignored, however long`() async throws {
        let body = Data(repeating: 65, count: 20_000)
        server.answer("/away", with: .bytes(body, status: 302, headers: ["Location": "/picture.raw"]))
        #expect(try await loader.fetch(server.url("/away")).data == picture)
        #expect(server.connectionCount == 1, "a short body does not require another connection")
        let head = Data("HTTP/1.1 302 Found\r\nLocation: /picture.raw\r\n\r\n".utf8)
        server.answer("/away", with: ScriptedResponse(head: [.send(head)], body: [.sendForever(body)]))
        #expect(try await loader.fetch(server.url("/away")).data == picture)
    }

    @Test func `an image is stored under the requested URL`() async throws {
        let bench = try HTTPBench()
        server.answer("/away", with: .redirect(to: "/picture.raw"))
        _ = try await bench.manager.image(for: server.url("/away"))
        #expect(bench.data.keys.map(\.source.text) == [server.url("/away").absoluteString])
        #expect(try await bench.manager.contains(server.url("/picture.raw")).isEmpty)
    }

    // MARK: Refused redirects

    @Test func `five redirects are followed, the sixth is refused`() async throws {
        scriptHops()
        let loaded = try await loader.fetch(server.url("/hop/5"))
        #expect(loaded.metrics.redirectCount == 5)
        #expect(server.requestCount == 6)
        let error = await imageError { try await loader.fetch(server.url("/hop/6")) }
        #expect(error?.code == .redirectRefused)
        #expect(error?.message.contains("127.0.0.1:\(server.port)") == true)
        #expect(error?.message.contains("5") == true)
        #expect(server.requestCount == 12, "the target of the sixth redirect was not requested")
    }

    @Test func `the number of redirects can be limited`() async throws {
        scriptHops()
        for limit in [0, 1, 8] {
            let context: ImageContext = [.maxRedirects(limit)]
            #expect(try await loader.fetch(server.url("/hop/\(limit)"), context).metrics.redirectCount == limit)
            let error = await imageError { try await loader.fetch(server.url("/hop/\(limit + 1)"), context) }
            #expect(error?.code == .redirectRefused)
        }
    }

    @Test func `a redirect loop ends`() async throws {
        server.answer("/one", with: .redirect(to: "/two"))
        server.answer("/two", with: .redirect(to: "/one"))
        let bench = try HTTPBench()
        #expect(await bench.failure(of: server.url("/one"))?.code == .redirectRefused)
        #expect(server.requestCount == 6)
        bench.expectNothingKept()
    }

    @Test(arguments: ["ftp://127.0.0.1/picture.raw", "file:///etc/hostname", "gopher://127.0.0.1/", "ws://127.0.0.1/"])
    func `redirects to other schemes are refused`(location: String) async throws {
        let error = try #require(await refusal(of: location))
        #expect(error.code == .redirectRefused)
        #expect(error.message.contains("127.0.0.1:\(server.port)"))
        #expect(error.message.contains("'\(location.prefix { $0 != ":" })'"), "the error has the scheme: \(error)")
        #expect(server.requestCount == 1)
    }

    @Test(arguments: [
        "http://", "http://127.0.0.1:99999/", "http://[::1/", "http://a b/", "http:", "data:image/png;base64,AAAA",
        "javascript:alert(1)", "about:blank",
    ])
    func `redirects to an invalid URL are refused`(location: String) async throws {
        let error = try #require(await refusal(of: location))
        #expect(error.code == .redirectRefused)
        #expect(error.message.contains("127.0.0.1:\(server.port)"))
        #expect(server.requestCount == 1)
    }

    @Test func `a redirect status without a location is a bad status`() async throws {
        for status in [300, 301, 302, 304, 305] {
            server.answer("/away", with: .status(status))
            let error = await imageError { try await loader.fetch(server.url("/away")) }
            #expect(error?.code == .badStatus, "\(status)")
            #expect(error?.message.contains("\(status)") == true)
        }
    }

    @Test(arguments: [
        "http://127.0.0.1:1/?token=s3cr3t", "http://user:s3cr3t@127.0.0.1:1/s3cr3t", "ftp://user:s3cr3t@host/?s3cr3t",
        "http://127.0.0.1:99999/s3cr3t?s3cr3t", "http://user:s3cr3t@/", "/missing?token=s3cr3t#s3cr3t",
        "https://user:s3cr3t@127.0.0.1:1/?s3cr3t",
    ])
    func `no error contains the target of a refused redirect`(location: String) async throws {
        let error = try #require(await refusal(of: location))
        #expect(!error.description.contains("s3cr3t"), "\(error)")
        var dumped = ""
        dump(error, to: &dumped)
        #expect(!dumped.contains("s3cr3t"), "\(dumped)")
    }

    // MARK: Request fields

    private static let headers: HTTPHeaders = [
        "Accept": "image/webp", "Accept-Language": "pt", "User-Agent": "me", "Authorization": "Bearer a",
        "Cookie": "b=c", "X-Api-Key": "d",
    ]

    /// The fields that any host may see, and those that only the requested host may see.
    private static let open = ["Accept": "image/webp", "Accept-Language": "pt", "User-Agent": "me"]
    private static let secret = ["Authorization": "Bearer a", "Cookie": "b=c", "X-Api-Key": "d"]

    private func expect(_ request: ScriptedRequest?, hasSecrets: Bool) throws {
        let request = try #require(request)
        for (name, value) in Self.open { #expect(request.headers.values(of: name) == [value]) }
        for (name, value) in Self.secret { #expect(request.headers.values(of: name) == (hasSecrets ? [value] : [])) }
    }

    @Test func `headers are sent along within the same origin`() async throws {
        server.answer("/away", with: .redirect(to: server.url("/picture.raw").absoluteString))
        _ = try await loader.fetch(server.url("/away"), [.httpHeaders(Self.headers)])
        #expect(server.requestCount == 2)
        for request in server.requests { try expect(request, hasSecrets: true) }
    }

    @Test func `secrets are not sent to another port, nor back from there`() async throws {
        let other = try ScriptedServer()
        other.answer("/other", with: .redirect(to: server.url("/picture.raw").absoluteString))
        server.answer("/away", with: .redirect(to: other.url("/other").absoluteString))
        let loaded = try await loader.fetch(server.url("/away"), [.httpHeaders(Self.headers)])
        #expect(loaded.data == picture)
        try expect(server.requests.first, hasSecrets: true)
        try expect(other.requests.first, hasSecrets: false)
        try expect(server.requests.last, hasSecrets: false)
        #expect(server.requestCount == 2)
    }

    @Test func `secrets are not sent to another host name`() async throws {
        server.answer("/away", with: .redirect(to: server.url("/picture.raw", host: "localhost").absoluteString))
        _ = try await loader.fetch(server.url("/away"), [.httpHeaders(Self.headers)])
        try expect(server.requests.last, hasSecrets: false)
        #expect(server.requestCount == 2)
    }

    @Test func `user and password of the URL are sent only within the same origin`() async throws {
        let other = try ScriptedServer()
        other.answer("/picture.raw", with: .bytes(picture))
        server.answer("/near", with: .redirect(to: "/picture.raw"))
        server.answer("/far", with: .redirect(to: other.url("/picture.raw").absoluteString))
        for path in ["/near", "/far"] {
            _ = try await loader.fetch(try #require(URL(string: "http://user:word@127.0.0.1:\(server.port)\(path)")))
        }
        #expect(server.requests.count == 3)
        #expect(server.requests.allSatisfy { $0.headers["Authorization"]?.hasPrefix("Basic ") == true })
        #expect(other.requests.count == 1)
        #expect(other.requests.first?.headers["Authorization"] == nil)
    }

    @Test func `user and password in a location are not used`() async throws {
        server.answer("/away", with: .redirect(to: "http://user:word@127.0.0.1:\(server.port)/picture.raw"))
        _ = try await loader.fetch(server.url("/away"))
        #expect(server.requests.last?.path == "/picture.raw")
        #expect(server.requests.last?.headers["Authorization"] == nil)
    }
}
#endif
