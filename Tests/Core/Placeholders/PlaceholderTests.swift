import CalotypeTesting
import Testing

@testable import Calotype

/// The placeholders that are shown until an image is available. The picture has 40 by 30 pixels.
@Suite(.timeLimit(.minutes(5)))
struct PlaceholderTests {
    static let thumbHash = "nRQKfZKgh4d1eHiJiHiHiICSCPpm"
    private static let blurHash = "LEHV6nWB2yk8pyo0adR*.7kCMdnj"

    /// A bench whose picture arrives when its gate is open.
    private struct Scene {
        let bench: Bench
        let gate = Gate()

        init(_ context: ImageContext = []) {
            bench = Bench(context: context)
            answer(Bench.url, width: 40, height: 30, gate: gate)
        }

        /// Returns the URL of another picture, which arrives when a gate is open.
        func url(_ name: String, width: Int, height: Int, gate: Gate = Gate(isOpen: true)) throws -> URL {
            let url = try #require(URL(string: "fake://host/\(name).raw"))
            answer(url, width: width, height: height, gate: gate)
            return url
        }

        private func answer(_ url: URL, width: Int, height: Int, gate: Gate) {
            let file = RawImageCoder.file(width: width, height: height)
            bench.loader.answer(url.absoluteString, with: .pieces([(gate, file)]))
        }

        func load(_ chain: [Placeholder], _ context: ImageContext = []) -> ImageTask {
            bench.manager.load(bench.request(context.merging([.placeholders(chain)])))
        }

        func image(_ context: ImageContext) async throws -> Image {
            try await bench.manager.image(for: bench.request(context))
        }

        /// Waits until a number of loads was cancelled.
        func waitForCancels(_ count: Int) async throws {
            try await waitUntil("\(count) loads are cancelled") { bench.loader.cancelCount >= count }
        }
    }

    /// A shown picture.
    private struct Shown: Equatable {
        let kind: PreviewKind
        let size: PixelSize

        init(_ kind: PreviewKind, _ width: Int, _ height: Int) {
            self.kind = kind
            size = PixelSize(width, height)
        }
    }

    /// Returns the pictures that a task shows, the image last.
    /// - Parameter onPreview: Called with the number of pictures shown so far.
    private func shown(by task: ImageTask, onPreview: (Int) async throws -> Void) async throws -> [Shown] {
        var shown: [Shown] = []
        for try await event in task {
            guard case .preview(let image, let kind) = event else { continue }
            shown.append(Shown(kind, image.width, image.height))
            try await onPreview(shown.count)
        }
        #expect(try await task.response.image.size == PixelSize(40, 30))
        return shown
    }

    /// Returns the number of previews of a picture, which arrives after the first one if any is requested.
    static func previewCount(_ context: ImageContext) async throws -> String {
        let scene = Scene()
        if context.isEmpty { scene.gate.open() }
        var count = 0
        for try await event in scene.bench.manager.load(scene.bench.request(context)) {
            guard case .preview = event else { continue }
            count += 1
            scene.gate.open()
        }
        return "\(count)"
    }

    // MARK: Contents

    @Test func `hashes are drawn in the shape of the picture`() async throws {
        let data = try #require(Data(base64Encoded: Self.thumbHash))
        let cases: [(Placeholder, Shown)] = [
            (.blurHash(Self.blurHash), Shown(.placeholder(.blurHash), 32, 24)),
            (.blurHash(Self.blurHash, shape: PixelSize(4000, 1000)), Shown(.placeholder(.blurHash), 32, 8)),
            (.blurHash(Self.blurHash, shape: PixelSize(1, 1_000_000)), Shown(.placeholder(.blurHash), 1, 32)),
            (.blurHash(Self.blurHash, shape: PixelSize(0, 7)), Shown(.placeholder(.blurHash), 32, 24)),
            (.thumbHash(Self.thumbHash), Shown(.placeholder(.thumbHash), 32, 23)),
            (.thumbHash(data), Shown(.placeholder(.thumbHash), 32, 23)),
        ]
        for (placeholder, expected) in cases {
            let scene = Scene()
            let seen = try await shown(by: scene.load([placeholder])) { _ in scene.gate.open() }
            #expect(seen == [expected])
        }
    }

