#if HTTP
import Calotype
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing

/// The requests that the server receives.
@Suite(.timeLimit(.minutes(5)))
struct RequestTests {
    private let server: ScriptedServer
    private let loader = CurlImageLoader()
    private let picture = RawImageCoder.file(width: 4, height: 3)

    init() throws {
        server = try ScriptedServer()
        server.answerOthers { [picture] _ in .bytes(picture) }
    }

    /// Loads a path, and returns the request that the server received.
    private func request(
        _ context: ImageContext = [], path: String = "/picture.raw", by loader: CurlImageLoader? = nil
    ) async throws -> ScriptedRequest {
        _ = try await (loader ?? self.loader).fetch(server.url(path), context)
        return try #require(server.requests.last)
    }

    @Test func `by default images are preferred to other types`() async throws {
        let request = try await request()
        #expect(request.method == "GET")
        #expect(request.version == "HTTP/1.1")
        #expect(request.headers.values(of: "Accept") == ["image/*,*/*;q=0.8"])
        let agent = try #require(request.headers["User-Agent"])
        #expect(agent.hasPrefix("Calotype libcurl/"))
        #expect(agent == loader.configuration.userAgent)
        #expect(request.headers["Host"] == "127.0.0.1:\(server.port)")
        for name in [
            "Accept-Encoding", "Authorization", "Cookie", "Range", "If-Range", "If-None-Match", "If-Modified-Since",
            "Referer",
        ] {
            #expect(request.headers[name] == nil, "\(name)")
        }
    }

    @Test func `headers of the request replace the loader's own`() async throws {
        let headers: HTTPHeaders = [
            "accept": "image/webp", "USER-AGENT": "me", "X-Name": "a", "X-Empty": "", "x-name": "b; c=\"d\"",
        ]
        let request = try await request([.httpHeaders(headers)])
        #expect(request.headers.values(of: "Accept") == ["image/webp"])
        #expect(request.headers.values(of: "User-Agent") == ["me"])
        #expect(request.headers.values(of: "X-Name") == ["b; c=\"d\""])
        #expect(request.headers.values(of: "X-Empty") == [""])
    }

    @Test func `a value is sent unchanged, whatever was sent before`() async throws {
        for value in ["cafe", "caf\u{e9}", "cafe\u{301}", "caf\u{e9}", "\u{212b}", "A\u{30a}", "\u{c5}"] {
            let sent = try await request([.httpHeaders(["X-Token": value])]).headers["X-Token"]
            #expect(sent.map { Array($0.utf8) } == Array(value.utf8))
        }
    }

    @Test func `headers of one request are not sent with another`() async throws {
        let with = try await request([.httpHeaders(["X-Name": "a", "Cookie": "b"])])
        let without = try await request()
        #expect(with.headers["X-Name"] == "a")
        #expect(without.headers["X-Name"] == nil)
        #expect(without.headers["Cookie"] == nil)
        #expect(server.connectionCount == 1)
    }

    @Test func `a manager's headers are sent with all its requests, until they are removed`() async throws {
        let bench = try HTTPBench(context: [.httpHeaders(["AppName": "Tests"]), .off(.imageCache)])
        _ = try await bench.manager.image(for: server.url("/a"))
        _ = try await bench.manager.image(for: ImageRequest(server.url("/b"), context: [.off(.httpHeaders)]))
        #expect(server.requests.map { $0.headers["AppName"] } == ["Tests", nil] as [String?])
    }

    @Test func `the user agent can be changed`() async throws {
        var configuration = CurlImageLoader.Configuration()
        configuration.userAgent = "Camera obscura/2"
        let loader = CurlImageLoader(configuration)
        let request = try await request(by: loader)
        #expect(request.headers.values(of: "User-Agent") == ["Camera obscura/2"])
        #expect(loader.identity != self.loader.identity)
    }

    @Test(
        arguments: [
            ["X-Name": "a\r\nX-Evil: s3cr3t"], ["X-Name": "a\ns3cr3t"], ["X-Name": "s3cr3t\u{0}"], ["X Name": "s3cr3t"],
            ["X-Name:": "s3cr3t"], ["": "s3cr3t"], ["X-Name\r\nX-Evil": "s3cr3t"], ["Content-Length": "5"],
            ["transfer-encoding": "chunked"], ["Connection": "close"],
        ] as [HTTPHeaders])
    func `invalid headers are refused before anything is sent`(headers: HTTPHeaders) async throws {
        let error = try #require(await imageError { try await request([.httpHeaders(headers)]) })
        #expect(error.code == .loadFailed)
        #expect(error.message.contains("header"))
        #expect(error.advice?.contains("httpHeaders") == true)
        #expect(!error.description.contains("s3cr3t"))
        #expect(server.connectionCount == 0)
    }

    @Test func `user and password in the URL are sent as Basic authorization`() async throws {
        let url = try #require(URL(string: "http://some%40body:pass%20word@127.0.0.1:\(server.port)/picture.raw"))
        _ = try await loader.fetch(url)
        let request = try #require(server.requests.last)
        #expect(
            request.headers["Authorization"] == "Basic \(Data("some@body:pass word".utf8).base64EncodedString())")
        #expect(request.target == "/picture.raw")
        #expect(try await self.request().headers["Authorization"] == nil, "credentials are not sent with another URL")
        let bench = try HTTPBench()
        _ = try await bench.manager.image(for: url)
        #expect(server.requests.last?.headers["Authorization"] == request.headers["Authorization"])
    }

    @Test(arguments: ["/a%20b.raw?c=d%2Fe&f", "/", "/?q", "/a;b=c,d/e", "/%E6%97%A5%E6%9C%AC.raw"])
    func `the URL is sent as written, without the fragment`(target: String) async throws {
        _ = try await loader.fetch(try #require(URL(string: server.url(target).absoluteString + "#part")))
        #expect(server.requests.last?.target == target)
    }

    @Test func `the loader accepts only http and https`() throws {
        for (text, isTaken) in [
            ("http://host/a", true), ("https://host/a", true), ("HTTP://host/a", true), ("ftp://host/a", false),
            ("file:///a", false), ("data:,a", false), ("httpx://host/a", false),
        ] {
            let url = try #require(URL(string: text))
            #expect(loader.canLoad(LoadRequest(url: url)) == isTaken, "\(text)")
        }
    }

    @Test func `an unusable URL is refused`() async throws {
        for text in ["http://127.0.0.1:99999/a", "ftp://127.0.0.1/a"] {
            guard let url = URL(string: text) else { continue }
            #expect(await imageError { try await loader.fetch(url) }?.code == .invalidURL, "\(text)")
        }
    }

    @Test func `the plugin names its library and its keys`() {
        let plugin = Plugin.http
        #expect(plugin.name == "HTTP")
        #expect(plugin.libraries.map(\.name) == ["libcurl"] as [String])
        #expect(plugin.libraries.allSatisfy { $0.version.first?.isNumber == true })
        let names = Set(plugin.keys.map(\.name))
        #expect(
            names.isSuperset(of: [
                "httpHeaders", "connectTimeout", "transferTimeout", "lowSpeedLimit", "lowSpeedTime", "maxRedirects",
                "acceptableStatusCodes", "acceptableContentTypes", "certificateAuthorities",
            ]))
        // Each manager has its own loader.
        let loaders = (1...2).compactMap { _ in
            let manager = ImageManager(plugins: [plugin], context: [.off(.imageCache)])
            return manager.registry.loaders.elements.first as? CurlImageLoader
        }
        #expect(loaders.count == 2)
        #expect(loaders.first !== loaders.last)
    }
}
#endif
