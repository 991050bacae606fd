import CalotypeTesting
import Testing

@testable import Calotype

/// Transformers that need other images.
@Suite(.timeLimit(.minutes(5)))
struct ComposingTransformerTests {
    /// A transformer that puts the first pixel of another image into the corner.
    private struct Stamp: ComposingTransformer {
        var sources: [URL]

        init(_ urls: String...) { sources = urls.compactMap { URL(string: $0) } }

        var key: String { "stamp(\(sources.map(\.absoluteString).joined(separator: ",")))" }

        func transform(_ image: Image, with others: [Image], context: TransformContext) throws -> Image {
            var canvas = try PixelBufferBuilder(copying: image.pixels)
            for (x, other) in others.enumerated() {
                try canvas.fill(
                    other.pixels.color(x: 0, y: 0), in: PixelRegion(x: x, size: PixelSize(1, 1)), job: context.job)
            }
            return image.replacing(pixels: canvas.finish())
        }
    }

    private static let logo = "fake://host/logo.raw"
    private static let red = PixelColor(red: 1, green: 0, blue: 0)
    private let bench = Bench()

    init() { bench.loader.answer(Self.logo, with: .bytes(Self.logoFile(SIMD4(255, 0, 0, 255)))) }

    private static func logoFile(_ color: SIMD4<UInt8>) -> Data {
        RawImageCoder.file(RawImageCoder.Header(width: 3, height: 2)) { _, _, _ in color }
    }

    private func request(_ stamp: Stamp = Stamp(logo), _ context: ImageContext = []) -> ImageRequest {
        bench.request(context.merging([.transformer(stamp)]))
    }

    @Test func `the image is loaded once, and a digest of its pixels is part of the key`() async throws {
        let first = try await bench.manager.response(for: request())
        #expect(first.image.pixels.color(x: 0, y: 0) == Self.red)
        #expect(first.image.size == PixelSize(40, 30))
        let second = try await bench.manager.response(for: request())
        #expect(second.source == .memory)
        #expect(bench.loader.loadCount == 2)
        let key = try await bench.manager.cacheKey(for: request())
        let digest = try #require(key.variant.split(separator: "@").last)
        #expect(key.variant == "|stamp(\(Self.logo))@\(digest)")
        #expect(digest.count == 32 && digest.allSatisfy(\.isHexDigit))
        #expect(bench.memory.image(for: key) != nil)
    }

    @Test func `another version of the image makes another image`() async throws {
        let request = request()
        _ = try await bench.manager.image(for: request)
        bench.loader.answer(Self.logo, with: .bytes(Self.logoFile(SIMD4(0, 255, 0, 255))))
        _ = try await bench.manager.image(for: ImageRequest(Self.logo, context: [.refreshCached]))
        let image = try await bench.manager.image(for: request)
        #expect(image.pixels.color(x: 0, y: 0) == PixelColor(red: 0, green: 1, blue: 0))
    }

