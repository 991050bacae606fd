#if HTTP
import Calotype
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing

/// Secrets appear in the request and nowhere else.
@Suite(.timeLimit(.minutes(5)))
struct SecretsTests {
    private let server: ScriptedServer
    private let bench: HTTPBench

    init() throws {
        server = try ScriptedServer()
        bench = try HTTPBench()
    }

    private static var picture: Data { RawImageCoder.file(width: 40, height: 30) }

    /// The text that every secret of these tests contains.
    private static let secret = "s3cr3t"

    private static let headers: HTTPHeaders = [
        "Authorization": "Bearer s3cr3t-a", "Cookie": "session=s3cr3t-b", "X-Api-Key": "s3cr3t-c",
    ]

    private static let query = "size=1&token=s3cr3t-e&auth_token=s3cr3t-g&a=1;key=s3cr3t-h&s3cr3t-i&%6bey=s3cr3t-j"

    /// A URL of the server with secrets in all possible places.
    private var url: URL {
        get throws {
            let origin = "http://user-s3cr3t:s3cr3t-d@127.0.0.1:\(server.port)"
            let text = "\(origin)/picture.raw?\(Self.query)#s3cr3t-f"
            return try #require(URL(string: text))
        }
    }

    /// A behavior of a server.
    struct Deed: Sendable, CustomTestStringConvertible {
        let name: String
        let response: ScriptedResponse
        var context: ImageContext = []

        var testDescription: String { name }
    }

    static var deeds: [Deed] {
        let picture = picture
        let soon: ImageContext = [.transferTimeout(.milliseconds(100))]
        let elsewhere = "http://user:s3cr3t@127.0.0.1:1/s3cr3t?token=s3cr3t"
        return [
            Deed(name: "a picture", response: .bytes(picture)),
            Deed(
                name: "a no-store picture",
                response: .bytes(picture, headers: ["Cache-Control": "no-store"])),
            Deed(name: "a page", response: .html("no")),
            Deed(
                name: "denied access", response: .status(401, headers: ["WWW-Authenticate": "Basic realm=\"s3cr3t\""])),
            Deed(name: "a missing picture", response: .status(404)),
            Deed(name: "an error", response: .status(500)),
            Deed(name: "a truncated picture", response: .truncated(picture, sending: 1000)),
            Deed(name: "no response", response: .hangUp),
            Deed(name: "a broken connection", response: .reset),
            Deed(name: "text that is not HTTP", response: .raw(Data("s3cr3t\r\n\r\n".utf8))),
            Deed(name: "bad chunks", response: .chunked(wire: Data("s3cr3t\r\n".utf8))),
            Deed(name: "silence", response: .silence, context: soon),
            Deed(name: "a picture that is too large", response: .bytes(picture), context: [.maxPixels(10)]),
            Deed(name: "too many bytes", response: .bytes(picture), context: [.maxInputBytes(10)]),
            Deed(
                name: "the wrong type", response: .bytes(picture, contentType: "text/html"),
                context: [.acceptableContentTypes(["image/*"])]),
            Deed(name: "a redirect", response: .redirect(to: elsewhere)),
            Deed(name: "a redirect to an invalid URL", response: .redirect(to: "http://user:s3cr3t@/?s3cr3t")),
            Deed(name: "a redirect to another scheme", response: .redirect(to: "ftp://s3cr3t@host/s3cr3t")),
            Deed(name: "an endless redirect", response: .redirect(to: "/picture.raw?token=s3cr3t")),
            Deed(
                name: "headers that cannot be sent", response: .bytes(picture),
                context: [.httpHeaders(["X": "s3cr3t\n"])]),
        ]
    }