    @Test func `an image placeholder is shown unchanged, at the request's scale`() async throws {
        let scene = Scene()
        let image = try HashPicture.flat(PixelSize(3, 2), [1, 2, 3, 255])
        var seen: [Image] = []
        for try await event in scene.load([.image(image)], [.scaleFactor(2)]) {
            guard case .preview(let preview, .placeholder(.image)) = event else { continue }
            seen.append(preview)
            scene.gate.open()
        }
        #expect(seen.map(\.scale) == [2])
        #expect(seen.allSatisfy { $0.isIdentical(to: image) })
    }

    @Test func `a URL placeholder is loaded with the request's options`() async throws {
        let scene = Scene()
        let url = try scene.url("small", width: 20, height: 20)
        let task = scene.load([.url(url)], [.thumbnailPixelSize(0, 5), .maxSidePixels(40)])
        var seen: [PixelSize] = []
        for try await event in task {
            guard case .preview(let image, .placeholder(.url)) = event else { continue }
            seen.append(image.size)
            scene.gate.open()
        }
        #expect(seen == [PixelSize(5, 5)])
        let refused = Scene()
        let large = try refused.url("large", width: 41, height: 1)
        let other = refused.load([.url(large)], [.maxSidePixels(40)])
        try await waitUntil("the placeholder is refused as too large") {
            refused.bench.listener.issues.contains { $0.code == .limitExceeded }
        }
        refused.gate.open()
        let none = try await shown(by: other) { _ in }
        #expect(none.isEmpty)
    }

    // MARK: Order

    @Test func `a better placeholder replaces a worse one`() async throws {
        let scene = Scene()
        let (middle, best) = (Gate(), Gate())
        let chain: [Placeholder] = [
            .thumbHash(Self.thumbHash), .url(try scene.url("middle", width: 8, height: 6, gate: middle)),
            .url(try scene.url("best", width: 16, height: 12, gate: best)),
        ]
        let gates = [middle, best, scene.gate]
        let seen = try await shown(by: scene.load(chain)) { gates[$0 - 1].open() }
        let url = PreviewKind.placeholder(.url)
        #expect(seen == [Shown(.placeholder(.thumbHash), 32, 23), Shown(url, 8, 6), Shown(url, 16, 12)])
    }

    @Test func `a worse placeholder that arrives late is not shown, and its load is cancelled`() async throws {
        let scene = Scene()
        let (worse, better) = (Gate(), Gate())
        let task = scene.load([
            .url(try scene.url("worse", width: 8, height: 6, gate: worse)),
            .url(try scene.url("better", width: 16, height: 12, gate: better)),
        ])
        await worse.waitForArrivals(1)
        better.open()
        let seen = try await shown(by: task) { _ in
            try await scene.waitForCancels(1)
            scene.gate.open()
        }
        #expect(seen == [Shown(.placeholder(.url), 16, 12)])
    }

    @Test func `a placeholder worse than an available one is not started`() async throws {
        let scene = Scene()
        let url = try scene.url("worse", width: 8, height: 6)
        let image = try HashPicture.flat(PixelSize(3, 2), [1, 2, 3, 255])
        let task = scene.load([.url(url), .image(image), .cachedSize])
        let seen = try await shown(by: task) { _ in scene.gate.open() }
        #expect(seen == [Shown(.placeholder(.image), 3, 2)])
        #expect(scene.bench.loader.loadCount == 1)
    }

    @Test func `a partial image replaces a placeholder, and never the reverse`() async throws {
        let (bench, small) = (Bench(context: [.previewInterval(.zero)]), Gate())
        let file = RawImageCoder.file(width: 40, height: 30)
        let (first, rest) = (Gate(), Gate())
        let half = file.count / 2
        bench.loader.answer(
            Bench.url.absoluteString, with: .pieces([(first, Data(file[..<half])), (rest, Data(file[half...]))]))
        let url = try #require(URL(string: "fake://host/small.raw"))
        bench.loader.answer(url.absoluteString, with: .pieces([(small, RawImageCoder.file(width: 8, height: 6))]))
        let chain: [Placeholder] = [.thumbHash(Self.thumbHash), .url(url)]
        let task = bench.manager.load(bench.request([.placeholders(chain), .progressiveLoad]))
        let kinds = try await shown(by: task) { count in
            guard count > 1 else { return first.open() }
            small.open()
            // The placeholder is loaded, and cached like any other picture.
            try await waitUntil("the placeholder is in memory") { bench.memory.count >= 1 }
            rest.open()
        }.map(\.kind)
        #expect(kinds == [.placeholder(.thumbHash), .partial])
    }