    @Test func `images with the same pixels have the same digest, and others have another`() async throws {
        let files = [SIMD4<UInt8>(0, 0, 255, 255), SIMD4(0, 0, 255, 255), SIMD4(0, 0, 254, 255)].map(Self.logoFile)
        var digests: [Substring] = []
        for (index, file) in files.enumerated() {
            let url = "fake://host/\(index).raw"
            // The first one has no file.
            let image = try await bench.manager.decode(file)
            bench.loader.answer(url, with: index == 0 ? .image(image) : .bytes(file))
            let key = try await bench.manager.cacheKey(for: request(Stamp(url)))
            digests.append(try #require(key.variant.split(separator: "@").last))
        }
        #expect(digests[0] == digests[1])
        #expect(digests[1] != digests[2])
    }

    @Test func `several images are passed in order`() async throws {
        let green = "fake://host/green.raw"
        bench.loader.answer(green, with: .bytes(Self.logoFile(SIMD4(0, 255, 0, 255))))
        let image = try await bench.manager.image(for: request(Stamp(Self.logo, green)))
        #expect(image.pixels.color(x: 0, y: 0) == Self.red)
        #expect(image.pixels.color(x: 1, y: 0) == PixelColor(red: 0, green: 1, blue: 0))
    }

    @Test func `credentials in the URL appear in no text`() async throws {
        let secret = "fake://user:pa55word@host/logo.raw?token=t0psecret"
        bench.loader.answer(secret, with: .bytes(Self.logoFile(SIMD4(255, 0, 0, 255))))
        let request = request(Stamp(secret))
        _ = try await bench.manager.image(for: request)
        let explanation = try await bench.manager.explain(request)
        let key = try await bench.manager.cacheKey(for: request)
        bench.loader.answer(secret, with: .failure(ImageError(.loadFailed, stage: .load, message: "broken")))
        let failing = self.request(Stamp(secret), [.fromLoaderOnly])
        let error = await imageError { try await bench.manager.image(for: failing) }
        let texts =
            [explanation.description, key.description, key.redactedVariant, "\(try #require(error))"]
            + bench.listener.events.map { "\($0)" } + bench.data.keys.map(\.description)
        for text in texts {
            #expect(!text.contains("pa55word"), "\(text)")
            #expect(!text.contains("t0psecret"), "\(text)")
        }
        #expect(!key.variant.contains("pa55word") && !key.variant.contains("t0psecret"))
        // With other credentials, it is the same image.
        let other = "fake://user:other@host/logo.raw?token=another"
        bench.loader.answer(other, with: .bytes(Self.logoFile(SIMD4(255, 0, 0, 255))))
        #expect(try await bench.manager.cacheKey(for: self.request(Stamp(other))) == key)
    }

    @Test func `a URL that begins like another one hides its secrets as well`() async throws {
        let stamp = Stamp("fake://user:pa55word@host/logo.raw", "fake://user:pa55word@host/logo.raw?token=t0psecret")
        #expect(!stamp.shownKey.contains("pa55word"))
        #expect(!stamp.shownKey.contains("t0psecret"))
    }

    @Test func `values with secrets apply only to images of the same origin`() async throws {
        let token = ContextKey<String>(
            "token", default: "", affects: .transfer, summary: "A token.", syntax: "any text", parse: { $0 },
            describe: { $0.isEmpty ? "" : "hidden" }, identity: { $0 })
        let other = "fake://other/logo.raw"
        bench.loader.answer(other, with: .bytes(Self.logoFile(SIMD4(255, 0, 0, 255))))
        let context: ImageContext = [.set(token, to: "t0psecret"), .retryPolicy(.never)]
        _ = try await bench.manager.image(for: request(Stamp(Self.logo, other), context))
        var found: [String: [String]] = [:]
        for request in bench.loader.requests {
            found[request.url.absoluteString] = [request.context[token], request.context[.retryPolicy].text]
        }
        let never = RetryPolicy.never.text
        #expect(found[Bench.url.absoluteString] == ["t0psecret", never])
        #expect(found[Self.logo] == ["t0psecret", never])
        #expect(found[other] == ["", never])
    }

    @Test func `images are loaded with the priority of the request`() async throws {
        let bench = Bench(isOpen: false)
        let task = bench.manager.load(bench.request([.transformer(Stamp(Self.logo)), .priority(.low)]))
        await bench.gate.waitForArrivals(1)
        let load = try #require(bench.loader.requests.first)
        #expect(load.context[.priority] == .low)
        task.cancel()
    }

    /// A loader that remembers the URLs that it loads. It does not retain its requests, whose contexts contain it.
    private struct NotingLoader: ImageLoader {
        let urls = Lock<[String]>([])

        func canLoad(_ request: LoadRequest) -> Bool { true }

        @concurrent
        func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
            urls.withLock { $0.append(request.url.absoluteString) }
            try await sink.write(RawImageCoder.file(width: 4, height: 4))
            return .complete
        }
    }

    @Test func `the manager's loader loads the images, and the request's own does not`() async throws {
        let own = NotingLoader()
        let image = try await bench.manager.image(for: request(Stamp(Self.logo), [.imageLoader(own)]))
        #expect(image.size == PixelSize(4, 4))
        #expect(own.urls.withLock { $0 } == [Bench.url.absoluteString])
        #expect(bench.loader.requests.map(\.url.absoluteString) == [Self.logo])
        let second = "fake://host/second.raw"
        bench.manager.context.set(.imageLoader(own))
        _ = try await bench.manager.image(for: request(Stamp(second)))
        #expect(own.urls.withLock { $0 }.contains(second))
    }

    @Test func `all variants are removed without the images`() async throws {
        _ = try await bench.manager.image(for: request())
        #expect(bench.loader.loadCount == 2)
        try await bench.manager.remove(Self.logo, allVariants: true)
        try await bench.manager.remove(request(), allVariants: true)
        #expect(bench.loader.loadCount == 2)
        #expect(bench.data.keys.isEmpty)
    }

