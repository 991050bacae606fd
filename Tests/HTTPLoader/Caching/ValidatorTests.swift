#if HTTP
import Calotype
import CalotypeHTTP
import CalotypeTesting
import Testing

/// Revalidation of a copy, and resumption of an interrupted transfer.
@Suite(.timeLimit(.minutes(5)))
struct ValidatorTests {
    private let server: ScriptedServer
    private let loader = CurlImageLoader()
    private let picture = RawImageCoder.file(width: 40, height: 30)

    static let date = "Sat, 21 Nov 2026 10:00:00 GMT"

    init() throws { server = try ScriptedServer() }

    private var url: URL { server.url("/picture.raw") }

    // MARK: Revalidation

    @Test(arguments: [
        Validators(entityTag: "\"v1\"", lastModified: ValidatorTests.date), Validators(entityTag: "W/\"v1\""),
        Validators(lastModified: ValidatorTests.date),
    ])
    func `an unchanged copy is not sent again`(validators: Validators) async throws {
        server.answer("/picture.raw", with: .status(304, headers: ["ETag": "\"v1\"", "Content-Length": "5000"]))
        let loaded = try await loader.fetch(url, validators: validators)
        #expect(loaded.isNotModified)
        #expect(loaded.head?.validators == Validators(entityTag: "\"v1\""))
        #expect(loaded.head?.expectedByteCount == nil)
        #expect(loaded.data.isEmpty)
        #expect(loaded.metrics.receivedByteCount == 0)
        let request = try #require(server.requests.first)
        #expect(request.headers["If-None-Match"] == validators.entityTag)
        #expect(request.headers["If-Modified-Since"] == validators.lastModified)
        #expect(request.headers["Range"] == nil)
        // The connection is still usable.
        _ = try await loader.fetch(url, validators: validators)
        #expect(server.connectionCount == 1)
    }

    @Test func `a changed copy is replaced`() async throws {
        server.answer("/picture.raw", with: .bytes(picture, headers: ["ETag": "\"v2\""]))
        let loaded = try await loader.fetch(url, validators: Validators(entityTag: "\"v1\""))
        #expect(loaded.isComplete)
        #expect(loaded.data == picture)
        #expect(loaded.head?.validators == Validators(entityTag: "\"v2\""))
    }

    @Test func `a 304 response to an unconditional request is an error`() async throws {
        server.answer("/picture.raw", with: .status(304))
        for validators in [nil, Validators(), Validators(entityTag: "")] {
            let error = await imageError { try await loader.fetch(url, validators: validators) }
            #expect(error?.code == .badStatus)
        }
        #expect(server.requests.allSatisfy { $0.headers["If-None-Match"] == nil })
    }

    @Test func `invalid validators are not sent`() async throws {
        server.answer("/picture.raw", with: .bytes(picture))
        let evil = Validators(entityTag: "\"a\"\r\nX-Evil: b", lastModified: Self.date)
        #expect(try await loader.fetch(url, validators: evil).data == picture)
        let request = try #require(server.requests.first)
        #expect(request.headers["X-Evil"] == nil)
        #expect(request.headers["If-None-Match"] == nil)
        #expect(request.headers["If-Modified-Since"] == Self.date)
    }

    // MARK: Resumption

    @Test func `the rest of a file can be requested`() async throws {
        let offset = 1234
        server.answer("/picture.raw", with: .partial(picture, range: offset..<picture.count))
        let validators = Validators(entityTag: "\"v1\"", lastModified: Self.date)
        let loaded = try await loader.fetch(url, validators: validators, resumeOffset: offset)
        #expect(loaded.isComplete)
        #expect(loaded.data == picture.dropFirst(offset))
        #expect(loaded.head?.offset == offset)
        #expect(loaded.head?.expectedByteCount == picture.count)
        #expect(loaded.metrics.receivedByteCount == picture.count - offset)
        let request = try #require(server.requests.first)
        #expect(request.headers["Range"] == "bytes=1234-")
        #expect(request.headers["If-Range"] == "\"v1\"")
        #expect(request.headers["If-None-Match"] == nil)
        #expect(request.headers["If-Modified-Since"] == nil)
    }