    @Test func `a placeholder is not delivered after a partial image`() async throws {
        let (buffer, image) = (EventBuffer(), try HashPicture.flat(PixelSize(1, 1), [1, 2, 3, 255]))
        func next() async throws -> PreviewKind? {
            guard case .preview(_, let kind)? = try await buffer.next() else { return nil }
            return kind
        }
        buffer.put(image, as: .placeholder(.url))
        #expect(try await next() == .placeholder(.url))
        buffer.put(image, as: .partial)
        buffer.put(image, as: .placeholder(.url))
        #expect(try await next() == .partial)
    }

    // MARK: Completion

    @Test func `the final image ends pending placeholders`() async throws {
        let scene = Scene()
        let held = Gate()
        let task = scene.load([.url(try scene.url("held", width: 8, height: 6, gate: held))])
        await held.waitForArrivals(1)
        scene.gate.open()
        let seen = try await shown(by: task) { _ in }
        #expect(seen.isEmpty)
        try await scene.waitForCancels(1)
    }

    @Test func `cancelling ends pending placeholders`() async throws {
        let scene = Scene()
        let held = Gate()
        let task = scene.load([.url(try scene.url("held", width: 8, height: 6, gate: held))])
        await held.waitForArrivals(1)
        await scene.gate.waitForArrivals(1)
        #expect(scene.bench.loader.cancelCount == 0)
        task.cancel()
        try await scene.waitForCancels(2)
        #expect(scene.bench.loader.loadCount == 2)
    }

    @Test func `a failing placeholder is skipped and reported to the listener`() async throws {
        let scene = Scene()
        let broken = try #require(URL(string: "fake://host/broken.raw"))
        scene.bench.loader.answer(
            broken.absoluteString, with: .failure(ImageError(.notFound, stage: .load, message: "is not there")))
        let task = scene.load([.blurHash("none"), .thumbHash("none"), .url(broken)])
        func count(_ code: ImageError.Code) -> Int {
            scene.bench.listener.issues.count { $0.code == code }
        }
        try await waitUntil("each placeholder has failed") { count(.badData) >= 2 && count(.notFound) >= 1 }
        scene.gate.open()
        let seen = try await shown(by: task) { _ in }
        #expect(seen.isEmpty)
        let components = Set(scene.bench.listener.issues.compactMap(\.component))
        #expect(components.isSuperset(of: ["BlurHash", "ThumbHash"]))
    }

    @Test func `an image in memory is delivered without placeholders`() async throws {
        let scene = Scene()
        scene.gate.open()
        _ = try await scene.image([])
        let url = try scene.url("small", width: 8, height: 6)
        let task = scene.load([.thumbHash(Self.thumbHash), .url(url)])
        #expect(task.isFinished)
        let seen = try await shown(by: task) { _ in }
        #expect(seen.isEmpty)
        #expect(scene.bench.loader.loadCount == 1)
    }

    @Test func `placeholders are not loaded for a request without previews`() async throws {
        let scene = Scene()
        scene.gate.open()
        let url = try scene.url("small", width: 8, height: 6)
        _ = try await scene.image([.placeholders([.url(url)])])
        #expect(scene.bench.loader.loadCount == 1)
    }

    @Test func `a placeholder request has no placeholders`() async throws {
        let url = try #require(URL(string: "fake://host/small.raw"))
        let scene = Scene([.placeholders([.url(url)])])
        let task = scene.bench.manager.load(scene.bench.request())
        let seen = try await shown(by: task) { _ in scene.gate.open() }
        #expect(seen == [Shown(.placeholder(.url), 40, 30)])
        #expect(scene.bench.loader.loadCount == 2)
        #expect(Set(scene.bench.loader.requests.map(\.url)) == [Bench.url, url])
    }

