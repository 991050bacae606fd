#if HTTP
import Calotype
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing

/// Successful transfers.
@Suite(.timeLimit(.minutes(5)))
struct TransferTests {
    private let server: ScriptedServer
    private let loader = CurlImageLoader()
    private let picture = RawImageCoder.file(width: 40, height: 30)

    init() throws { server = try ScriptedServer() }

    /// Returns bytes in which no two pieces are equal.
    private func bytes(_ count: Int) -> Data {
        let block = Data((0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
        var bytes = Data()
        while bytes.count < count { bytes.append(block.prefix(count - bytes.count)) }
        return bytes
    }

    // MARK: Bytes and head

    @Test func `a picture is delivered with the metadata of the response`() async throws {
        server.answer(
            "/picture.raw",
            with: .bytes(
                picture, contentType: "Image/X-Calotype-Raw; charset=binary",
                headers: ["ETag": "\"v1\"", "Last-Modified": "Sat, 21 Nov 2026 10:00:00 GMT"]))
        let loaded = try await loader.fetch(server.url("/picture.raw"))
        #expect(loaded.isComplete)
        #expect(loaded.data == picture)
        let head = try #require(loaded.head)
        #expect(head.expectedByteCount == picture.count)
        #expect(head.mimeType == "image/x-calotype-raw")
        #expect(
            head.validators == Validators(entityTag: "\"v1\"", lastModified: "Sat, 21 Nov 2026 10:00:00 GMT"))
        #expect(head.offset == 0)
        #expect(head.isStorable)
    }

    @Test func `missing fields are unknown`() async throws {
        server.answer("/picture.raw", with: .unknownLength(picture))
        let loaded = try await loader.fetch(server.url("/picture.raw"))
        #expect(loaded.isComplete)
        #expect(loaded.data == picture)
        let head = try #require(loaded.head)
        #expect(head.expectedByteCount == nil)
        #expect(head.mimeType == nil)
        #expect(head.validators == nil)
    }

    @Test(arguments: [[1], [1, 2, 3], [5000, 1, 70_000, 300_000], [1_000_000]])
    func `chunks of any size are joined`(sizes: [Int]) async throws {
        let body = bytes(sizes.reduce(0, +))
        var rest = body
        let chunks = sizes.map { size in
            defer { rest = Data(rest.dropFirst(size)) }
            return Data(rest.prefix(size))
        }
        server.answer("/chunked", with: .chunked(chunks, contentType: "image/png"))
        let loaded = try await loader.fetch(server.url("/chunked"))
        #expect(loaded.isComplete)
        #expect(loaded.data == body)
        #expect(loaded.head?.expectedByteCount == nil)
        #expect(loaded.head?.mimeType == "image/png")
        #expect(loaded.metrics.receivedByteCount == body.count)
    }

    @Test func `a response sent byte by byte is complete`() async throws {
        server.answer("/slow", with: .bytes(picture).dripped(.whole))
        #expect(try await loader.fetch(server.url("/slow")).data == picture)
        server.answer("/chunked", with: .chunked([picture, picture]).dripped(.whole, pieceSize: 3))
        #expect(try await loader.fetch(server.url("/chunked")).data == picture + picture)
    }

    @Test func `many megabytes are received unchanged`() async throws {
        let body = bytes(8 << 20)
        server.answer("/large", with: .bytes(body))
        let loaded = try await loader.fetch(server.url("/large"))
        #expect(loaded.data == body)
        #expect(loaded.metrics.receivedByteCount == body.count)
    }

    @Test func `interim responses are ignored`() async throws {
        let early = ScriptedResponse.interim(
            103, headers: ["ETag": "\"early\"", "Content-Type": "text/early", "Content-Length": "3"],
            then: .interim(100, then: .bytes(picture, headers: ["ETag": "\"real\""])))
        server.answer("/picture.raw", with: early)
        let loaded = try await loader.fetch(server.url("/picture.raw"))
        #expect(loaded.data == picture)
        #expect(loaded.head?.mimeType == nil)
        #expect(loaded.head?.validators?.entityTag == "\"real\"")
        #expect(loaded.head?.expectedByteCount == picture.count)
    }

    @Test(arguments: [
        ("no-store", false), ("private, No-Store", false), ("max-age=0,no-store", false), ("no-cache", true),
        ("max-age=60", true),
    ])
    func `a no-store response is not stored`(control: String, isStorable: Bool) async throws {
        server.answer("/picture.raw", with: .bytes(picture, headers: ["Cache-Control": control]))
        let head = try await loader.fetch(server.url("/picture.raw")).head
        #expect(head?.isStorable == isStorable)
        let bench = try HTTPBench()
        _ = try await bench.manager.image(for: server.url("/picture.raw"))
        #expect(bench.data.stores.isEmpty == !isStorable)
    }

    @Test func `identity content coding is accepted`() async throws {
        server.answer("/picture.raw", with: .bytes(picture, headers: ["Content-Encoding": "Identity"]))
        #expect(try await loader.fetch(server.url("/picture.raw")).data == picture)
    }

    @Test func `bytes beyond the announced length are ignored, and the connection is not reused`() async throws {
        server.answer("/picture.raw", with: .bytes(picture, headers: ["Content-Length": "1000"]))
        let loaded = try await loader.fetch(server.url("/picture.raw"))
        #expect(loaded.isComplete)
        #expect(loaded.data == picture.prefix(1000))
        server.answer("/next", with: .bytes(picture))
        #expect(try await loader.fetch(server.url("/next")).data == picture)
        #expect(server.connectionCount == 2)
    }

    // MARK: Connections

    @Test func `ten sequential loads use one connection`() async throws {
        server.answer("/picture.raw", with: .bytes(picture))
        for number in 0..<10 {
            let metrics = try await loader.fetch(server.url("/picture.raw")).metrics
            #expect(metrics.isConnectionReused == (number > 0))
        }
        #expect(server.connectionCount == 1)
        #expect(server.requestCount == 10)
    }

    @Test func `a connection that the server has closed is replaced`() async throws {
        server.answer("/picture.raw", with: .bytes(picture).closed())
        for _ in 0..<3 {
            #expect(try await loader.fetch(server.url("/picture.raw")).data == picture)
        }
        #expect(server.connectionCount == 3)
    }

    @Test func `a released loader closes its connections`() async throws {
        server.answer("/picture.raw", with: .bytes(picture))
        do {
            let loader = CurlImageLoader()
            _ = try await loader.fetch(server.url("/picture.raw"))
        }
        await server.waitForOpenConnections(atMost: 0)
    }

    @Test func `a transfer has metrics`() async throws {
        server.answer("/picture.raw", with: .bytes(picture))
        server.answer("/away", with: .redirect(to: "/picture.raw"))
        let first = try await loader.fetch(server.url("/picture.raw")).metrics
        #expect(first.protocolName == "http/1.1")
        #expect(first.remoteAddress == "127.0.0.1")
        #expect(first.receivedByteCount == picture.count)
        #expect(first.redirectCount == 0)
        #expect(!first.isConnectionReused)
        #expect(first.secured == .zero)
        #expect(first.connected > .zero)
        #expect(first.firstByte >= first.connected)
        #expect(first.total >= first.firstByte)
        let second = try await loader.fetch(server.url("/away")).metrics
        #expect(second.isConnectionReused)
        #expect(second.connected == .zero)
        #expect(second.redirectCount == 1)
        #expect(second.firstByte > .zero)
        #expect(second.total >= second.firstByte)
    }

    @Test func `metrics and events of a request include its transfer`() async throws {
        let bench = try HTTPBench()
        server.answer("/picture.raw", with: .bytes(picture))
        let response = try await bench.manager.response(for: server.url("/picture.raw"))
        #expect(response.image.size == PixelSize(40, 30))
        #expect(response.source == .loader)
        #expect(response.data == picture)
        let steps = response.metrics.steps.filter { $0.stage == .load }
        #expect(steps.count == 1)
        #expect(steps.first?.transfer?.receivedByteCount == picture.count)
        #expect(steps.first?.transfer?.protocolName == "http/1.1")
        await bench.manager.waitForEvents()
        let events = bench.listener.successes(of: .load)
        #expect(events.count == 1)
        #expect(events.first?.transfer == steps.first?.transfer)
        let again = try await bench.manager.response(for: server.url("/picture.raw"))
        #expect(again.source == .memory)
        #expect(server.requestCount == 1)
    }

    // MARK: Progress

    @Test func `progress has the expected length`() async throws {
        let gate = BlockingGate()
        server.answer("/picture.raw", with: .bytes(picture).stalled(after: 1500, at: gate))
        let seen = try await progress(until: 1500, gate)
        #expect(seen.allSatisfy { $0.expectedByteCount == picture.count })
        #expect(seen.contains { $0.byteCount == 1500 })
        #expect(seen.last?.fraction == 1)
    }

    @Test func `progress without a length still counts`() async throws {
        let gate = BlockingGate()
        let chunks = [Data(picture.prefix(1500)), Data(picture.dropFirst(1500))]
        let firstChunk = 1500 + "5dc\r\n\r\n".utf8.count
        server.answer("/picture.raw", with: .chunked(chunks).stalled(after: firstChunk, at: gate))
        let seen = try await progress(until: 1500, gate)
        #expect(seen.allSatisfy { $0.expectedByteCount == nil && $0.fraction == nil })
        #expect(seen.contains { $0.byteCount == 1500 })
        #expect(seen.last?.byteCount == picture.count)
    }

    /// Returns all progress events of a load. When `count` bytes have arrived, the gate opens.
    private func progress(until count: Int, _ gate: BlockingGate) async throws -> [LoadProgress] {
        let bench = try HTTPBench()
        var seen: [LoadProgress] = []
        for try await event in bench.manager.load(server.url("/picture.raw")) {
            guard case .progress(let progress) = event else { continue }
            seen.append(progress)
            if progress.byteCount == count { gate.open() }
        }
        #expect(seen.map(\.byteCount) == seen.map(\.byteCount).sorted())
        return seen
    }
}
#endif