    @Test func `a weak tag cannot resume a transfer, a date without a tag can`() async throws {
        server.answer("/picture.raw", with: .bytes(picture))
        _ = try await loader.fetch(url, validators: Validators(lastModified: Self.date), resumeOffset: 10)
        #expect(server.requests.last?.headers["If-Range"] == Self.date)
        let weak = Validators(entityTag: "W/\"v1\"", lastModified: Self.date)
        for validators in [nil, Validators(), Validators(entityTag: "W/\"v1\""), weak] {
            let loaded = try await loader.fetch(url, validators: validators, resumeOffset: 10)
            #expect(loaded.head?.offset == 0)
            #expect(loaded.data == picture)
            #expect(server.requests.last?.headers["Range"] == nil, "no range is requested without a strong validator")
        }
    }

    @Test func `a full response to a range request is accepted`() async throws {
        server.answer("/picture.raw", with: .bytes(picture))
        let loaded = try await loader.fetch(url, validators: Validators(entityTag: "\"v1\""), resumeOffset: 1000)
        #expect(loaded.head?.offset == 0)
        #expect(loaded.head?.expectedByteCount == picture.count)
        #expect(loaded.data == picture)
    }

    @Test func `a part of another version is refused, even at the right offset`() async throws {
        server.answer(
            "/picture.raw",
            with: .partial(picture, range: 1000..<picture.count, headers: ["ETag": "\"v2\""]))
        let error = try #require(
            await imageError {
                try await loader.fetch(url, validators: Validators(entityTag: "\"v1\""), resumeOffset: 1000)
            })
        #expect(error.code == .loadFailed)
        #expect(error.message.contains("another version"))
    }

    @Test(
        arguments: [
            nil, "", "bytes */5000", "bytes 1000-4999/*", "bytes +1000-4999/5000", "bytes 999-4999/5000",
            "bytes 1001-4999/5000", "bytes 0-4999/5000",
            "bytes 1000-4000/5000", "bytes 1000-5000/5000", "items 1000-4999/5000", "bytes 1000-999/5000",
            "bytes 1000-99999999999999999999/*", "bytes 1000-9223372036854775807/*",
            "bytes 0-9223372036854775807/*", "bytes 1000-9223372036854775807/9223372036854775807",
        ] as [String?])
    func `a part other than the requested one is refused`(range: String?) async throws {
        let headers = ScriptedHeaders(range.map { [ScriptedHeaders.Field(name: "Content-Range", value: $0)] } ?? [])
        server.answer("/picture.raw", with: .bytes(Data(count: 4000), status: 206, headers: headers))
        let validators = Validators(entityTag: "\"v1\"")
        let error = try #require(
            await imageError { try await loader.fetch(url, validators: validators, resumeOffset: 1000) })
        #expect(error.code == .loadFailed)
        #expect(error.message.contains("127.0.0.1:\(server.port)"))
    }

    @Test func `a part whose tag differs only in bytes is refused`() async throws {
        let headers: ScriptedHeaders = ["Content-Range": "bytes 1000-4999/5000", "ETag": "\"cafe\u{301}\""]
        server.answer("/picture.raw", with: .bytes(Data(count: 4000), status: 206, headers: headers))
        let validators = Validators(entityTag: "\"caf\u{e9}\"")
        let error = await imageError { try await loader.fetch(url, validators: validators, resumeOffset: 1000) }
        #expect(error?.code == .loadFailed)
        #expect(error?.message.contains("another version") == true, "\(String(describing: error))")
    }

    @Test func `a truncated or shorter part is incomplete`() async throws {
        let validators = Validators(entityTag: "\"v1\"")
        let part = ScriptedResponse.partial(picture, range: 1000..<picture.count)
        let short = ScriptedResponse.bytes(
            Data(count: 100), status: 206, headers: ["Content-Range": "bytes 1000-1999/2000"])
        for response in [part.cut(after: 500), short] {
            server.answer("/picture.raw", with: response)
            let error = await imageError { try await loader.fetch(url, validators: validators, resumeOffset: 1000) }
            #expect(error?.code == .incomplete, "\(String(describing: error))")
        }
    }

    @Test func `a range beyond the end is a bad status`() async throws {
        server.answer("/picture.raw", with: .status(416, headers: ["Content-Range": "bytes */500"]))
        let validators = Validators(entityTag: "\"v1\"")
        let error = await imageError { try await loader.fetch(url, validators: validators, resumeOffset: 1000) }
        #expect(error?.code == .badStatus)
        #expect(error?.message.contains("416") == true)
    }

    @Test func `a 304 response to a range request is an error`() async throws {
        server.answer("/picture.raw", with: .status(304))
        let validators = Validators(entityTag: "\"v1\"")
        let error = await imageError { try await loader.fetch(url, validators: validators, resumeOffset: 1000) }
        #expect(error?.code == .badStatus)
    }
}
#endif
