#if HTTP
import CalotypeHTTP
import CalotypeTesting
import Testing

@testable import Calotype

/// The freshness lifetime in responses.
@Suite(.timeLimit(.minutes(5)))
struct FreshnessTests {
    private let server: ScriptedServer
    private let loader = CurlImageLoader()
    private let picture = RawImageCoder.file(width: 4, height: 3)

    init() throws { server = try ScriptedServer() }

    private var url: URL { server.url("/picture.raw") }

    /// Returns the head of a response with only these fields.
    private func head(_ headers: ScriptedHeaders, _ context: ImageContext = []) async throws -> LoadHead {
        server.answer("/picture.raw", with: .bytes(picture, headers: headers))
        return try #require(await loader.fetch(url, context).head)
    }

    @Test func `the head has the caching fields of the response`() async throws {
        let before = SystemTime().wallTime()
        let head = try await head([
            "Cache-Control": "max-age=60", "ETag": "\"1\"", "Age": "5", "cache-control": "private, stale-if-error=30",
            "Vary": "Accept",
        ])
        let caching = try #require(head.caching)
        #expect(caching.status == 200)
        #expect(caching.freshnessLifetime == 60)
        #expect(caching.control == CacheControl("max-age=60, private, stale-if-error=30"), "repeated fields are joined")
        #expect(caching.initialAge >= 5)
        #expect((before - 60...SystemTime().wallTime() + 60).contains(caching.receivedAt))
        #expect(caching.state(at: caching.receivedAt + 60) != .fresh)
        #expect(caching.isStorable)
        #expect(head.isStorable)
    }

    @Test func `a response without caching fields is stale`() async throws {
        let caching = try #require(await head([:]).caching)
        #expect(caching.state(at: caching.receivedAt) == .stale(whileRevalidating: 0, ifError: 0))
        #expect(caching.isStorable)
    }

