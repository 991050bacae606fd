import CalotypeTesting
import Dispatch
import Testing

@testable import Calotype

/// The effect of every declared key, by two runs that differ only in it.
@Suite(.timeLimit(.minutes(5)))
struct ContextKeyEffectsTests {
    /// The results of a key's two runs, as text.
    private typealias Observation = @Sendable () async throws -> (with: String, without: String)

    @Test func `every declared key has an observable effect`() async throws {
        let observations = Self.observations
        for key in ContextDeclaration.builtIn {
            guard let observe = observations[key] else {
                Issue.record("no observation for the key \(key.name)")
                continue
            }
            let seen = try await observe()
            #expect(seen.with != seen.without, "the key \(key.name) has no observable effect")
        }
        #expect(observations.count == ContextDeclaration.builtIn.count)
    }

    @Test func `names are unique and every key has a summary`() {
        let names = ContextDeclaration.builtIn.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(ContextDeclaration.builtIn.allSatisfy { $0.summary.hasSuffix(".") })
    }

    @Test func `every key declared in Core's source is listed`() throws {
        let core = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/Core")
        var declared = 0
        for path in try FileManager.default.subpathsOfDirectory(atPath: core.path()) where path.hasSuffix(".swift") {
            let source = try String(contentsOf: core.appending(path: path), encoding: .utf8)
            declared +=
                source.split(separator: "\n").filter { $0.contains("static let") && $0.contains("ContextKey(") }
                .filter { !$0.contains("///") }.count
        }
        #expect(declared == ContextDeclaration.builtIn.count)
    }

