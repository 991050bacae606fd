import Calotype
import CalotypeTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RegistryTests {
    /// A coder that recognizes the raw format and fails to decode it.
    private struct BrokenCoder: ImageCoder {
        var formats: [ImageFormat] { [RawImageCoder.format] }
        func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
            throw ImageError(.badData, stage: .decode, message: "is beyond me")
        }
    }

    /// A coder that decodes every file of the raw format to the same small picture.
    private struct SmallCoder: ImageCoder {
        var formats: [ImageFormat] { [RawImageCoder.format] }
        func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
            try RawImageCoder().decoder(for: ImageBytes(RawImageCoder.file(width: 7, height: 7)), options: options)
        }
    }

    @Test func `the coder added last decodes`() async throws {
        let bench = Bench()
        bench.manager.registry.coders.add(SmallCoder())
        #expect(try await bench.manager.image(for: bench.request()).width == 7)
    }

    @Test func `the loader added last is asked first`() async throws {
        let bench = Bench()
        let newer = FakeImageLoader(answer: .bytes(RawImageCoder.file(width: 7, height: 7)))
        bench.manager.registry.loaders.add(newer)
        #expect(try await bench.manager.image(for: bench.request()).width == 7)
        #expect(bench.loader.loadCount == 0)
    }

    @Test func `a removed loader is no longer asked, and a second removal returns false`() async throws {
        let bench = Bench()
        let token = bench.manager.registry.loaders.add(FakeImageLoader())
        #expect(bench.manager.registry.loaders.remove(token))
        #expect(!bench.manager.registry.loaders.remove(token))
        #expect(try await bench.manager.image(for: bench.request()).width == 40)
    }

    @Test func `a loader that declines the URL passes it to the next one`() async throws {
        let bench = Bench()
        bench.manager.registry.loaders.add(FakeImageLoader(scheme: "other"))
        #expect(try await bench.manager.image(for: bench.request()).width == 40)
    }

    @Test func `without a loader the error lists the loaders that were asked`() async throws {
        let bench = Bench()
        let error = await imageError { try await bench.manager.image(for: "ftp://host/a.raw") }
        #expect(error?.code == .noLoader)
        #expect(
            error?.description
                == "ftp://host/a.raw: no loader supports the scheme 'ftp'; asked: FakeImageLoader does not support it; "
                + "install a plugin that loads such URLs")
        let none = await imageError { try await ImageManager(context: [.off(.imageCache)]).image(for: "ftp://host/a") }
        #expect(none?.message.contains("none is installed") == true)
    }

    @Test func `a failing coder passes the file to the next one`() async throws {
        let bench = Bench()
        bench.manager.registry.coders.add(BrokenCoder())
        #expect(try await bench.manager.image(for: bench.request()).width == 40)
    }

    @Test func `if all coders fail, the first failure is thrown`() async throws {
        let manager = ImageManager(context: [.off(.imageCache)])
        manager.registry.coders.add(BrokenCoder())
        let error = await imageError { try await manager.decode(RawImageCoder.file(width: 2, height: 2)) }
        #expect(error?.code == .badData)
        #expect(error?.component == "BrokenCoder")
    }

    @Test func `the error for an unknown format lists the installed formats`() async throws {
        let bench = Bench()
        let error = await imageError { try await bench.manager.decode(Data([0x12, 0xAB, 0])) }
        #expect(error?.code == .unknownFormat)
        #expect(error?.description.contains("looks like binary data, not an image in a known format") == true)
        #expect(error?.description.contains("RawImageCoder does not recognize it") == true)
        #expect(error?.description.contains("the installed formats are raw") == true)
    }

    @Test(arguments: [
        ("root:x:0:0:root:/root:/bin/bash\n", "text"), (" \n<!DOCTYPE html><title>Sign in</title>", "an HTML page"),
        ("<HTML><body>", "an HTML page"), ("<feed xmlns='x'>", "XML"), ("caf\u{E9}", "binary data"),
    ])
    func `the error for an unknown format names its kind, but no bytes`(text: String, kind: String) async throws {
        let bench = Bench()
        let data = Data(text.utf8)
        let error = try #require(await imageError { try await bench.manager.decode(data) })
        #expect(error.message.hasPrefix("looks like \(kind), not an image in a known format; "))
        let digits = data.prefix(3).map { $0 < 16 ? "0\(String($0, radix: 16))" : String($0, radix: 16) }
        for quote in [String(text.prefix(6)), digits.joined(separator: " "), digits.joined()] {
            #expect(!error.description.contains(quote), "\(quote)")
        }
    }

    @Test func `the error for a known format without a coder names it`() async throws {
        let bench = Bench()
        let error = await imageError { try await bench.manager.decode(Data("GIF89a and more".utf8)) }
        #expect(error?.code == .unknownFormat)
        #expect(error?.message.contains("is gif") == true)
    }

    @Test func `a plugin installs its parts, and its keys can be set by name`() async throws {
        let plugin = Plugin(name: "Test", keys: [ContextKey.paletteSize.declaration]) { registry in
            registry.loaders.add(FakeImageLoader(answer: .bytes(RawImageCoder.file(width: 5, height: 5))))
            registry.coders.add(RawImageCoder())
        }
        let manager = ImageManager(plugins: [plugin], context: [.off(.imageCache)])
        #expect(manager.registry.plugins.map(\.name) == ["Test"])
        #expect(try await manager.image(for: "fake://a").width == 5)
        let setting = try manager.registry.setting(named: "paletteSize", text: "16")
        #expect(ImageContext([setting])[.paletteSize] == 16)
    }

    @Test func `a plugin's key is part of the identities that it declares to affect`() async throws {
        let bench = Bench()
        let plain = try await bench.manager.cacheKey(for: bench.request())
        let reduced = try await bench.manager.cacheKey(for: bench.request([.set(.paletteSize, to: 4)]))
        #expect(plain.isOriginal)
        #expect(reduced.variant == "paletteSize=4")
    }
}

extension ContextKey where Value == Int {
    fileprivate static let paletteSize = ContextKey(
        "paletteSize", default: 256, affects: .pixels, summary: "Colors of a reduced picture, 2 to 256.")
}