    @Test func `times are computed with the clocks of both sides`() async throws {
        let caching = try #require(
            await head([
                "Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Expires": "Sunday, 06-Nov-94 09:49:37 GMT",
                "Last-Modified": "Sun Nov  6 07:49:37 1994",
            ]).caching)
        #expect(caching.freshnessLifetime == 3600)
        #expect(caching.state(at: caching.receivedAt) != .fresh, "the response has been in transit since 1994")
    }

    @Test func `the head knows the request fields in Vary`() async throws {
        let headers: HTTPHeaders = ["X-Name": "a", "Accept-Language": "pt"]
        let caching = try #require(
            await head(["Vary": "X-Name, Accept-Language", "vary": "Cookie"], [.httpHeaders(headers)]).caching)
        // Only the presence of possibly secret fields is compared. Another value of them belongs to another entry
        // anyway.
        let choices = ["x-name": "", "accept-language": "pt"]
        #expect(caching.matches { choices[$0] })
        #expect(!caching.matches { $0 == "cookie" ? "" : choices[$0] })
        #expect(!caching.matches { $0 == "x-name" ? nil : choices[$0] })
        #expect(!caching.matches { $0 == "accept-language" ? "de" : choices[$0] })
    }

    @Test func `a response from another origin belongs to the original request`() async throws {
        let other = try ScriptedServer()
        other.answer("/picture.raw", with: .bytes(picture, headers: ["Vary": "X-Name, Accept-Language"]))
        server.answer("/picture.raw", with: .redirect(to: other.url("/picture.raw").absoluteString))
        let headers: HTTPHeaders = ["X-Name": "a", "Accept-Language": "pt"]
        let caching = try #require(await loader.fetch(url, [.httpHeaders(headers)]).head?.caching)
        let choices = ["x-name": "", "accept-language": "pt"]
        #expect(caching.matches { choices[$0] })
        #expect(!caching.matches { $0 == "accept-language" ? "pt" : nil })
        #expect(!caching.matches { $0 == "accept-language" ? "de" : choices[$0] })
        #expect(other.requests.last?.headers["X-Name"] == nil)
    }

    @Test func `requestField returns the fields that are sent, and only the presence of secret ones`() async throws {
        var configuration = CurlImageLoader.Configuration()
        configuration.userAgent = "mine/1"
        let loader = CurlImageLoader(configuration)
        server.answer("/picture.raw", with: .bytes(picture))
        for headers in [[:], ["Accept": "image/webp", "X-Name": "a"], ["user-agent": "other"]] as [HTTPHeaders] {
            let context: ImageContext = [.httpHeaders(headers)]
            _ = try await loader.fetch(url, context)
            let sent = try #require(server.requests.last?.headers)
            let request = LoadRequest(url: url, context: ResolvedContext(context))
            for name in ["accept", "accept-language", "accept-encoding", "cookie", "user-agent", "x-name"] {
                let said = name == "x-name" ? sent[name].map { _ in "" } : sent[name]
                #expect(loader.requestField(name, for: request) == said, "\(name)")
            }
        }
    }

    @Test func `a loader with invalid settings reports the fields of the request`() {
        var configuration = CurlImageLoader.Configuration()
        configuration.userAgent = "a\nb"
        let loader = CurlImageLoader(configuration)
        let request = LoadRequest(url: url, context: ResolvedContext([.httpHeaders(["Accept": "image/webp"])]))
        #expect(loader.requestField("accept", for: request) == "image/webp")
        #expect(loader.requestField("user-agent", for: request) == nil)
    }

    // MARK: 304 responses

    @Test func `a 304 response sets the new lifetime`() async throws {
        server.answer(
            "/picture.raw",
            with: .status(
                304,
                headers: [
                    "ETag": "\"1\"", "Cache-Control": "max-age=600", "Content-Length": "5000",
                    "Content-Type": "text/html",
                ]))
        let loaded = try await loader.fetch(url, validators: Validators(entityTag: "\"1\""))
        #expect(loaded.isNotModified)
        #expect(loaded.data.isEmpty)
        let head = try #require(loaded.head)
        #expect(head.validators == Validators(entityTag: "\"1\""))
        #expect(head.expectedByteCount == nil, "a 304 response has no body")
        #expect(head.mimeType == nil)
        let caching = try #require(head.caching)
        #expect(caching.status == 304)
        #expect(caching.freshnessLifetime == 600)
    }

    @Test func `a stored response is fresh again after revalidation`() async throws {
        let first = try #require(await head(["ETag": "\"1\"", "Cache-Control": "max-age=60", "Age": "60"]).caching)
        #expect(first.state(at: first.receivedAt) != .fresh)
        server.answer("/picture.raw", with: .status(304, headers: ["ETag": "\"1\"", "Cache-Control": "max-age=9999"]))
        let validators = Validators(entityTag: "\"1\"")
        let confirmation = try #require(await loader.fetch(url, validators: validators).head?.caching)
        let second = first.updated(by: confirmation) { _ in nil }
        #expect(second.status == 200)
        #expect(second.state(at: second.receivedAt) == .fresh)
    }

    @Test func `an error of a sink for a 304 response is passed on`() async throws {
        struct Refusal: Error {}
        server.answer("/picture.raw", with: .status(304))
        let sink = CollectingSink(onHead: { _ in throw Refusal() })
        let request = LoadRequest(
            url: url, context: ResolvedContext(.patient), validators: Validators(entityTag: "\"1\""))
        await #expect(throws: Refusal.self) { try await loader.load(request, into: sink) }
    }

    // MARK: Invalid fields

    @Test func `invalid fields are kept short and make nothing fresh`() async throws {
        let long = String(repeating: "max-age=60\",;=", count: 3000)
        for name in ["Cache-Control", "Expires", "Date", "Age", "Pragma", "Vary", "Last-Modified", "ETag"] {
            let head = try await head(ScriptedHeaders([ScriptedHeaders.Field(name: name, value: "x" + long)]))
            let caching = try #require(head.caching)
            #expect(caching.state(at: caching.receivedAt) != .fresh, "\(name)")
            #expect(caching.text.utf8.count <= 512)
        }
    }

    @Test func `no-store is found at the end of a long list`() async throws {
        let noise = String(repeating: "x, ", count: 10_000)
        let head = try await head(["Cache-Control": noise + "no-store"])
        #expect(!head.isStorable)
        #expect(head.caching?.isStorable == false)
    }

    @Test func `the first of thousands of equal fields is used`() async throws {
        let fields = (0..<2000).map { ScriptedHeaders.Field(name: "Cache-Control", value: "max-age=\($0 + 60)") }
        #expect(try await head(ScriptedHeaders(fields)).caching?.freshnessLifetime == 60)
    }
}
#endif