    @Test func `a processor that adds placeholders to every URL does not add them to placeholders`() async throws {
        struct Processor: OptionsProcessor {
            let chain: [Placeholder]
            func process(_ context: ResolvedContext, for url: URL) -> ImageContext { [.placeholders(chain)] }
        }
        let url = try #require(URL(string: "fake://host/small.raw"))
        let scene = Scene([.optionsProcessor(Processor(chain: [.url(url)]))])
        let task = scene.bench.manager.load(scene.bench.request())
        let seen = try await shown(by: task) { _ in scene.gate.open() }
        #expect(seen == [Shown(.placeholder(.url), 40, 30)])
        #expect(scene.bench.loader.loadCount == 2)
    }

    // MARK: Other sizes

    /// Returns the size of the image in memory that would be used as a placeholder.
    private func found(_ scene: Scene, _ context: ImageContext) async throws -> PixelSize? {
        let resolved = try await scene.bench.manager.resolved(of: scene.bench.request(context))
        return scene.bench.manager.pipeline.otherSize(resolved)?.size
    }

    @Test func `another size in memory is shown`() async throws {
        let scene = Scene()
        scene.gate.open()
        _ = try await scene.image([.thumbnailPixelSize(20, 20)])
        try scene.bench.data.clear()
        scene.gate.close()
        let seen = try await shown(by: scene.load([.blurHash(Self.blurHash), .cachedSize])) { _ in scene.gate.open() }
        #expect(seen == [Shown(.placeholder(.cachedSize), 20, 15)])
    }

    @Test func `the smallest size that is large enough is used, otherwise the largest`() async throws {
        let scene = Scene()
        scene.gate.open()
        for side in [8, 20, 30, 12] { _ = try await scene.image([.thumbnailPixelSize(side, side)]) }
        #expect(try await found(scene, []) == PixelSize(30, 23))
        #expect(try await found(scene, [.thumbnailPixelSize(10, 10)]) == PixelSize(12, 9))
        #expect(try await found(scene, [.thumbnailPixelSize(31, 31)]) == PixelSize(30, 23))
        #expect(try await found(scene, [.thumbnailPixelSize(10, 10), .linearLight]) == PixelSize(12, 9))
        _ = try await scene.image([])
        #expect(try await found(scene, [.thumbnailPixelSize(31, 31)]) == PixelSize(40, 30))
    }

    @Test func `an image with other options does not count as another size`() async throws {
        let scene = Scene()
        scene.gate.open()
        let step: ImageContext = [.transformer(FakeTransformer())]
        _ = try await scene.image([.thumbnailPixelSize(20, 20), .nativeDepth])
        _ = try await scene.image(step.merging([.thumbnailPixelSize(16, 16)]))
        #expect(try await found(scene, []) == nil)
        #expect(try await found(scene, [.nativeDepth]) == PixelSize(20, 15))
        #expect(try await found(scene, step) == PixelSize(16, 12))
        #expect(try await found(scene, step.merging([.thumbnailPixelSize(8, 8)])) == PixelSize(16, 12))
    }

    @Test func `a request that does not ask memory gets nothing from it`() async throws {
        let scene = Scene()
        scene.gate.open()
        _ = try await scene.image([.thumbnailPixelSize(20, 20)])
        #expect(try await found(scene, [.fromLoaderOnly]) == nil)
        #expect(try await found(scene, [.queryCacheType(.disk)]) == nil)
        #expect(try await found(scene, [.off(.imageCache)]) == nil)
    }

    @Test func `a chain is described without secrets`() throws {
        let url = try #require(URL(string: "https://user:secret@host/small.jpg?token=hidden"))
        let image = try HashPicture.flat(PixelSize(3, 2), [1, 2, 3, 255])
        let setting = ContextSetting.placeholders([.thumbHash(Self.thumbHash), .url(url), .cachedSize, .image(image)])
        let told = "thumbHash, then url(https://host/small.jpg?token=redacted), then cachedSize, then image(3x2)"
        #expect(setting.text == told)
        #expect(ContextSetting.off(.placeholders).text == "none")
    }
}
