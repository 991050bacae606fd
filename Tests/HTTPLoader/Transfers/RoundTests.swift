#if HTTP
import Calotype
import CalotypeHTTP
import CalotypeTesting
import Testing

/// Small responses, which are sent without a pause: head, body and end may all arrive in one round.
@Suite(.timeLimit(.minutes(5)))
struct RoundTests {
    private static let repeats = 100

    private let server: ScriptedServer
    private let loader = CurlImageLoader()
    private let picture = RawImageCoder.file(width: 40, height: 30)

    init() throws { server = try ScriptedServer() }

    private var url: URL { server.url("/picture.raw") }

    /// A sink that records all calls in order.
    private final class Witness: ByteSink {
        private let state = Lock<[String]>([])

        var seen: [String] { state.withLock { $0 } }

        func begin(_ head: LoadHead) async throws {
            state.withLock { $0.append("head \(head.expectedByteCount ?? -1)") }
        }

        func write(_ chunk: Data) async throws { state.withLock { $0.append("chunk \(chunk.count)") } }

        func record(_ metrics: TransferMetrics) {
            state.withLock { $0.append("metrics \(metrics.receivedByteCount)") }
        }
    }

    private func request(_ url: URL) -> LoadRequest { LoadRequest(url: url, context: ResolvedContext(.patient)) }

    @Test func `head, body and end are delivered once, in order`() async throws {
        server.answer("/picture.raw", with: .bytes(picture))
        let (loader, count, request) = (loader, picture.count, request(url))
        try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<Self.repeats {
                group.addTask {
                    let witness = Witness()
                    guard case .complete = try await loader.load(request, into: witness) else { return [] }
                    return witness.seen
                }
            }
            for try await seen in group {
                #expect(seen.first == "head \(count)")
                #expect(seen.last == "metrics \(count)")
                let chunks = seen.dropFirst().dropLast()
                #expect(chunks.allSatisfy { $0.hasPrefix("chunk ") }, "\(seen)")
                #expect(chunks.compactMap { Int($0.dropFirst(6)) }.reduce(0, +) == count)
            }
        }
    }

    @Test func `the body is not delivered after a refused head`() async throws {
        struct Refusal: Error {}
        server.answer("/picture.raw", with: .bytes(picture))
        for _ in 0..<Self.repeats {
            let sink = CollectingSink(onHead: { _ in throw Refusal() })
            await #expect(throws: Refusal.self) { try await loader.load(request(url), into: sink) }
            #expect(sink.heads.count == 1)
            #expect(sink.chunks.isEmpty)
            #expect(sink.metrics.count == 1)
        }
        #expect(try await loader.fetch(url).data == picture)
    }

    @Test func `the body of an unwanted response is not delivered`() async throws {
        server.answer("/picture.raw", with: .bytes(picture, contentType: "image/png", status: 404))
        server.answer("/page", with: .html("<h1>Sorry</h1>"))
        server.answer("/away", with: .bytes(picture, status: 302, headers: ["Location": "/picture.raw"]))
        let images: ImageContext = [.acceptableContentTypes(["image/*"])]
        let wishes: [(String, ImageError.Code)] = [
            ("/picture.raw", .notFound), ("/page", .badContentType), ("/away", .notFound),
        ]
        for _ in 0..<Self.repeats / 10 {
            for (path, code) in wishes {
                let sink = CollectingSink()
                let request = LoadRequest(url: server.url(path), context: ResolvedContext(.patient.merging(images)))
                #expect(await imageError { try await loader.load(request, into: sink) }?.code == code, "\(path)")
                #expect(sink.heads.isEmpty)
                #expect(sink.chunks.isEmpty)
            }
        }
    }

    @Test func `a load that is cancelled at the head gets nothing of the body`() async throws {
        server.answer("/picture.raw", with: .bytes(picture))
        for _ in 0..<Self.repeats {
            let sink = CollectingSink(onHead: { _ in
                withUnsafeCurrentTask { (task: UnsafeCurrentTask?) -> Void in task?.cancel() }
            })
            let (loader, request) = (loader, request(url))
            let load = Task { try await loader.load(request, into: sink) }
            await #expect(throws: CancellationError.self) { try await load.value }
            #expect(sink.heads.count == 1)
            #expect(sink.chunks.isEmpty)
        }
        #expect(try await loader.fetch(url).data == picture)
    }

    // MARK: Heads

    @Test func `a folded field is read as a whole`() async throws {
        server.answer("/picture.raw", with: .bytes(picture, headers: ["Cache-Control": "max-age=60,\r\n no-store"]))
        let head = try #require(await loader.fetch(url).head)
        #expect(!head.isStorable)
        #expect(head.expectedByteCount == picture.count)
    }

    @Test func `fields of a redirect do not apply to the image`() async throws {
        server.answer(
            "/away",
            with: .redirect(
                to: "/picture.raw",
                headers: ["ETag": "\"away\"", "Cache-Control": "no-store", "Content-Type": "text/html"]))
        server.answer("/picture.raw", with: .bytes(picture, headers: ["Last-Modified": "now"]))
        let head = try #require(await loader.fetch(server.url("/away")).head)
        #expect(head.validators == Validators(lastModified: "now"))
        #expect(head.isStorable)
        #expect(head.mimeType == nil)
    }

    @Test func `fields of a long interim response do not apply to the image`() async throws {
        var early: ScriptedHeaders = ["ETag": "\"early\"", "Cache-Control": "no-store", "Content-Type": "text/html"]
        let link = ScriptedHeaders.Field(name: "Link", value: String(repeating: "x", count: 1000))
        early.fields.append(contentsOf: repeatElement(link, count: 200))
        server.answer(
            "/picture.raw",
            with: .interim(103, headers: early, then: .bytes(picture, headers: ["Last-Modified": "now"])))
        let loaded = try await loader.fetch(url)
        #expect(loaded.data == picture)
        let head = try #require(loaded.head)
        #expect(head.validators == Validators(lastModified: "now"))
        #expect(head.expectedByteCount == picture.count)
        #expect(head.isStorable)
        #expect(head.mimeType == nil)
    }

    @Test(arguments: ["", "5\r\nimage\r\n"])
    func `trailer fields are not in the head`(body: String) async throws {
        let wire = Data("\(body)0\r\nETag: \"late\"\r\nCache-Control: no-store\r\n\r\n".utf8)
        server.answer("/picture.raw", with: .chunked(wire: wire))
        let loaded = try await loader.fetch(url)
        #expect(loaded.isComplete)
        #expect(loaded.data == Data(body.isEmpty ? "".utf8 : "image".utf8))
        let head = try #require(loaded.head)
        #expect(head.validators == nil)
        #expect(head.isStorable)
    }
}
#endif
