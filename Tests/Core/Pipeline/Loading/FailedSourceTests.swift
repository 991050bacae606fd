import CalotypeTesting
import Testing

@testable import Calotype

/// URLs that have failed, and are not loaded again for a while.
@Suite(.timeLimit(.minutes(5)))
struct FailedSourceTests {
    private static let missing = ImageError(
        .notFound, stage: .load, message: "there is nothing", advice: "check the URL")

    /// Returns a bench that remembers failures for a minute. Its source fails until it is changed.
    private func bench(_ error: ImageError = FailedSourceTests.missing, context: ImageContext = []) -> Bench {
        let base: ImageContext = [.failedURLTimeToLive(.seconds(60))]
        let bench = Bench(context: base.merging(context))
        bench.loader.answer(Bench.url.absoluteString, with: .failure(error))
        return bench
    }

    private func mend(_ bench: Bench) {
        bench.loader.answer(Bench.url.absoluteString, with: .bytes(RawImageCoder.file(width: 40, height: 30)))
    }

    private func error(_ bench: Bench, _ context: ImageContext = []) async -> ImageError? {
        await imageError { try await bench.manager.image(for: bench.request(context)) }
    }

    // MARK: Remembered failures

    @Test func `lasting failures are remembered, transient ones and those of a single request are not`() {
        let lasting: [ImageError.Code] = [
            .notFound, .accessDenied, .addressRefused, .untrustedConnection, .redirectRefused, .badStatus,
            .badContentType, .badData, .unknownFormat,
        ]
        let passing: [ImageError.Code] = [
            .cancelled, .timedOut, .connectionFailed, .hostNotFound, .incomplete, .limitExceeded, .noLoader, .notCached,
            .outOfMemory, .loadFailed, .transformFailed, .cacheFailed, ImageError.Code(rawValue: "outOfPaper"),
        ]
        for code in lasting { #expect(FailedSources.isLasting(ImageError(code, stage: .load, message: "")), "\(code)") }
        for code in passing {
            #expect(!FailedSources.isLasting(ImageError(code, stage: .load, message: "")), "\(code)")
        }
        let busy = ImageError(.badStatus, stage: .load, message: "is busy", isTransient: true)
        #expect(!FailedSources.isLasting(busy))
    }

    @Test func `a failed URL is not loaded again, and the error says why`() async {
        let bench = bench()
        #expect(await error(bench)?.message == "there is nothing")
        bench.time.advance(by: .seconds(12))
        let again = await error(bench, [.thumbnailPixelSize(5, 5)])
        #expect(again?.code == .notFound)
        #expect(again?.subject == "fake://host/picture.raw")
        #expect(again?.message == "could not be loaded 12 s ago, and is not loaded again yet: there is nothing")
        #expect(again?.advice?.contains("retryFailed") == true)
        #expect(bench.loader.loadCount == 1)
    }

    @Test func `a transient failure is not remembered`() async {
        let bench = bench(ImageError(.connectionFailed, stage: .load, message: "the line is down"))
        for _ in 0..<2 { #expect(await error(bench)?.code == .connectionFailed) }
        #expect(bench.loader.loadCount == 2)
    }

    @Test func `failures are remembered only if the request says for how long`() async {
        let bench = bench(context: [.off(.failedURLTimeToLive)])
        for _ in 0..<2 { #expect(await error(bench)?.message == "there is nothing") }
        #expect(bench.loader.loadCount == 2)
    }

    @Test func `a failed URL is loaded again when its time is over`() async throws {
        let bench = bench()
        _ = await error(bench)
        mend(bench)
        bench.time.advance(by: .milliseconds(59_999))
        #expect(await error(bench)?.code == .notFound)
        bench.time.advance(by: .milliseconds(1))
        #expect(try await bench.manager.image(for: bench.request()).width == 40)
        #expect(bench.loader.loadCount == 2)
    }

    @Test func `a decode failure is remembered for requests with the same decode options`() async throws {
        let bench = bench()
        let lastRow = 4 * 4
        let damaged = Data(RawImageCoder.file(width: 4, height: 4).dropLast(lastRow))
        bench.loader.answer(Bench.url.absoluteString, with: .bytes(damaged))
        for _ in 0..<2 { #expect(await error(bench)?.code == .badData) }
        #expect(bench.loader.loadCount == 1)
        let partial = try await bench.manager.image(for: bench.request([.allowPartial]))
        #expect(partial.attributes.isPartial)
        #expect(bench.loader.loadCount == 2)
        #expect(
            await error(bench)?.message.hasPrefix("could not be loaded 0 s ago") == true,
            "a partial image does not clear the failure"
        )
        #expect(bench.loader.loadCount == 2)
    }

    // MARK: Scope

    @Test func `retryFailed loads again, and a success clears the failure`() async throws {
        let bench = bench()
        _ = await error(bench)
        #expect(
            await error(bench, [.retryFailed])?.message == "there is nothing",
            "the request was loaded again, and failed again")
        #expect(bench.loader.loadCount == 2)
        mend(bench)
        #expect(try await bench.manager.image(for: bench.request([.retryFailed])).width == 40)
        #expect(bench.manager.failure(of: Bench.url) == nil)
        #expect(try await bench.manager.image(for: bench.request([.fromLoaderOnly])).width == 40)
        #expect(bench.loader.loadCount == 4)
    }

    @Test func `a request rejected for a remembered failure does not cancel a retrying one`() async throws {
        let bench = bench()
        _ = await error(bench)
        mend(bench)
        bench.gate.close()
        let asking = bench.manager.load(bench.request([.retryFailed]))
        await bench.gate.waitForArrivals(2)
        #expect(await error(bench)?.code == .notFound, "the other request is still waiting")
        bench.gate.open()
        #expect(try await asking.response.image.width == 40)
    }

    @Test func `a cached image is returned despite a remembered failure`() async throws {
        let bench = bench()
        mend(bench)
        _ = try await bench.manager.image(for: bench.request())
        bench.loader.answer(Bench.url.absoluteString, with: .failure(Self.missing))
        #expect(await error(bench, [.fromLoaderOnly])?.code == .notFound)
        bench.memory.clear()
        let thumbnail = try await bench.manager.response(for: bench.request([.thumbnailPixelSize(8, 8)]))
        #expect(thumbnail.source == .disk)
        #expect(try await bench.manager.response(for: bench.request()).source == .disk)
        #expect(bench.loader.loadCount == 2)
    }

    @Test func `a miss stays a miss for a request that may not load`() async {
        let bench = bench()
        _ = await error(bench)
        #expect(await error(bench, [.fromCacheOnly])?.code == .notCached)
    }

    @Test func `failures are separate for other credentials and policies`() async throws {
        let bench = Bench(context: [.failedURLTimeToLive(.seconds(60))])
        let denied = ImageError(.accessDenied, stage: .load, message: "is not for you")
        bench.loader.answer("fake://ann:1@host/secret.raw", with: .failure(denied))
        #expect(await imageError { try await bench.manager.image(for: "fake://ann:1@host/secret.raw") } != nil)
        #expect(try await bench.manager.image(for: "fake://bob:1@host/secret.raw").width == 40)
        bench.loader.answer("fake://ann:1@host/secret.raw", with: .bytes(RawImageCoder.file(width: 4, height: 3)))
        let lax = ImageRequest("fake://ann:1@host/secret.raw", context: [.maxPixels(1_000_000)])
        #expect(try await bench.manager.image(for: lax).width == 4)
        #expect(await imageError { try await bench.manager.image(for: "fake://ann:1@host/secret.raw") } != nil)
    }

    // MARK: Lookup and removal

    @Test func `a remembered failure can be looked up and removed, whatever the spelling of the URL`() async throws {
        let bench = bench()
        #expect(bench.manager.failure(of: Bench.url) == nil)
        _ = await error(bench)
        let spelled = try #require(URL(string: "FAKE://HOST/a/../picture.raw#part"))
        #expect(bench.manager.failure(of: spelled)?.message == "there is nothing")
        bench.manager.removeFailedURL(spelled)
        #expect(bench.manager.failure(of: Bench.url) == nil)
        mend(bench)
        #expect(try await bench.manager.image(for: bench.request()).width == 40)
    }

    @Test func `all remembered failures can be removed`() async {
        let bench = bench()
        _ = await error(bench)
        bench.manager.removeAllFailedURLs()
        #expect(bench.manager.failure(of: Bench.url) == nil)
        #expect(bench.manager.pipeline.failures.count == 0)
        #expect(await error(bench)?.message == "there is nothing")
        #expect(bench.loader.loadCount == 2)
    }

    @Test func `the number of remembered failures is limited, and the latest are kept`() {
        let failures = FailedSources(time: ManualTime(), limit: 10)
        func source(_ number: Int) -> FailedSources.Source {
            FailedSources.Source(url: "fake://host/\(number)", policy: "", decoding: "")
        }
        for number in 0..<100 {
            failures.note(Self.missing, of: source(number), for: .seconds(60))
            #expect(failures.count <= 10)
            for latest in max(0, number - 3)...number { #expect(failures.failure(of: source(latest)) != nil) }
        }
        #expect(failures.failure(of: source(80)) == nil)
    }

    @Test func `expired failures are evicted first`() {
        let time = ManualTime()
        let failures = FailedSources(time: time, limit: 4)
        func source(_ name: String) -> FailedSources.Source {
            FailedSources.Source(url: name, policy: "", decoding: "")
        }
        failures.note(Self.missing, of: source("old"), for: .seconds(60))
        for name in ["a", "b", "c"] { failures.note(Self.missing, of: source(name), for: .seconds(1)) }
        time.advance(by: .seconds(1))
        failures.note(Self.missing, of: source("new"), for: .seconds(60))
        #expect(failures.count == 2)
        #expect(failures.failure(of: source("old")) != nil)
        #expect(failures.failure(of: source("new")) != nil)
    }

    @Test func `a repeated failure is remembered once, from then on`() {
        let time = ManualTime()
        let failures = FailedSources(time: time)
        let source = FailedSources.Source(url: "a", policy: "", decoding: "")
        failures.note(Self.missing, of: source, for: .seconds(60))
        time.advance(by: .seconds(50))
        failures.note(Self.missing, of: source, for: .seconds(60))
        #expect(failures.count == 1)
        time.advance(by: .seconds(59))
        #expect(failures.failure(of: source) != nil)
        time.advance(by: .seconds(1))
        #expect(failures.failure(of: source) == nil)
        #expect(failures.count == 0)
    }
}