    @Test(arguments: SecretsTests.deeds)
    func `whatever a server does, no secret is reported or stored`(deed: Deed) async throws {
        server.answer("/picture.raw", with: deed.response)
        let context: ImageContext = [.httpHeaders(Self.headers), .thumbnailPixelSize(20, 20)]
        let request = ImageRequest(try url, context: context.merging(deed.context))

        var told: [Any] = [request.description, try await bench.manager.cacheKey(for: request)]
        let error = await imageError {
            let response = try await bench.manager.response(for: request)
            told.append(response.metrics)
        }
        if let error { told += [error, error.description, String(describing: error.cause)] as [Any] }
        let explanation = try await bench.manager.explain(request)
        told += [explanation.description, explanation.transferDigest] as [Any]
        await bench.manager.waitForEvents()
        told += bench.listener.events as [Any]
        told += bench.data.keys.map(\.description) as [Any]
        #expect(!bench.listener.events.isEmpty)
        for thing in told {
            var text = ""
            dump(thing, to: &text)
            #expect(!text.contains(Self.secret), "\(text)")
        }
        for (path, data) in bench.directory.contents {
            #expect(!path.contains(Self.secret), "\(path)")
            #expect(data.range(of: Data(Self.secret.utf8)) == nil, "\(path)")
        }
    }

    @Test func `the server gets all secrets`() async throws {
        server.answer("/picture.raw", with: .bytes(Self.picture))
        _ = try await bench.manager.image(for: ImageRequest(try url, context: [.httpHeaders(Self.headers)]))
        let request = try #require(server.requests.first)
        #expect(request.target == "/picture.raw?\(Self.query.replacing("%6b", with: "k"))")
        #expect(request.headers["Cookie"] == "session=s3cr3t-b")
        #expect(request.headers["X-Api-Key"] == "s3cr3t-c")
        // The fields of the request take precedence over the credentials in the URL.
        #expect(request.headers.values(of: "Authorization") == ["Bearer s3cr3t-a"])
    }

    @Test func `the error of an unknown host does not name the user`() async throws {
        let host = String(repeating: "a", count: 64) + ".invalid"
        let url = try #require(URL(string: "http://s3cr3t:s3cr3t@\(host)/picture.raw?token=s3cr3t"))
        let error = try #require(await bench.failure(of: url))
        #expect(error.code == .hostNotFound)
        #expect(!error.description.contains(Self.secret))
    }

    // MARK: Two users

    /// Serves each user a picture whose width is the number in the user's credentials.
    private func scriptPictures(behind gate: BlockingGate) {
        server.answer("/picture.raw") { request in
            let names = ["Bearer 10", "Bearer 20", Self.basic("10"), Self.basic("20")]
            guard let asked = request.headers["Authorization"], let index = names.firstIndex(of: asked) else {
                return .status(401)
            }
            let width = index.isMultiple(of: 2) ? 10 : 20
            return .bytes(RawImageCoder.file(width: width, height: 5)).stalled(after: 0, at: gate)
        }
    }

    private static func basic(_ name: String) -> String {
        "Basic \(Data("\(name):word".utf8).base64EncodedString())"
    }

    private func requests(bySomebody: Bool) throws -> [(width: Int, request: ImageRequest)] {
        try [10, 20].map { width in
            guard bySomebody else {
                let context: ImageContext = [.httpHeaders(["authorization": "Bearer \(width)"])]
                return (width, ImageRequest(server.url("/picture.raw"), context: context))
            }
            let url = "http://\(width):word@127.0.0.1:\(server.port)/picture.raw"
            return (width, ImageRequest(try #require(URL(string: url))))
        }
    }

    @Test(arguments: [false, true])
    func `no user gets another user's picture, be it shared, in memory or on disk`(inURL: Bool) async throws {
        let gate = BlockingGate()
        scriptPictures(behind: gate)
        let requests = try requests(bySomebody: inURL)
        let tasks = requests.map { bench.manager.load($0.request) }
        await server.waitForRequests(2)
        gate.open()
        for (task, (width, _)) in zip(tasks, requests) { #expect(try await task.response.image.width == width) }

        for source in [ImageResponse.Source.memory, .disk] {
            if source == .disk { bench.memory.clear() }
            for (width, request) in requests {
                // A copy of the request without its remembered resolution.
                let response = try await bench.manager.response(for: request.with([]))
                #expect(response.image.width == width)
                #expect(response.source == source)
            }
        }
        #expect(server.requestCount == 2)
        // A request without credentials is refused.
        #expect(await bench.failure(of: server.url("/picture.raw"))?.code == .accessDenied)
        let cached = ImageRequest(server.url("/picture.raw"), context: [.fromCacheOnly])
        #expect(await imageError { try await bench.manager.image(for: cached) }?.code == .notCached)
    }
}
#endif