    @Test func `an image that cannot be loaded is an error that names it`() async throws {
        bench.loader.answer(Self.logo, with: .failure(ImageError(.notFound, stage: .load, message: "is not there")))
        let error = await imageError { try await bench.manager.image(for: request()) }
        #expect(error?.code == .transformFailed)
        #expect(error?.component == "stamp(\(Self.logo))")
        #expect(error?.description.contains("\(Self.logo) could not be loaded") == true)
        #expect(error?.description.contains("is not there") == true)
        #expect(bench.loader.loadCount == 1)
    }

    @Test func `images that need each other are an error`() async throws {
        struct Watermark: OptionsProcessor {
            func process(_ context: ResolvedContext, for url: URL) throws -> ImageContext {
                let isLogo = url.absoluteString == ComposingTransformerTests.logo
                return [.transformer(isLogo ? Stamp(Bench.url.absoluteString) : Stamp(ComposingTransformerTests.logo))]
            }
        }
        let error = await imageError {
            try await bench.manager.image(for: bench.request([.optionsProcessor(Watermark())]))
        }
        #expect(error?.code == .transformFailed)
        #expect(error?.description.contains("need each other") == true)
        #expect(bench.loader.loadCount == 0)
    }

    @Test func `images that need others without end are an error`() async throws {
        struct Endless: OptionsProcessor {
            func process(_ context: ResolvedContext, for url: URL) throws -> ImageContext {
                [.transformer(Stamp(url.absoluteString + "x"))]
            }
        }
        let error = await imageError {
            try await bench.manager.image(for: bench.request([.optionsProcessor(Endless())]))
        }
        #expect(error?.code == .transformFailed)
        #expect(error?.description.contains("more than 8 deep") == true)
        #expect(bench.loader.loadCount == 0)
    }

    @Test(arguments: [false, true])
    func `if one image fails, the others are cancelled`(isSecond: Bool) async throws {
        let broken = "fake://host/broken.raw"
        bench.loader.answer(broken, with: .failure(ImageError(.notFound, stage: .load, message: "is not there")))
        bench.loader.answer(Self.logo, with: .pieces([(gate: Gate(isOpen: false), data: Data())]))
        let error = await imageError {
            try await bench.manager.image(for: request(isSecond ? Stamp(Self.logo, broken) : Stamp(broken, Self.logo)))
        }
        #expect(error?.description.contains("\(broken) could not be loaded") == true)
        try await waitUntil("the load of the other image is cancelled") { bench.loader.cancelCount == 1 }
    }

    @Test func `cancelling the request cancels the load of the image`() async throws {
        let bench = Bench(isOpen: false)
        let task = bench.manager.load(bench.request([.transformer(Stamp(Self.logo))]))
        await bench.gate.waitForArrivals(1)
        task.cancel()
        try await waitUntil("the load of the image is cancelled") { bench.loader.cancelCount == 1 }
        #expect(bench.loader.requests.map(\.url.absoluteString) == [Self.logo])
    }

    @Test func `policies apply to the image, and sizes and transformers do not`() async throws {
        let strict = await imageError {
            try await bench.manager.image(for: request(Stamp(Self.logo), [.fromCacheOnly]))
        }
        #expect(strict?.code == .notCached)
        #expect(strict?.description.contains(Self.logo) == true)
        let refused = await imageError {
            try await bench.manager.image(for: request(Stamp("file:///etc/logo.raw"), [.allowedSchemes(["fake"])]))
        }
        #expect((refused?.cause as? ImageError)?.code == .schemeRefused)
        let step = FakeTransformer(key: "step")
        bench.manager.context.set(.thumbnailPixelSize(1, 1))
        let image = try await bench.manager.image(
            for: bench.request([.transformers([step, Stamp(Self.logo)]), .thumbnailPixelSize(20, 20)]))
        #expect(image.size == PixelSize(20, 15))
        #expect(step.callCount == 1)
        #expect(try await bench.manager.image(for: Self.logo).size == PixelSize(1, 1))
    }

    @Test func `decoded bytes get the images as well, and direct calls say that they do not`() async throws {
        let file = RawImageCoder.file(width: 40, height: 30)
        let image = try await bench.manager.decode(file, context: [.transformer(Stamp(Self.logo))])
        #expect(image.pixels.color(x: 0, y: 0) == Self.red)
        let error = await imageError { try Stamp(Self.logo).transform(image, context: TransformContext()) }
        #expect(error?.code == .transformFailed)
        #expect(error?.description.contains("through a manager") == true)
    }

    @Test func `bytes of the original need no images`() async throws {
        let data = try await bench.manager.data(for: request())
        #expect(data == RawImageCoder.file(width: 40, height: 30))
        #expect(bench.loader.loadCount == 1)
    }
}