    @Test func `each key is part of the identities that it declares to affect`() throws {
        let url = Bench.url
        func resolved(_ context: ImageContext) throws -> ResolvedRequest {
            try ResolvedRequest(url: url, layers: [(.request, context)], stateID: 0, channels: EventChannels())
        }
        // Some keys affect only the creation of a thumbnail, or transformers, and have no effect without one.
        let thumbnail: ImageContext = [.thumbnailPixelSize(7, 7), .transformer(FakeTransformer(key: "first"))]
        let plain = try resolved(thumbnail)
        for setting in Self.samples {
            let changed = try resolved(thumbnail.merging([setting]))
            let (name, effects) = (setting.declaration.name, setting.declaration.effects)
            #expect((changed.transfer != plain.transfer) == effects.contains(.transfer), "\(name)")
            #expect((changed.variant.variant != plain.variant.variant) == effects.contains(.pixels), "\(name)")
            #expect((changed.variant.policy != plain.variant.policy) == effects.contains(.stored), "\(name)")
        }
        #expect(
            Set(Self.samples.map(\.declaration)).count == ContextDeclaration.builtIn.count - 1,
            "every key but the key filter has a sample")
    }

    @Test func `thumbnail options make no variant of a whole picture`() throws {
        for setting in [
            .preservesAspectRatio(false), .resamplingFilter(.box), .linearLight, .thumbnailQuality(.fast),
        ] as [ContextSetting] {
            let resolved = try ResolvedRequest(
                url: Bench.url, layers: [(.manager, [setting])], stateID: 0, channels: EventChannels())
            #expect(resolved.variant.isOriginal, "\(setting.declaration.name)")
        }
    }

    @Test func `resampling options make variants under a byte limit, and preservesAspectRatio does not`() throws {
        func variant(_ settings: [ContextSetting]) throws -> String {
            let context = ImageContext([.scaleDownLimitBytes(400)] + settings)
            return try ResolvedRequest(
                url: Bench.url, layers: [(.manager, context)], stateID: 0, channels: EventChannels()
            ).variant.variant
        }
        let plain = try variant([])
        for setting in [.resamplingFilter(.box), .linearLight, .thumbnailQuality(.fast)] as [ContextSetting] {
            #expect(try variant([setting]) != plain, "\(setting.declaration.name)")
        }
        #expect(try variant([.preservesAspectRatio(false)]) == plain)
        let thumbnail = try variant([.thumbnailPixelSize(7, 7)])
        #expect(try variant([.thumbnailPixelSize(7, 7), .preservesAspectRatio(false)]) != thumbnail)
    }

    @Test func `an option of transformers makes no variant without transformers, and no decode of its own`() throws {
        func resolved(_ context: ImageContext) throws -> ResolvedRequest {
            try ResolvedRequest(url: Bench.url, layers: [(.manager, context)], stateID: 0, channels: EventChannels())
        }
        #expect(try resolved([.transformsAnimations(false)]).variant.isOriginal)
        let plain = try resolved([.transformer(FakeTransformer())])
        let leaving = try resolved([.transformsAnimations(false), .transformer(FakeTransformer())])
        #expect(leaving.variant != plain.variant)
        #expect(leaving.decoding == plain.decoding)
    }

    /// A setting for each key whose value does not have to be called. The processor here changes nothing.
    private static let samples: [ContextSetting] = [
        .thumbnailPixelSize(4, 4), .preservesAspectRatio(false), .scaleDownLimitBytes(5), .resamplingFilter(.box),
        .linearLight, .thumbnailQuality(.fast), .nativeDepth, .highDynamicRange, .keepsOrientation, .keepsProfile,
        .keepsMetadata,
        .allowPartial, .frame(1), .frameCount(2), .frameRate(5), .preloadsFrames, .maxPixels(5), .maxSidePixels(5),
        .maxFrames(5), .maxTotalPixels(5),
        .maxProfileBytes(5), .maxProfileTableBytes(5), .maxMetadataBytes(5), .decodeTimeout(.seconds(1)),
        .compressionQuality(0.5), .formatQualities(["jpeg": 0.5]),
        .encodeFirstFrameOnly, .encodeMaxPixelSize(4, 4), .encodeMaxFileBytes(5),
        .encodeBackground(PixelColor(red: 0, green: 0, blue: 0)), .embedThumbnail, .metadataPolicy(.all),
        .imageCoder(RawImageCoder()), .maxInputBytes(5), .addressPolicy(.publicOnly),
        .imageLoader(FakeImageLoader()), .imageCache(TieredCache()),
        .originalImageCache(TieredCache()), .queryCacheType([]), .storeCacheType([]), .originalQueryCacheType([]),
        .originalStoreCacheType([]), .fromCacheOnly, .fromLoaderOnly, .waitStoreCache, .timeToLive(.seconds(1)),
        .cacheTags(["a"]), .allowLargerCached, .cacheSerializer(Serializer()), .transformer(FakeTransformer()),
        .transformsAnimations(false), .priority(.high), .timeout(.seconds(1)),
        .progressiveLoad, .previewInterval(.zero), .previewGrowth(2), .scaleFactor(2), .optionsProcessor(Processor()),
        .eventListener(RecordingListener()), .refreshCached, .queryMemoryData, .httpCaching(.respect),
        .retryPolicy(RetryPolicy(count: 1)), .alternatives([Bench.url]), .failedURLTimeToLive(.seconds(1)),
        .allowedSchemes(["fake"]), .retryFailed, .delegate(Refuser()),
        .placeholders([.thumbHash(PlaceholderTests.thumbHash)]), .delivery(.inline),
        .harmlessParameters(["id"]), .maxConcurrentTransfers(1), .maxConcurrentTransfersPerHost(1),
        .maxArrivingBytes(5), .admittedFormats([]),
    ]

    /// A delegate that refuses every load.
    private struct Refuser: ImageManagerDelegate {
        func shouldLoad(_ request: LoadRequest) -> Bool { false }
    }

    /// A loader of this machine, if the policy allows its address.
    private struct Neighbor: ImageLoader {
        func canLoad(_ request: LoadRequest) -> Bool { true }

        @concurrent func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
            guard let own = IPAddress("127.0.0.1"), request.context[.addressPolicy].allows(own, port: 80) else {
                throw ImageError(.addressRefused, stage: .load, message: "is on this machine")
            }
            try await sink.begin(LoadHead())
            try await sink.write(ContextKeyEffectsTests.file)
            return .complete
        }
    }

    private struct Serializer: CacheSerializer {
        func data(for serialization: Serialization) throws -> Data? { Data("mine".utf8) }
    }

    private struct Processor: OptionsProcessor {
        var changes: ImageContext = []
        func process(_ context: ResolvedContext, for url: URL) throws -> ImageContext { changes }
    }

    private struct Filter: CacheKeyFilter {
        func key(for url: URL, context: ResolvedContext) throws -> String? { "filtered" }
    }

    // MARK: Observations

    /// A file in which the effects of keys are visible: sixteen bits, rotated, with a profile and two frames.
    private static var file: Data {
        var header = RawImageCoder.Header(width: 40, height: 30)
        header.bitsPerChannel = 16
        header.orientation = 6
        header.profile = Data("profile".utf8)
        header.frameCount = 2
        return RawImageCoder.file(header) { x, y, frame in SIMD4(UInt8(x), UInt8(y), UInt8(frame * 100), 255) }
    }

    /// A color converter that converts any profile to sRGB by making everything black.
    private struct Blackener: ColorConverter, RowConverter {
        func rowConverter(for conversion: ColorConversion) throws -> (any RowConverter)? {
            conversion.maxProfileTableBytes > 0 ? self : nil
        }

        func convert(_ row: inout MutableRawSpan) {
            for offset in 0..<row.byteCount { row.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self) }
        }
    }

    /// A coder that offers planes of a light gray, and delivers black rows if they are not accepted.
    private struct PlanesCoder: ImageCoder, ImageDecoder {
        let formats = [RawImageCoder.format]
        let info = ImageInfo(format: RawImageCoder.format, pixelSize: PixelSize(40, 30), hasAlpha: false)

        func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? { self }

        func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
            if try sink.beginPlanes(PlanarLayout(size: info.pixelSize, chromaSize: nil)) {
                let plane = [UInt8](repeating: 200, count: 40 * 30)
                try plane.withUnsafeBytes { bytes throws -> Void in
                    try sink.plane(0, rows: 0..<30, RawSpan(_unsafeBytes: bytes), bytesPerRow: 40)
                }
            } else {
                try sink.begin(PixelLayout(size: info.pixelSize, isOpaque: true))
                for y in 0..<30 {
                    try sink.row(y) { row in
                        for x in 0..<40 { row.storeBytes(of: 255, toByteOffset: x * 4 + 3, as: UInt8.self) }
                    }
                }
            }
        }
    }

    /// A coder that writes its input and options as text. The quality determines the number of additional bytes.
    private struct Notary: ImageCoder, ImageEncoder {
        let formats = [RawImageCoder.format]
        let writesAnimations = true

        func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? { nil }
        func encoder(for format: ImageFormat) -> (any ImageEncoder)? { self }

        func encode(_ image: Image, options: EncodeOptions, job: Job) throws -> Data {
            let facts =
                "\(image.size) \(image.isAnimated) \(options.background) \(options.metadata) \(options.embedsProfile) "
                + "\(options.embedsThumbnail) "
            return Data(facts.utf8) + Data(repeating: 46, count: Int(options.quality * 1000))
        }
    }

    private static func bench(_ context: ImageContext = []) -> Bench {
        let bench = Bench(context: context)
        bench.loader.answer(Bench.url.absoluteString, with: .bytes(file))
        bench.manager.registry.colorConverters.add(Blackener())
        return bench
    }

    /// Returns the result of a request: the picture, or the code of the error.
    private static func outcome(_ bench: Bench, _ context: ImageContext) async -> String {
        do {
            let image = try await bench.manager.image(for: bench.request(context))
            let color = image.pixels.color(x: 0, y: 0)
            return "\(image.size) \(image.pixels.format) \(image.attributes) \(image.scale) \(color)"
        } catch {
            return error.code.rawValue
        }
    }

    /// Runs in two fresh benches, with common settings.
    private static func pictures(_ setting: ContextSetting, over common: ImageContext = []) -> Observation {
        {
            (
                await outcome(bench(), common.merging([setting])),
                await outcome(bench(), common)
            )
        }
    }

    /// Decodes a picture of 8 by 6 pixels twice with a scripted coder.
    private static func scripted(
        _ setting: ContextSetting, over common: ImageContext = [],
        _ change: @escaping @Sendable (inout ScriptedCoder) -> Void
    ) -> Observation {
        { @Sendable in
            func outcome(_ context: ImageContext) async throws -> String {
                var coder = ScriptedCoder(
                    conduct: .rows, pixels: try PixelBuffer.noise(PixelSize(8, 6), isOpaque: true, seed: 1))
                change(&coder)
                let manager = ImageManager(context: [.off(.imageCache), .imageCoder(coder)])
                do {
                    let image = try await manager.decode(ScriptedCoder.file, context: context)
                    return "\(image.attributes) \(image.frames is FrameList) \(image.frames?.frameCount ?? 1)"
                } catch {
                    return error.code.rawValue
                }
            }
            return (try await outcome(common.merging([setting])), try await outcome(common))
        }
    }

    /// Two frames of 8 by 6 pixels.
    private static let twoFrames = Array(
        repeating: FrameInfo(duration: .seconds(1), region: PixelRegion(size: PixelSize(8, 6))), count: 2)

    /// Observes the file of an animation with two frames and metadata.
    private static func written(_ setting: ContextSetting) -> Observation {
        { @Sendable in
            func file(_ context: ImageContext) async throws -> String {
                let pixels = try PixelBuffer.noise(PixelSize(8, 6), seed: 2)
                let image = Image(
                    pixels: pixels, frames: FrameList([(pixels, .seconds(1)), (pixels, .seconds(1))]),
                    attributes: Image.Attributes(metadata: ImageMetadata(xmp: Data("<x/>".utf8))))
                let manager = ImageManager(context: [.off(.imageCache), .imageCoder(Notary())])
                let file = try await manager.encode(image, as: format, context: context)
                return String(decoding: file, as: UTF8.self)
            }
            return (try await file([setting]), try await file([]))
        }
    }

    /// A format that is unknown except for its name, and so counts as lossy.
    private static let format = ImageFormat(
        name: "notes", mimeTypes: [], fileExtensions: [], signatures: [])

    /// Observes caches and loader after two loads of a request, with the memory cache emptied between them.
    private static func traces(_ setting: ContextSetting, over common: ImageContext = []) -> Observation {
        { @Sendable in
            func trace(_ context: ImageContext) async -> String {
                let bench = bench()
                let first = await outcome(bench, context)
                let memory = bench.memory.count
                bench.memory.clear()
                let second = await outcome(bench, context)
                let stores = bench.data.stores.map(\.description).sorted()
                return
                    "\(first.count) \(second.count) \(memory) \(bench.loader.loadCount) \(stores) \(bench.data.readCount)"
            }
            return (await trace(common.merging([setting])), await trace(common))
        }
    }

    /// Observes two requests for a failing source, and the number of loads.
    private static func failing(
        as code: ImageError.Code, _ setting: ContextSetting, over common: ImageContext = []
    ) -> Observation {
        { @Sendable in
            func trace(_ context: ImageContext) async -> String {
                let bench = bench()
                let error = ImageError(code, stage: .load, message: "failed")
                bench.loader.answer(Bench.url.absoluteString, with: .failure(error))
                let ends = (await outcome(bench, context), await outcome(bench, context))
                return "\(ends) \(bench.loader.loadCount)"
            }
            return (await trace(common.merging([setting])), await trace(common))
        }
    }

    /// Observes the value of a key that the loader receives.
    private static func told(_ setting: ContextSetting, _ key: ContextKey<Int?>) -> Observation {
        { @Sendable in
            func value(_ context: ImageContext) async -> String {
                let bench = bench()
                _ = await outcome(bench, context)
                return "\(bench.loader.requests.map { $0.context[key] })"
            }
            return (await value([setting]), await value([]))
        }
    }

    /// Observes the quality of a written file.
    private static func quality(_ setting: ContextSetting) -> Observation {
        { @Sendable in
            let bench = bench()
            let image = try await bench.manager.image(for: bench.request())
            func head(_ context: ImageContext) async throws -> String {
                let file = try await bench.manager.encode(image, as: RawImageCoder.format, context: context)
                return String(decoding: file.prefix { $0 != 10 }, as: UTF8.self)
            }
            return (try await head([setting]), try await head([]))
        }
    }

    /// Observes the cache entries of a thumbnail.
    private static func entries(_ setting: ContextSetting, _ describe: @escaping @Sendable (CacheEntry) -> String)
        -> Observation
    {
        { @Sendable in
            func entry(_ context: ImageContext) async throws -> String {
                let bench = bench()
                let request = bench.request(context.merging([.thumbnailPixelSize(4, 4)]))
                _ = try await bench.manager.image(for: request)
                let key = try await bench.manager.cacheKey(for: request)
                return try bench.data.entry(for: key).map(describe) ?? "none"
            }
            return (try await entry([setting]), try await entry([]))
        }
    }

    private static let observations: [ContextDeclaration: Observation] = {
        let small: ImageContext = [.thumbnailPixelSize(4, 4)]
        var all: [ContextDeclaration: Observation] = [:]
        func observe<Value>(_ key: ContextKey<Value>, _ observation: @escaping Observation) {
            all[key.declaration] = observation
        }
        observe(.thumbnailPixelSize, pictures(.thumbnailPixelSize(4, 4)))
        observe(.preservesAspectRatio, pictures(.preservesAspectRatio(false), over: small))
        let exact: ImageContext = small.merging([.keepsProfile, .nativeDepth])
        observe(.resamplingFilter, pictures(.resamplingFilter(.box), over: exact))
        observe(.linearLight, pictures(.linearLight, over: exact))
        observe(
            .thumbnailQuality,
            pictures(.thumbnailQuality(.exact), over: small.merging([.imageCoder(PlanesCoder()), .keepsProfile])))
        observe(.nativeDepth, pictures(.nativeDepth))
        observe(.highDynamicRange, pictures(.highDynamicRange))
        observe(.keepsOrientation, pictures(.keepsOrientation))
        observe(.keepsProfile, pictures(.keepsProfile))
        observe(.frame, pictures(.frame(1), over: [.keepsProfile]))
        observe(.frameCount, scripted(.frameCount(1)) { $0.frames = twoFrames })
        observe(.frameRate, scripted(.frameRate(0.25)) { $0.frames = twoFrames })
        observe(.maxPixels, pictures(.maxPixels(100)))
        observe(.maxSidePixels, pictures(.maxSidePixels(39)))
        observe(.maxProfileBytes, pictures(.maxProfileBytes(3)))
        observe(.maxProfileTableBytes, pictures(.maxProfileTableBytes(0)))
        observe(.scaleDownLimitBytes, pictures(.scaleDownLimitBytes(400)))
        observe(.maxFrames, scripted(.maxFrames(1)) { $0.frames = twoFrames })
        observe(.maxTotalPixels, scripted(.maxTotalPixels(95)) { $0.frames = twoFrames })
        observe(
            .transformsAnimations,
            scripted(
                .transformsAnimations(false), over: [.transformer(FakeTransformer { _ in throw CancellationError() })]
            ) {
                $0.frames = twoFrames
            })
        observe(.preloadsFrames, scripted(.preloadsFrames) { $0.frames = twoFrames })
        let described: @Sendable (inout ScriptedCoder) -> Void = { $0.metadata.xmp = Data(count: 10) }
        observe(.keepsMetadata, scripted(.keepsMetadata, described))
        observe(.admittedFormats, scripted(.admittedFormats([])) { _ in })
        observe(.maxMetadataBytes, scripted(.maxMetadataBytes(9), over: [.keepsMetadata], described))
        observe(
            .allowPartial,
            scripted(.allowPartial) {
                $0.failure = ScriptedCoder.Failure(
                    rowCount: 3, error: ImageError(.badData, stage: .decode, message: "ends"))
            })
        observe(.encodeFirstFrameOnly, written(.encodeFirstFrameOnly))
        observe(.encodeMaxPixelSize, written(.encodeMaxPixelSize(4, 4)))
        observe(.encodeMaxFileBytes, written(.encodeMaxFileBytes(900)))
        observe(.encodeBackground, written(.encodeBackground(PixelColor(red: 0, green: 0, blue: 0))))
        observe(.embedThumbnail, written(.embedThumbnail))
        observe(.metadataPolicy, written(.metadataPolicy(.all)))
        observe(.maxInputBytes, pictures(.maxInputBytes(100)))
        observe(.addressPolicy, pictures(.addressPolicy(.publicOnly), over: [.imageLoader(Neighbor())]))
        observe(.allowedSchemes, pictures(.allowedSchemes(["https"])))
        observe(.scaleFactor, pictures(.scaleFactor(3)))
        observe(.transformers, pictures(.transformer(.resize(width: 3, height: 3))))
        observe(.optionsProcessor, pictures(.optionsProcessor(Processor(changes: small))))
        observe(.imageLoader, pictures(.imageLoader(FakeImageLoader())))
        observe(.fromCacheOnly, pictures(.fromCacheOnly))
        observe(.fromLoaderOnly, traces(.fromLoaderOnly))
        observe(.queryCacheType, traces(.queryCacheType([])))
        observe(.storeCacheType, traces(.storeCacheType(.memory), over: small))
        observe(.originalQueryCacheType, traces(.originalQueryCacheType([]), over: small))
        observe(.originalStoreCacheType, traces(.originalStoreCacheType([]), over: small))
        observe(.imageCache, traces(.off(.imageCache)))
        observe(.originalImageCache, traces(.originalImageCache(TieredCache()), over: small))
        observe(.cacheKeyFilter, traces(.cacheKeyFilter(Filter())))
        observe(.cacheSerializer, entries(.cacheSerializer(Serializer())) { "\($0.data.count)" })
        observe(.harmlessParameters) {
            let url = try #require(URL(string: "fake://host/a.raw?id=7"))
            return (
                ImageRequest(url, context: [.harmlessParameters(["id"])]).description, ImageRequest(url).description
            )
        }
        observe(.cacheTags, entries(.cacheTags(["album"])) { "\($0.tags)" })
        observe(.allowLargerCached) {
            let bench = bench()
            _ = await outcome(bench, [.thumbnailPixelSize(8, 8)])
            let with = await outcome(bench, [.thumbnailPixelSize(4, 4), .allowLargerCached])
            return (with, await outcome(bench, [.thumbnailPixelSize(4, 4)]))
        }
        observe(.timeToLive, entries(.timeToLive(.seconds(60))) { "\($0.expiration ?? 0)" })
        observe(.compressionQuality, quality(.compressionQuality(0.25)))
        observe(.formatQualities, quality(.formatQualities([RawImageCoder.format.name: 0.25])))
        observe(.imageCoder) {
            let mine = RawImageCoder()
            let bench = bench()
            _ = await outcome(bench, [.imageCoder(mine)])
            let with = bench.coder.decodeCount
            _ = await outcome(bench, [])
            return ("\(with)", "\(bench.coder.decodeCount)")
        }
        observe(.eventListener) {
            let (mine, bench) = (RecordingListener(), bench())
            _ = await outcome(bench, [.eventListener(mine)])
            await bench.manager.waitForEvents()
            return ("\(mine.events.count)", "0")
        }
        observe(.priority) {
            let bench = bench()
            let (high, plain) = (
                bench.manager.load(bench.request([.priority(.high)])), bench.manager.load(bench.request())
            )
            return ("\(high.priority)", "\(plain.priority)")
        }
        observe(.timeout) {
            @Sendable func end(_ context: ImageContext) async -> String {
                let bench = Bench(isOpen: false)
                let task = bench.manager.load(bench.request(context))
                await bench.gate.waitForArrivals(1)
                bench.time.advance(by: .seconds(60))
                bench.gate.open()
                return await imageError { try await task.response }?.code.rawValue ?? "none"
            }
            return (await end([.timeout(.seconds(1))]), await end([]))
        }
        observe(.decodeTimeout) {
            @Sendable func end(_ context: ImageContext) async -> String {
                let gate = BlockingGate()
                let bench = Bench(decodeGate: gate)
                let task = bench.manager.load(bench.request(context))
                await gate.waitForArrivals(1)
                bench.time.advance(by: .seconds(60))
                gate.open()
                return await imageError { try await task.response }?.code.rawValue ?? "none"
            }
            return (await end([.decodeTimeout(.seconds(1))]), await end([]))
        }
        observe(.progressiveLoad) {
            (
                try await PreviewTests.previewCount([.progressiveLoad], awaited: 1),
                try await PreviewTests.previewCount([], awaited: 0)
            )
        }
        observe(.previewInterval) {
            (
                try await PreviewTests.previewCount([.progressiveLoad, .previewInterval(.zero)], awaited: 2),
                try await PreviewTests.previewCount([.progressiveLoad], awaited: 1)
            )
        }
        observe(.previewGrowth) {
            let context: ImageContext = [.progressiveLoad, .previewInterval(.zero)]
            return (
                try await PreviewTests.previewCount(context.merging([.previewGrowth(1000)]), awaited: 1),
                try await PreviewTests.previewCount(context, awaited: 2)
            )
        }
        observe(.waitStoreCache) {
            // A store that is blocked. A request that waits for it is blocked too; another one ends.
            @Sendable func isFinishedBeforeItsStore(_ context: ImageContext) async throws -> Bool {
                let gate = BlockingGate()
                let cache = TieredCache(memory: nil, disk: HeldDataCache(gate: gate))
                let task = bench([.off(.waitStoreCache)]).manager.load(
                    ImageRequest(Bench.url, context: [.imageCache(cache)]).with(context))
                await gate.waitForArrivals(1)
                if context.isEmpty { _ = try await task.response }
                let isFinished = task.isFinished
                gate.open()
                _ = try await task.response
                return isFinished
            }
            let (with, without) = (
                try await isFinishedBeforeItsStore([.waitStoreCache]), try await isFinishedBeforeItsStore([])
            )
            return ("\(with)", "\(without)")
        }
        observe(.refreshCached, traces(.refreshCached))
        observe(.queryMemoryData) {
            @Sendable func byteCount(_ context: ImageContext) async throws -> String {
                let bench = bench()
                _ = try await bench.manager.image(for: bench.request())
                return "\(try await bench.manager.response(for: bench.request(context)).data?.count ?? 0)"
            }
            return (try await byteCount([.queryMemoryData]), try await byteCount([]))
        }
        observe(.httpCaching) {
            @Sendable func loadCount(_ context: ImageContext) async throws -> String {
                let bench = bench()
                let record = HTTPCacheRecord(status: 200, requestedAt: 0, receivedAt: 0) {
                    $0 == "Cache-Control" ? "no-store" : nil
                }
                bench.loader.answer(Bench.url.absoluteString, with: .version(file, LoadHead(caching: record)))
                for _ in 0..<2 { _ = try await bench.manager.image(for: bench.request(context)) }
                return "\(bench.loader.loadCount)"
            }
            return (try await loadCount([.httpCaching(.respect)]), try await loadCount([]))
        }
        observe(.retryPolicy, failing(as: .connectionFailed, .retryPolicy(RetryPolicy(count: 1, firstDelay: .zero))))
        observe(.alternatives, failing(as: .notFound, .alternatives([URL(string: "fake://host/other.raw")!])))
        let remembering = ContextSetting.failedURLTimeToLive(.seconds(60))
        observe(.failedURLTimeToLive, failing(as: .notFound, remembering))
        observe(.retryFailed, failing(as: .notFound, .retryFailed, over: [remembering]))
        observe(.maxConcurrentTransfers, told(.maxConcurrentTransfers(3), .maxConcurrentTransfers))
        observe(
            .maxConcurrentTransfersPerHost, told(.maxConcurrentTransfersPerHost(3), .maxConcurrentTransfersPerHost))
        observe(.maxArrivingBytes, told(.maxArrivingBytes(3), .maxArrivingBytes))
        observe(.delegate, failing(as: .notFound, .delegate(Refuser())))
        observe(.placeholders) {
            (
                try await PlaceholderTests.previewCount([.placeholders([.thumbHash(PlaceholderTests.thumbHash)])]),
                try await PlaceholderTests.previewCount([])
            )
        }
        observe(.delivery) {
            let (key, queue) = (DispatchSpecificKey<String>(), DispatchQueue(label: "mine"))
            queue.setSpecific(key: key, value: "mine")
            @Sendable func place(_ context: ImageContext) async -> String {
                let bench = bench()
                return await withCheckedContinuation { continuation in
                    bench.manager.load(bench.request(context)) { _ in
                        continuation.resume(returning: DispatchQueue.getSpecific(key: key) ?? "elsewhere")
                    }
                }
            }
            return (await place([.delivery(.queue(queue))]), await place([]))
        }
        return all
    }()

    /// A cache whose stores wait.
    private final class HeldDataCache: DataCache {
        let gate: BlockingGate
        init(gate: BlockingGate) { self.gate = gate }
        func entry(for key: VariantKey) throws -> CacheEntry? { nil }
        func contains(_ key: VariantKey) throws -> Bool { false }
        func store(_ entry: CacheEntry, for key: VariantKey) throws { gate.pass() }
        func remove(_ key: VariantKey) throws {}
        func removeAll(of source: SourceKey) throws {}
        func clear() throws {}
    }
}
