#if HTTP && PNG && JPEG
import CalotypeStandard
import CalotypeTesting
import Foundation
import Testing

/// The effect of every plugin key, by two runs that differ only in it.
@Suite(.timeLimit(.minutes(5)))
struct PluginKeyTests {
    private let server: ScriptedServer
    private let directory: URL

    init() throws {
        server = try ScriptedServer()
        directory = FileManager.default.temporaryDirectory.appending(path: "calotype-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    @Test func `every key declared by a plugin has an observable effect`() async throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        try script()
        let declared = Plugin.standard.keys
        #expect(Set(declared.map(\.name)).count == declared.count)
        // Some wait for timeouts, so all run concurrently.
        try await withThrowingTaskGroup { group in
            for key in declared {
                group.addTask {
                    guard let seen = try await observe(key.name) else {
                        Issue.record("no observation for the key \(key.name)")
                        return
                    }
                    #expect(seen.with != seen.without, "the key \(key.name) has no observable effect")
                }
            }
            try await group.waitForAll()
        }
    }

    /// Returns the effect of the newer formats' options on a file; nil for other keys.
    private func observeOptions(_ name: String) async throws -> (with: String, without: String)? {
        #if WEBP
        if name == "webpOptions" {
            var options = WebPOptions()
            options.lossless = true
            return try await bytes(.webpOptions(options), as: .webp)
        }
        #endif
        #if GIF
        if name == "gifOptions" {
            var options = GIFOptions()
            options.colors = 2
            return try await bytes(.gifOptions(options), as: .gif)
        }
        #endif
        #if HEIF
        if name == "heifOptions" {
            var options = HEIFOptions()
            options.lossless = true
            // The format that this libheif can encode.
            let format = [ImageFormat.avif, .heic].first { HEIFCoder().encoder(for: $0) != nil }
            guard let format else { return ("not written", "not written here") }
            return try await bytes(.heifOptions(options), as: format)
        }
        #endif
        return nil
    }

    /// Returns the results of a key's two runs, as text.
    private func observe(_ name: String) async throws -> (with: String, without: String)? {
        // Unanswered requests end by one of these timeouts, unless the tested key ends them earlier.
        let patience: ImageContext = [
            .connectTimeout(.seconds(2)), .lowSpeedTime(.seconds(1)), .transferTimeout(.seconds(8)),
        ]
        return switch name {
        case "httpHeaders": try await headers([.httpHeaders(["X-Wish": "yes"])])
        case "connectTimeout": await times(.connectTimeout(.milliseconds(100)), over: patience, scheme: "https")
        case "transferTimeout": await times(.transferTimeout(.milliseconds(100)), over: patience)
        case "lowSpeedLimit": await times(.lowSpeedLimit(0), over: patience)
        case "lowSpeedTime": await times(.lowSpeedTime(.seconds(20)), over: patience)
        case "maxRedirects": await pictures("/away", .maxRedirects(0))
        case "proxyPolicy": (try await key([.proxyPolicy(.environment)]), try await key([]))
        case "certificateAuthorities":
            await times(.certificateAuthorities(.init(path: "/no/such.pem")), over: patience, scheme: "https")
        case "acceptableStatusCodes": await pictures("/missing", .acceptableStatusCodes([404...404]))
        case "acceptableContentTypes": await pictures("/picture", .acceptableContentTypes(["text/*"]))
        case "mapsFiles": (try await pieces([.mapsFiles]), try await pieces([]))
        case "allowedDirectories": await files(.allowedDirectories([]))
        case "storesFiles": (try await copies([.storesFiles]), try await copies([]))
        case "storesDataURIs": (try await stores([.storesDataURIs]), try await stores([]))
        case "jpegMaxScans": try await scans(.jpegMaxScans(1))
        case "jpegMaxScanCoefficients": try await scans(.jpegMaxScanCoefficients(1))
        case "jpegMaxCoefficientBytes": try await scans(.jpegMaxCoefficientBytes(1))
        case "jpegProgressive": try await bytes(.jpegProgressive, as: .jpeg)
        case "jpegOptimizedTables": try await bytes(.jpegOptimizedTables, as: .jpeg)
        case "jpegSubsampling": try await bytes(.jpegSubsampling(.full), as: .jpeg)
        case "pngCompressionLevel": try await bytes(.pngCompressionLevel(0), as: .png)
        case "pngReducesColors": try await reductions()
        default: try await observeOptions(name)
        }
    }

    /// Returns the cache key of a picture. The environment cannot be changed, since concurrent tests read it.
    private func key(_ context: ImageContext) async throws -> String {
        try await manager().cacheKey(for: ImageRequest(server.url("/picture"), context: context)).description
    }

    /// Returns the files of a single-color picture, without and with color reduction.
    private func reductions() async throws -> (with: String, without: String) {
        let pixels = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(8, 8))).finish()
        let with = try await manager().encode(Image(pixels: pixels), as: .png, context: [.pngReducesColors(false)])
        let without = try await manager().encode(Image(pixels: pixels), as: .png)
        return (with.base64EncodedString(), without.base64EncodedString())
    }

    private func manager(_ context: ImageContext = [.off(.imageCache)]) -> ImageManager {
        ImageManager(plugins: [.standard], context: context)
    }

    /// Returns the result of a load: the size, or the error.
    private func outcome(_ url: URL, _ context: ImageContext) async -> String {
        do {
            return try await manager().image(for: ImageRequest(url, context: context)).size.description
        } catch {
            return "\(error.code.rawValue): \(error.message)"
        }
    }

    // MARK: Over HTTP

    private func script() throws {
        server.answer("/picture", with: .bytes(Self.picture, contentType: "image/png"))
        server.answer("/missing", with: .bytes(Self.picture, contentType: "image/png", status: 404))
        server.answer("/away", with: .redirect(to: "/picture"))
        server.answer("/silent", with: .silence)
    }

    private func pictures(_ path: String, _ setting: ContextSetting) async -> (with: String, without: String) {
        (await outcome(server.url(path), [setting]), await outcome(server.url(path), []))
    }

    private func headers(_ context: ImageContext) async throws -> (with: String, without: String) {
        func sent(_ path: String, _ context: ImageContext) async -> String {
            _ = await outcome(server.url(path), context)
            return server.requests.first { $0.path == path }?.headers["X-Wish"] ?? "none"
        }
        return (await sent("/with", context), await sent("/without", []))
    }

    /// Returns the results of unanswered loads. With https, the server does not respond to the handshake either.
    private func times(
        _ setting: ContextSetting, over common: ImageContext, scheme: String = "http"
    ) async -> (with: String, without: String) {
        var parts = URLComponents(url: server.url("/silent"), resolvingAgainstBaseURL: false)
        parts?.scheme = scheme
        guard let url = parts?.url else { return ("", "") }
        async let with = outcome(url, common.merging([setting]))
        async let without = outcome(url, common)
        return (await with, await without)
    }

    // MARK: Files and data URIs

    private func files(_ setting: ContextSetting) async -> (with: String, without: String) {
        let url = directory.appending(path: "picture.png")
        try? Self.picture.write(to: url)
        return (await outcome(url, [setting]), await outcome(url, []))
    }

    /// Returns the number of pieces of a long file.
    private func pieces(_ context: ImageContext) async throws -> String {
        let url = directory.appending(path: "long-\(UUID().uuidString)")
        try Data(count: 3 << 20).write(to: url)
        let sink = CountingSink()
        _ = try await FileImageLoader().load(LoadRequest(url: url, context: ResolvedContext(context)), into: sink)
        return "\(sink.count.withLock { $0 })"
    }

    private final class CountingSink: ByteSink {
        let count = Lock(0)
        func begin(_ head: LoadHead) async throws {}
        func write(_ chunk: Data) async throws { count.withLock { $0 += 1 } }
    }

    /// Returns the entries on disk after a file was loaded.
    private func copies(_ context: ImageContext) async throws -> String {
        let data = InMemoryDataCache()
        let manager = manager([.imageCache(TieredCache(disk: data)), .waitStoreCache])
        let url = directory.appending(path: "file-\(UUID().uuidString).png")
        try Self.picture.write(to: url)
        _ = try await manager.image(for: ImageRequest(url, context: context))
        return "\(data.stores.count)"
    }

    /// Returns the entries on disk after a data URI was loaded.
    private func stores(_ context: ImageContext) async throws -> String {
        let data = InMemoryDataCache()
        let manager = manager([.imageCache(TieredCache(disk: data)), .waitStoreCache])
        let text = "data:image/png;base64,\(Self.picture.base64EncodedString())"
        _ = try await manager.image(for: ImageRequest(text, context: context))
        return "\(data.stores.count)"
    }

    // MARK: Coders

    private func scans(_ setting: ContextSetting) async throws -> (with: String, without: String) {
        let image = try await manager().decode(Self.picture)
        let file = try await manager().encode(image, as: .jpeg, context: [.jpegProgressive])
        let url = directory.appending(path: "progressive.jpeg")
        try file.write(to: url)
        return (await outcome(url, [setting]), await outcome(url, []))
    }

    private func bytes(_ setting: ContextSetting, as format: ImageFormat) async throws -> (
        with: String, without: String
    ) {
        let image = try await manager().decode(Self.picture)
        let with = try await manager().encode(image, as: format, context: [setting])
        let without = try await manager().encode(image, as: format)
        return (with.base64EncodedString(), without.base64EncodedString())
    }

    /// A PNG of 8 x 8 pixels, in which no two neighbors have the same color. Made by another program.
    private static var picture: Data { Data(base64Encoded: pictureText) ?? Data() }
    private static let pictureText =
        "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAOElEQVR42q3NsQ0AIRAEsTvxI4RGlPDhlkD/rdEEsQN3VYUOIxBm"
        + "WMGwP88vLUOQKUv0Hbw6grIvfhMImwkDTloAAAAASUVORK5CYII="
}
#endif
