import CalotypeTesting
import Testing

@testable import Calotype

/// The scale of an image: that of the request, else that of the file's name.
@Suite(.timeLimit(.minutes(5)))
struct ScaleFactorTests {
    private let bench = Bench()
    private let marked = "fake://host/directory/cat@2x.raw"

    private func scale(_ url: String, _ context: ImageContext = []) async throws -> Double {
        try await bench.manager.image(for: ImageRequest(url, context: context)).scale
    }

    // MARK: Names

    private static let scales: [(String, Double)] = [
        ("https://host/cat@2x.png", 2), ("https://host/cat@3x.jpg", 3), ("https://host/a/b/cat@1.5x.webp?w=4#top", 1.5),
        ("https://host/cat%402x.png", 2), ("https://host/cat%401.25x.png", 1.25), ("https://host/@2x.png", 2),
        ("https://host/cat@1x.png", 1), ("https://host/cat@100x.png", 100), ("file:///pictures/cat@2x.png", 2),
        ("https://host/cat@4x@2x.png", 2), ("https://host/cat2@3x.png", 3), ("https://host/cat@2x.png;v=1", 2),
        ("https://host/40%402x.png", 2),
    ]

    @Test(arguments: scales)
    func `a file name gives a scale`(url: String, scale: Double) throws {
        #expect(try #require(URL(string: url)).scaleFactorOfName == scale)
    }

    @Test(arguments: [
        "https://host/cat.png", "https://host/cat@2x", "https://host/cat@2.png", "https://host/cat2x.png",
        "https://host/cat@x.png", "https://host/cat@2X.png", "https://host/cat@2x-small.png",
        "https://host/cat@0x.png", "https://host/cat@0.5x.png", "https://host/cat@101x.png",
        "https://host/cat@.5x.png", "https://host/cat@2.x.png", "https://host/cat@1.2.3x.png",
        "https://host/cat@-2x.png", "https://host/cat@ix.png", "https://host/cat@1e1x.png",
        "https://host/cat%412x.png", "https://host/cat%40x.png", "https://host/cat402x.png",
        "https://host/cat@2x.d/cat.png", "https://host/cat@2x.png/", "https://host/cat.png?name=cat@2x.png",
        "https://host/cat.png#cat@2x.png", "https://cat@2x.png/", "https://host", "data:image/png;base64,cat@2x.png",
    ])
    func `a file name without a valid suffix gives no scale`(url: String) throws {
        #expect(try #require(URL(string: url)).scaleFactorOfName == nil)
    }

    @Test func `the name of a local file gives a scale as well`() {
        #expect(URL(filePath: "/pictures/my cat@2x.png").scaleFactorOfName == 2)
        #expect(URL(filePath: "/pictures@2x.d/cat.png").scaleFactorOfName == nil)
    }

    // MARK: Images

    @Test func `an image has the scale of its name, whatever its source`() async throws {
        for source in [ImageResponse.Source.loader, .memory, .disk] {
            if source == .disk { bench.memory.clear() }
            let response = try await bench.manager.response(for: ImageRequest(marked))
            #expect(response.source == source)
            #expect(response.image.scale == 2)
            #expect(response.image.size == PixelSize(40, 30), "the size in pixels is unchanged")
        }
        #expect(try await scale(marked, [.thumbnailPixelSize(8, 8)]) == 2)
        #expect(try await scale("fake://host/directory/cat%402x.raw") == 2)
        #expect(try await scale("fake://host/cat@2x.d/cat.raw") == 1)
    }

    @Test func `a context value overrides the scale of the name`() async throws {
        struct Processor: OptionsProcessor {
            func process(_ context: ResolvedContext, for url: URL) throws -> ImageContext { [.scaleFactor(5)] }
        }
        #expect(try await scale(marked, [.scaleFactor(3)]) == 3)
        #expect(try await scale(marked, [.scaleFactor(1)]) == 1)
        #expect(try await scale(marked, [.off(.scaleFactor)]) == 1)
        #expect(try await scale(marked, [.optionsProcessor(Processor())]) == 5)
        bench.manager.context.set(.scaleFactor(4))
        #expect(try await scale(marked) == 4)
    }

    @Test func `a scale below one is raised to one, also with set`() async throws {
        for value in [0.5, 0, -2, -Double.infinity, Double.nan] {
            #expect(try await scale("fake://host/cat.raw", [.scaleFactor(value)]) == 1)
            #expect(try await scale("fake://host/cat.raw", [.set(.scaleFactor, to: value)]) == 1)
        }
    }

    @Test func `the scale is in no cache key, and images with different scales share their pixels`() async throws {
        let plain = try await bench.manager.image(for: ImageRequest(marked))
        let key = try await bench.manager.cacheKey(for: marked)
        for factor in [1, 2, 3.5] {
            let request = ImageRequest(marked, context: [.scaleFactor(factor)])
            #expect(try await bench.manager.cacheKey(for: request) == key)
            let image = try #require(bench.manager.cachedResponse(for: request)?.image)
            #expect(image.scale == factor)
            #expect(image.isIdentical(to: plain))
        }
        #expect(key.isOriginal)
        #expect(bench.loader.loadCount == 1)
    }

    @Test func `a preview has the scale of the image`() async throws {
        let gate = Gate()
        let file = RawImageCoder.file(width: 40, height: 30)
        bench.loader.answer(
            marked,
            with: .pieces([
                (gate: Gate(isOpen: true), data: Data(file.dropLast(3200))),
                (gate: gate, data: Data(file.suffix(3200))),
            ]))
        var scales: [Double] = []
        for try await event in bench.manager.load(ImageRequest(marked, context: [.progressiveLoad])) {
            switch event {
            case .preview(let image, _):
                scales.append(image.scale)
                gate.open()
            case .finished(let response): scales.append(response.image.scale)
            default: break
            }
        }
        #expect(scales == [2, 2])
    }
}
