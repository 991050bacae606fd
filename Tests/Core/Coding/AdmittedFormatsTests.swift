import CalotypeTesting
import Testing

@testable import Calotype

/// Formats whose coders do not accept untrusted bytes.
@Suite(.timeLimit(.minutes(5)))
struct AdmittedFormatsTests {
    /// A coder of the raw format with a configurable property.
    private struct Coder: ImageCoder {
        let acceptsUntrustedBytes: Bool
        let asked = Lock(0)

        var formats: [ImageFormat] { [RawImageCoder.format] }

        func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
            asked.withLock { $0 += 1 }
            return try RawImageCoder().decoder(for: bytes, options: options)
        }

        func progressiveDecoder(for head: ImageBytes, options: DecodeOptions) throws -> (any ProgressiveDecoder)? {
            asked.withLock { $0 += 1 }
            return nil
        }

        func encoder(for format: ImageFormat) -> (any ImageEncoder)? {
            RawImageCoder().encoder(for: format)
        }
    }

    /// A coder that relies on the default.
    private struct SilentCoder: ImageCoder {
        var formats: [ImageFormat] { [RawImageCoder.format] }
    }

    private let file = RawImageCoder.file(width: 4, height: 3)

    private func manager(_ coder: any ImageCoder, _ context: ImageContext) -> ImageManager {
        let manager = ImageManager(context: context.merging([.off(.imageCache)]))
        manager.registry.coders.add(coder)
        return manager
    }

    @Test func `a coder does not accept untrusted bytes by default`() {
        #expect(!SilentCoder().acceptsUntrustedBytes)
    }

    @Test func `a server refuses formats without a safe coder, and names the key that admits them`() async throws {
        let coder = Coder(acceptsUntrustedBytes: false)
        let manager = manager(coder, .server)
        let error = await imageError { try await manager.decode(file) }
        #expect(error?.code == .formatRefused)
        #expect(error?.message.contains("raw") == true)
        #expect(error?.advice?.contains("admittedFormats") == true)
        #expect(await imageError { try await manager.info(of: file) }?.code == .formatRefused)
        #expect(coder.asked.withLock { $0 } == 0, "the coder is not called")
        // Encoding the program's own images is allowed.
        let image = Image(pixels: try PixelBuffer.noise(PixelSize(4, 3), seed: 1))
        _ = try await manager.encode(image, as: RawImageCoder.format)
    }

    @Test(arguments: [["raw"], ["heic", "RAW"]] as [AdmittedFormats])
    func `an admitted format is decoded`(_ formats: AdmittedFormats) async throws {
        let manager = manager(
            Coder(acceptsUntrustedBytes: false), ImageContext.server.merging([.admittedFormats(formats)]))
        #expect(try await manager.decode(file).size == PixelSize(4, 3))
    }

    @Test func `a coder that accepts untrusted bytes decodes them, without the key every coder does`() async throws {
        #expect(try await manager(Coder(acceptsUntrustedBytes: true), .server).decode(file).width == 4)
        #expect(try await manager(Coder(acceptsUntrustedBytes: false), []).decode(file).width == 4)
    }

    @Test func `a coder that accepts the format is preferred`() async throws {
        let (careful, other) = (Coder(acceptsUntrustedBytes: true), Coder(acceptsUntrustedBytes: false))
        let manager = manager(careful, .server)
        manager.registry.coders.add(other)
        #expect(try await manager.decode(file).width == 4)
        #expect(other.asked.withLock { $0 } == 0)
    }

    @Test func `a coder named by the request is not exempt`() async throws {
        let manager = manager(RawImageCoder(), .server)
        let context: ImageContext = [.imageCoder(Coder(acceptsUntrustedBytes: false))]
        #expect(await imageError { try await manager.decode(file, context: context) }?.code == .formatRefused)
    }

    @Test func `loading a refused format fails, and nothing is stored`() async throws {
        let bench = Bench(context: [.admittedFormats([])])
        for token in [bench.manager.registry.coders.add(Coder(acceptsUntrustedBytes: false))] {
            bench.manager.registry.coders.remove(token)
        }
        let strict = ImageManager(context: [.admittedFormats([]), .imageCache(bench.cache), .waitStoreCache])
        strict.registry.coders.add(Coder(acceptsUntrustedBytes: false))
        strict.registry.loaders.add(bench.loader)
        let error = await imageError { try await strict.image(for: bench.request([.progressiveLoad])) }
        #expect(error?.code == .formatRefused)
        #expect(bench.data.stores.isEmpty)
    }

    @Test(arguments: ["", "avif,heic"])
    func `the list of formats is parsed from text`(_ text: String) {
        #expect(AdmittedFormats(contextText: text)?.contextText == text)
        #expect(AdmittedFormats(contextText: "off") == nil)
        #expect(AdmittedFormats(contextText: "heic,") == nil)
    }
}
