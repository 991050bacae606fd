import Calotype
import CalotypeTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LimitsTests {
    @Test func `a picture that is too large is refused before most of it is loaded`() async throws {
        let bench = Bench()
        let file = RawImageCoder.file(width: 400, height: 300)
        bench.loader.answer(Bench.url.absoluteString, with: .bytes(file, chunkSize: 1024))
        let task = bench.manager.load(bench.request([.maxPixels(1000)]))
        let error = await imageError { try await task.response }
        #expect(error?.code == .limitExceeded)
        #expect(bench.coder.rowCount == 0)
        try await bench.listener.waitForEnds(1, of: .load)
        let loaded = bench.listener.successes(of: .load)
        #expect(loaded.isEmpty, "the load was stopped before its end")
    }

    @Test func `a file that is not an image is refused before most of it is loaded`() async throws {
        let bench = Bench()
        bench.loader.answer(Bench.url.absoluteString, with: .bytes(Data(count: 10 << 20), chunkSize: 4096))
        let error = await imageError { try await bench.manager.image(for: bench.request()) }
        #expect(error?.code == .unknownFormat)
        try await bench.listener.waitForEnds(1, of: .load)
        #expect(bench.listener.successes(of: .load).isEmpty, "the load was stopped before its end")
    }

    @Test func `an announced length over the limit is refused before the first byte`() async throws {
        let bench = Bench()
        let error = await imageError { try await bench.manager.image(for: bench.request([.maxInputBytes(10)])) }
        #expect(error?.code == .limitExceeded)
        #expect(error?.message.contains("announces") == true)
    }

    @Test func `an empty file is an error`() async throws {
        let bench = Bench()
        bench.loader.answer(Bench.url.absoluteString, with: .bytes(Data()))
        let error = await imageError { try await bench.manager.image(for: bench.request()) }
        #expect(error?.code == .badData)
        #expect(error?.message == "is empty")
    }

    @Test func `an invalid URL is an error of the load, not a trap`() async throws {
        let bench = Bench()
        for text in ["", "no scheme", "picture.png", "%%%"] {
            let error = await imageError { try await bench.manager.image(for: text) }
            #expect(error?.code == .invalidURL, "\(text)")
            let viaTask = await imageError { try await bench.manager.load(text).response }
            #expect(viaTask?.code == .invalidURL, "\(text)")
        }
    }

    @Test(arguments: [
        "//me:s3cr3t@host/a.png", "//me:s3cr3t?s3cr3t@host/a.png", "//me:s3cr3t#s3cr3t@host/a.png",
        "//me@s3cr3t:s3cr3t@host/a.png",
        "//host/a.png?token=s3cr3t", "/a.png?mail=me@host&token=s3cr3t", "/a.png?mail=me@s3cr3t", "/a.png#s3cr3t",
        "/a.png;session=s3cr3t", "/a.png;mail=me@host;session=s3cr3t", "/a.png#me@s3cr3t",
    ])
    func `an invalid URL is reported without its secrets`(text: String) async throws {
        let bench = Bench()
        let error = try #require(await imageError { try await bench.manager.image(for: text) })
        #expect(error.code == .invalidURL)
        #expect(!"\(error)".contains("s3cr3t"))
        #expect(!bench.manager.load(text).request.description.contains("s3cr3t"))
        await bench.manager.waitForEvents()
        var told = ""
        dump(bench.listener.events, to: &told)
        #expect(!told.contains("s3cr3t"))
    }

    @Test func `a missing frame is an error`() async throws {
        let bench = Bench()
        for frame in [-1, 1, .max] {
            let error = await imageError { try await bench.manager.image(for: bench.request([.frame(frame)])) }
            #expect(error?.code == .noSuchFrame)
        }
    }

    @Test func `pixels from a loader are resized and cached like any others`() async throws {
        let bench = Bench()
        let image = try await bench.manager.decode(RawImageCoder.file(width: 40, height: 30))
        bench.loader.answer(Bench.url.absoluteString, with: .image(image))
        let request = bench.request([.thumbnailPixelSize(20, 20)])
        #expect(try await bench.manager.image(for: request).size == PixelSize(20, 15))
        bench.memory.clear()
        #expect(try await bench.manager.response(for: request).source == .disk)
    }

    @Test func `secrets in a URL are in no key, no error and no event`() async throws {
        let bench = Bench()
        let secret = "s3cr3t"
        let url = "fake://user:\(secret)@host/a.raw?X-Amz-Signature=\(secret)&size=1"
        _ = try await bench.manager.image(for: ImageRequest(url, context: [.thumbnailPixelSize(3, 3)]))
        bench.loader.answer(url, with: .failure(ImageError(.loadFailed, stage: .load, message: "no")))
        let error = await imageError {
            try await bench.manager.image(for: ImageRequest(url, context: [.fromLoaderOnly]))
        }
        let explained = try await bench.manager.explain(url).description
        await bench.manager.waitForEvents()
        let told = bench.listener.events.map { "\($0)" } + bench.data.keys.map(\.description)
        for text in told + [error?.description ?? "", explained, ImageRequest(url).description] {
            #expect(!text.contains(secret), "\(text)")
        }
        #expect(error?.subject == "fake://host/a.raw?X-Amz-Signature=redacted&size=1")
        let other = try await bench.manager.cacheKey(
            for: "fake://other:word@host/a.raw?X-Amz-Signature=\(secret)&size=1")
        #expect(try await bench.manager.cacheKey(for: url) != other, "other credentials have another key")
    }
}
