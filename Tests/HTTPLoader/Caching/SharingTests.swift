#if HTTP
import Calotype
import CalotypeHTTP
import CalotypeTesting
import Testing

/// One transfer for all requests of the same picture.
@Suite(.timeLimit(.minutes(5)))
struct SharingTests {
    private let server: ScriptedServer
    private let gate = BlockingGate()
    private let bench: HTTPBench

    init() throws {
        server = try ScriptedServer()
        bench = try HTTPBench(context: [.previewInterval(.zero)])
    }

    @Test func `twenty concurrent sizes of one URL take one request`() async throws {
        let picture = RawImageCoder.file(width: 100, height: 100)
        server.answer("/picture.raw", with: .bytes(picture).stalled(after: 1000, at: gate))
        let url = server.url("/picture.raw")
        let tasks = (1...20).map { side in
            bench.manager.load(ImageRequest(url, context: [.thumbnailPixelSize(side, side)]))
        }
        await server.waitForRequests(1)
        gate.open()
        for (index, task) in tasks.enumerated() {
            #expect(try await task.response.image.size == PixelSize(index + 1, index + 1))
        }
        #expect(server.requestCount == 1)
        #expect(server.bytesSent < picture.count + 1000)
    }

    @Test func `ten exact sizes of a slightly larger picture take one request`() async throws {
        server.answer("/picture.raw", with: .bytes(try RawImageCoder.blankFile(width: 501, height: 501)))
        let url = server.url("/picture.raw")
        let tasks = (490...499).map { side in
            bench.manager.load(ImageRequest(url, context: [.thumbnailPixelSize(side, side)]))
        }
        for (task, side) in zip(tasks, 490...499) {
            #expect(try await task.response.image.size == PixelSize(side, side))
        }
        #expect(server.requestCount == 1)
    }

    @Test func `requests with other transfer options are not shared`() async throws {
        let picture = RawImageCoder.file(width: 10, height: 10)
        server.answer("/picture.raw", with: .bytes(picture).stalled(after: 0, at: gate))
        let url = server.url("/picture.raw")
        let contexts: [ImageContext] = [
            [], [.httpHeaders(["Accept": "image/raw"])], [.maxRedirects(1)], [.acceptableStatusCodes([200...200])],
            [.acceptableContentTypes(["image/*"])], [.transferTimeout(.seconds(60))], [.connectTimeout(.seconds(60))],
            [.lowSpeedLimit(1)], [.lowSpeedTime(.seconds(60))],
            [.certificateAuthorities(CertificateAuthorities(path: "/own.pem"))], [.maxArrivingBytes(1 << 20)],
        ]
        let tasks = contexts.map { bench.manager.load(ImageRequest(url, context: $0.merging([.off(.imageCache)]))) }
        await server.waitForRequests(6)
        gate.open()
        for task in tasks { #expect(try await task.response.image.size == PixelSize(10, 10)) }
        #expect(server.requestCount == contexts.count)
    }

    @Test func `each requester gets previews at its own size from one request`() async throws {
        // Rows of 160 bytes; the first piece has ten of thirty rows.
        let file = RawImageCoder.file(width: 40, height: 30)
        let start = file.count - 30 * 160
        server.answer("/picture.raw", with: .bytes(file).stalled(after: start + 10 * 160, at: gate))
        let url = server.url("/picture.raw")
        let sizes = [PixelSize(40, 30), PixelSize(20, 15), PixelSize(8, 6)]
        let seen = Gate(isOpen: true)
        let watchers = sizes.map { size in
            let context: ImageContext = [.progressiveLoad, .thumbnailPixelSize(size.width, size.height)]
            let task = bench.manager.load(ImageRequest(url, context: context))
            return Task {
                var previews: [PixelSize] = []
                var last: PixelSize?
                for try await event in task {
                    switch event {
                    case .preview(let image, _):
                        if previews.isEmpty { try await seen.pass() }
                        previews.append(image.size)
                    case .finished(let response):
                        last = response.image.size
                    default:
                        break
                    }
                }
                return (previews, last)
            }
        }
        // The rest is sent when all have received a preview.
        await seen.waitForArrivals(sizes.count)
        gate.open()
        for (watcher, size) in zip(watchers, sizes) {
            let (previews, last) = try await watcher.value
            #expect(!previews.isEmpty)
            #expect(previews.allSatisfy { $0 == size }, "\(previews)")
            #expect(last == size)
        }
        #expect(server.requestCount == 1)
    }

    @Test func `a slow reader of a shared picture does not delay the other`() async throws {
        let gate = BlockingGate()
        let url = server.url("/shared.raw")
        server.answer("/shared.raw", with: .bytes(try RawImageCoder.blankFile(width: 60, height: 40)))
        let slow = bench.manager.load(ImageRequest(url, context: [.transformer(FakeTransformer(gate: gate))]))
        await gate.waitForArrivals(1)
        let quick = try await bench.manager.image(for: ImageRequest(url, context: [.thumbnailPixelSize(6, 4)]))
        #expect(quick.size == PixelSize(6, 4))
        #expect(!slow.isFinished)
        gate.open()
        #expect(try await slow.response.image.size == PixelSize(60, 40))
        #expect(server.requestCount(of: "/shared.raw") == 1)
    }
}
#endif
