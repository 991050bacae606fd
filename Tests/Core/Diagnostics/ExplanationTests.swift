import CalotypeTesting
import Testing

@testable import Calotype

/// The contents of explanations, except values and their layers, which `ContextLayersTests` covers.
@Suite(.timeLimit(.minutes(5)))
struct ExplanationTests {
    private struct Loader: ImageLoader {
        let name: String
        var takesAll = false

        func canLoad(_ request: LoadRequest) -> Bool { takesAll }

        @concurrent func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
            throw ImageError(.loadFailed, stage: .load, message: "is not to be loaded")
        }
    }

    /// Returns a cache in a directory, with the clock of a bench.
    private func disk(_ directory: TemporaryDirectory, _ bench: Bench) -> DiskCache {
        DiskCache(at: directory.url, time: bench.time)
    }

    // MARK: Text

    @Test func `the text names value, origin and overridden values`() async throws {
        let bench = Bench(context: [.thumbnailPixelSize(8, 8)])
        let request = bench.request([.thumbnailPixelSize(4, 4), .transformer(.resize(width: 2, height: 2))])
        let lines = try await bench.manager.explain(request).description.split(separator: "\n")
        func line(_ name: String) -> Substring? { lines.first { $0.hasPrefix("\(name)  ") } }
        #expect(line("thumbnailPixelSize")?.contains("  4x4 ") == true)
        #expect(line("thumbnailPixelSize")?.hasSuffix("  request, over 8x8 (manager)") == true)
        #expect(line("url")?.hasSuffix("  fake://host/picture.raw") == true)
        #expect(line("variant key")?.hasSuffix("  thumbnailPixelSize=4x4|resize(2x2,fit)") == true)
        #expect(line("loader")?.hasSuffix("  FakeImageLoader") == true)
        #expect(line("coders")?.hasSuffix("  RawImageCoder (raw)") == true)
        #expect(line("image on disk")?.hasSuffix("  no (TieredCache)") == true)
        #expect(line("original on disk")?.hasSuffix("  no (TieredCache)") == true)
    }

    @Test func `the text is aligned, and long lines are wrapped`() async throws {
        let bench = Bench()
        for index in 0..<12 { bench.manager.registry.loaders.add(Loader(name: "Loader\(index)OfMany")) }
        let urls = (0..<8).map { URL(string: "fake://host/alternative-\($0).raw")! }
        let explanation = try await bench.manager.explain(bench.request([.alternatives(urls)]))
        let lines = explanation.description.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 100 })
        let loader = try #require(lines.first { $0.hasPrefix("loader ") })
        let column = loader.count - "FakeImageLoader".count
        for line in lines {
            #expect(line.dropFirst(column - 1).first == " " && line.dropFirst(column).first != " ", "\(line)")
        }
        #expect(lines.contains { $0.first == " " })
    }

    @Test func `a long value is on its own line, with its layer below`() async throws {
        let bench = Bench()
        let tags = CacheTags((0..<10).map { "a-tag-with-the-number-\($0)" })
        let text = try await bench.manager.explain(bench.request([.cacheTags(tags)])).description
        let lines = text.split(separator: "\n")
        let index = try #require(lines.firstIndex { $0.hasPrefix("cacheTags ") })
        #expect(!lines[index].contains("request"))
        #expect(lines[(index + 1)...].first { $0.hasSuffix("  request") }?.first == " ")
    }

    @Test func `values are sorted by name, and equal names by their text`() async throws {
        let keys = (0..<20).map { _ in ContextKey<Int>("side", default: 0, summary: "A number.") }
        let settings = keys.enumerated().map { index, key in ContextSetting.set(key, to: 29 - index) }
        let bench = Bench()
        let request = bench.request(ImageContext(settings + [.nativeDepth, .cacheTags(["a"])]))
        let values = try await bench.manager.explain(request).values
        #expect(values.filter { $0.key.name == "side" }.map(\.text) == (10..<30).map { "\($0)" })
        #expect(values.map(\.key.name) == values.map(\.key.name).sorted())
        #expect(values.count >= 22)
    }

    @Test func `times are given in the largest unit of which there are at least two`() {
        let spans: [(seconds: Double, text: String)] = [
            (0, "0 s"), (119, "119 s"), (120, "2 min"), (7199, "119 min"), (7200, "2 h"), (172_799, "47 h"),
            (172_800, "2 d"), (-5, "0 s"), (.infinity, "11574074074 d"),
        ]
        for (seconds, text) in spans { #expect(Explanation.span(seconds) == text) }
    }

    // MARK: Caches

    @Test func `image and original are looked up in their own caches`() async throws {
        let originals = TieredCache(memory: nil, disk: InMemoryDataCache())
        let bench = Bench(context: [.originalImageCache(originals)])
        let request = bench.request([.thumbnailPixelSize(4, 4)])
        let before = try await bench.manager.explain(request)
        #expect(before.image?.tiers == [])
        #expect(before.original?.tiers == [])
        _ = try await bench.manager.image(for: request)
        let after = try await bench.manager.explain(request)
        #expect(after.image?.tiers == .all)
        #expect(after.image?.key == after.variant)
        #expect(after.original?.tiers == .disk)
        #expect(after.original?.key == after.variant.original)
        try await bench.manager.remove(request, from: .disk)
        try originals.clear(.all)
        bench.memory.clear()
        let gone = try await bench.manager.explain(request)
        #expect(gone.image?.tiers == [])
        #expect(gone.original?.tiers == [])
    }

    @Test func `for a whole picture the image is the original`() async throws {
        let bench = Bench()
        _ = try await bench.manager.image(for: bench.request())
        let explanation = try await bench.manager.explain(bench.request())
        #expect(explanation.image?.tiers == .all)
        #expect(explanation.original == nil)
        #expect(!explanation.description.contains("original on disk"))
    }

    @Test func `for an entry in memory, size, bytes and time are given`() async throws {
        let bench = Bench()
        let request = bench.request([.thumbnailPixelSize(20, 20)])
        let image = try await bench.manager.image(for: request.with([.timeToLive(.seconds(600))]))
        let explanation = try await bench.manager.explain(request)
        #expect(explanation.image?.picture?.size == PixelSize(20, 15))
        #expect(explanation.image?.picture?.byteCount == image.byteCount)
        let time = try #require(explanation.image?.picture?.remainingTime)
        #expect(time > .zero && time <= .seconds(600))
        #expect(explanation.description.contains("20x15, \(image.byteCount) bytes, "))
    }

    @Test func `for an entry on disk, bytes, age and time are given`() async throws {
        let directory = TemporaryDirectory()
        let bench = Bench()
        let data = disk(directory, bench)
        let request = bench.request([.imageCache(TieredCache(memory: nil, disk: data)), .thumbnailPixelSize(4, 4)])
        _ = try await bench.manager.image(for: request.with([.timeToLive(.seconds(86_400 * 3))]))
        bench.time.advance(by: .seconds(3 * 3600))
        let explanation = try await bench.manager.explain(request)
        let entry = try #require(explanation.image?.entry)
        let file = try LocalFileSystem().attributes(of: data.path(for: explanation.variant))
        #expect(entry.byteCount == file.byteCount)
        // The file system stores nanoseconds, which seconds since 1970 cannot represent exactly.
        #expect(abs(explanation.time - (entry.start ?? 0) - 3 * 3600) < 0.001)
        #expect(abs((entry.expiration ?? 0) - explanation.time - 69 * 3600) < 0.001)
        #expect(explanation.description.contains("\(entry.byteCount) bytes, 3 h old, 2 d left (TieredCache)"))
        bench.time.advance(by: .seconds(4 * 86_400))
        let late = try await bench.manager.explain(request)
        #expect(late.image?.tiers == [])
        #expect(late.image?.entry == nil)
    }

    @Test func `an explanation counts as no use, and neither loads nor stores`() async throws {
        let directory = TemporaryDirectory()
        let bench = Bench()
        let data = disk(directory, bench)
        let cache = TieredCache(memory: bench.memory, disk: data)
        let request = bench.request([.imageCache(cache), .thumbnailPixelSize(4, 4), .allowLargerCached])
        _ = try await bench.manager.image(for: request)
        let (statistics, loadCount) = (cache.statistics, bench.loader.loadCount)
        let start = try await bench.manager.explain(request).image?.entry?.start
        bench.time.advance(by: .seconds(3600))
        for other in [request, request.with([.thumbnailPixelSize(2, 2)]), request.with([.thumbnailPixelSize(9, 9)])] {
            _ = try await bench.manager.explain(other)
        }
        #expect(try await bench.manager.explain(request).image?.entry?.start == start)
        #expect(cache.statistics.memory?.hits == statistics.memory?.hits)
        #expect(cache.statistics.memory?.misses == statistics.memory?.misses)
        #expect(cache.statistics.disk?.hits == statistics.disk?.hits)
        #expect(cache.statistics.disk?.misses == statistics.disk?.misses)
        #expect(cache.statistics.disk?.insertions == statistics.disk?.insertions)
        #expect(bench.loader.loadCount == loadCount)
        #expect(!bench.manager.isRunning)
    }

    @Test func `a larger variant that can be used is named`() async throws {
        let bench = Bench()
        _ = try await bench.manager.image(for: bench.request([.thumbnailPixelSize(20, 20)]))
        let request = bench.request([.thumbnailPixelSize(4, 4)])
        #expect(try await bench.manager.explain(request).larger == nil)
        let explanation = try await bench.manager.explain(request.with([.allowLargerCached]))
        #expect(explanation.larger?.variant == "thumbnailPixelSize=20x20")
        #expect(explanation.image?.tiers == [])
        #expect(explanation.description.contains("larger in memory"))
        let onlyLoader = request.with([.allowLargerCached, .fromLoaderOnly])
        #expect(try await bench.manager.explain(onlyLoader).larger == nil)
    }

    @Test func `a failing cache is reported, and the rest is still explained`() async throws {
        let bench = Bench()
        _ = try await bench.manager.image(for: bench.request())
        bench.data.failure = ImageError(.cacheFailed, stage: .query, message: "is out of order")
        let explanation = try await bench.manager.explain(bench.request())
        #expect(explanation.image?.tiers == .memory)
        #expect(explanation.image?.failure?.code == .cacheFailed)
        #expect(explanation.loader == "FakeImageLoader")
        #expect(explanation.description.contains("unknown: "))
    }

    @Test func `a request without a cache is explained as such`() async throws {
        let explanation = try await Bench().manager.explain(
            ImageRequest(Bench.url, context: [.off(.imageCache), .thumbnailPixelSize(4, 4)]))
        #expect(explanation.image == nil)
        #expect(explanation.original == nil)
        #expect(explanation.description.contains("no cache is set for it"))
    }

    @Test func `the HTTP freshness of the original is given for the current time`() async throws {
        let directory = TemporaryDirectory()
        let bench = Bench()
        let data = disk(directory, bench)
        let request = bench.request([.imageCache(TieredCache(memory: nil, disk: data)), .thumbnailPixelSize(4, 4)])
        #expect(try await bench.manager.explain(request).freshness == nil)
        let now = bench.time.wallTime()
        var head = LoadHead()
        head.caching = HTTPCacheRecord(status: 200, requestedAt: now, receivedAt: now) { name in
            name == "Cache-Control" ? "max-age=90, stale-if-error=7200" : nil
        }
        let key = try await bench.manager.cacheKey(for: request).original
        try data.store(CacheEntry(data: Data(count: 10), attributes: head.attributes), for: key)
        #expect(try await bench.manager.explain(request).freshness == "fresh for 90 s more")
        let whole = bench.request([.imageCache(TieredCache(memory: nil, disk: data))])
        #expect(try await bench.manager.explain(whole).freshness == "fresh for 90 s more")
        bench.time.advance(by: .seconds(3690))
        #expect(
            try await bench.manager.explain(request).freshness
                == "stale; its server must be asked; may be used for 60 min more if that fails")
    }

    // MARK: Loaders and coders

    @Test func `the loader is named, and so are the loaders that declined`() async throws {
        let bench = Bench()
        bench.manager.registry.loaders.add(Loader(name: "Early"))
        bench.manager.registry.loaders.add(Loader(name: "Earlier"))
        let explanation = try await bench.manager.explain(bench.request())
        #expect(explanation.loader == "FakeImageLoader")
        #expect(explanation.passedLoaders == ["Earlier", "Early"])
        bench.manager.registry.loaders.add(Loader(name: "Greedy", takesAll: true))
        let taken = try await bench.manager.explain(bench.request())
        #expect(taken.loader == "Greedy")
        #expect(taken.passedLoaders.isEmpty)
        let given = try await bench.manager.explain(bench.request([.imageLoader(Loader(name: "Given"))]))
        #expect(given.loader == "Given")
        #expect(given.passedLoaders.isEmpty)
        let none = try await Bench().manager.explain("other://host/a.raw")
        #expect(none.loader == nil)
        #expect(none.passedLoaders == ["FakeImageLoader"])
        #expect(none.description.contains("none supports this URL"))
    }

    @Test func `a remembered failure is reported, unless the request ignores it`() async throws {
        let bench = Bench(context: [.failedURLTimeToLive(.seconds(60))])
        bench.loader.answer(
            Bench.url.absoluteString, with: .failure(ImageError(.notFound, stage: .load, message: "is not there")))
        #expect(try await bench.manager.explain(bench.request()).failure == nil)
        _ = await imageError { try await bench.manager.image(for: bench.request()) }
        let explanation = try await bench.manager.explain(bench.request())
        #expect(explanation.failure?.code == .notFound)
        #expect(explanation.description.contains("has failed"))
        #expect(try await bench.manager.explain(bench.request([.retryFailed])).failure == nil)
        bench.time.advance(by: .seconds(61))
        #expect(try await bench.manager.explain(bench.request()).failure == nil)
    }

    @Test func `retries and alternatives are listed without credentials`() async throws {
        let bench = Bench()
        let plain = try await bench.manager.explain(bench.request())
        #expect(plain.retries == RetryPolicy.never.text)
        #expect(plain.alternatives.isEmpty)
        let other = URL(string: "fake://user:word@host/b.raw")!
        let explanation = try await bench.manager.explain(
            bench.request([.retryPolicy(RetryPolicy(count: 2)), .alternatives([other])]))
        #expect(explanation.retries.hasPrefix("2"))
        #expect(explanation.alternatives == ["fake://host/b.raw"])
        #expect(!explanation.description.contains("word"))
    }
}
