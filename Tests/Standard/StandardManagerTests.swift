#if PNG
import CalotypeStandard
import CalotypeTesting
import Foundation
import Testing

/// The standard manager without fakes: a file, libpng, memory, disk.
@Suite(.timeLimit(.minutes(5)))
struct StandardManagerTests {
    private let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "calotype-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    private func makeCache() -> DiskCache { DiskCache(at: directory.appending(path: "cache")) }

    private func manager(cache: DiskCache? = nil) -> ImageManager {
        let cache = TieredCache(disk: cache ?? makeCache())
        return ImageManager(plugins: [.standard], context: [.imageCache(cache), .waitStoreCache, .storesFiles])
    }

    /// Writes a picture with alpha as PNG.
    private func picture(_ name: String, alpha: Bool) async throws -> URL {
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(61, 47)))
        for y in 0..<47 {
            builder.withRow(y) { row in
                for x in 0..<61 {
                    let bytes: [UInt8] = [UInt8(x * 4), UInt8(y * 5), UInt8(x ^ y), alpha ? UInt8(x * 4) : 255]
                    for (index, byte) in bytes.enumerated() {
                        row.storeBytes(of: byte, toByteOffset: x * 4 + index, as: UInt8.self)
                    }
                }
            }
        }
        let url = directory.appending(path: name)
        let image = Image(pixels: builder.finish(isOpaque: !alpha))
        try await manager().encode(image, as: .png).write(to: url)
        return url
    }

    private func bytes(of image: Image) -> [UInt8] {
        (0..<image.height).flatMap { y in image.pixels.withRow(y) { row in row.withUnsafeBytes { Array($0) } } }
    }

    @Test(arguments: [false, true])
    func `the image comes from the loader, then from disk in another process, then from memory, always equal`(
        alpha: Bool
    ) async throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let url = try await picture("picture.png", alpha: alpha)
        let request = ImageRequest(url, context: [.thumbnailPixelSize(20, 20)])
        let first = try await manager().response(for: request)
        let other = manager()
        let second = try await other.response(for: request)
        let third = try await other.response(for: request)
        #expect([first.source, second.source, third.source] == [.loader, .disk, .memory])
        #expect(first.image.size == PixelSize(20, 16))
        #expect(bytes(of: first.image) == bytes(of: second.image))
        #expect(bytes(of: third.image) == bytes(of: second.image))
        #expect(second.image.attributes.originalSize == PixelSize(61, 47))
    }

    #if JPEG
    @Test func `a thumbnail of a JPEG is stored as JPEG, and one with alpha as PNG`() async throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let opaque = try await manager().image(for: picture("opaque.png", alpha: false))
        let jpeg = directory.appending(path: "picture.jpeg")
        try await manager().encode(opaque, as: .jpeg).write(to: jpeg)
        let others = [try await picture("clear.png", alpha: true), try await picture("opaque.png", alpha: false)]
        var formats: [String] = []
        for url in [jpeg] + others {
            let request = ImageRequest(url, context: [.thumbnailPixelSize(20, 20)])
            _ = try await manager().image(for: request)
            let key = try await manager().cacheKey(for: request)
            let entry = try #require(try DiskCache(at: directory.appending(path: "cache")).entry(for: key))
            formats.append(ImageFormat.sniff(entry.data.bytes)?.name ?? "none")
        }
        #expect(formats == ["jpeg", "png", "png"] as [String])
    }
    #endif

    @Test func `an image is delivered even if the cache directory is not writable, and the failure is an event`()
        async throws
    {
        defer { try? FileManager.default.removeItem(at: directory) }
        let url = try await picture("picture.png", alpha: false)
        let listener = RecordingListener()
        let blocked = TieredCache(memory: nil, disk: DiskCache(at: url.appending(path: "below-a-file")))
        let manager = ImageManager(
            plugins: [.standard],
            context: [.imageCache(blocked), .waitStoreCache, .storesFiles, .eventListener(listener)])
        #expect(try await manager.image(for: url).width == 61)
        await manager.waitForEvents()
        #expect(listener.issues.contains { $0.code == .cacheFailed && $0.stage == .store })
    }

    @Test func `a deleted cache directory is created again`() async throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let url = try await picture("picture.png", alpha: false)
        let cache = makeCache()
        let manager = manager(cache: cache)
        _ = try await manager.image(for: url)
        // Otherwise the cache might write its ledger while the directory is removed, and the removal would fail.
        cache.waitForTrimming()
        try FileManager.default.removeItem(at: directory.appending(path: "cache"))
        let request = ImageRequest(url, context: [.thumbnailPixelSize(9, 9)])
        #expect(try await manager.response(for: request).source == .loader)
        #expect(try await manager.contains(request) == .all)
    }

    @Test func `an entry damaged on disk is loaded again`() async throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let url = try await picture("picture.png", alpha: false)
        _ = try await manager().image(for: url)
        let key = try await manager().cacheKey(for: url)
        let path = DiskCache(at: directory.appending(path: "cache")).path(for: key)
        var file = try Data(contentsOf: URL(filePath: path))
        file[file.count / 2] ^= 1
        try file.write(to: URL(filePath: path))
        #expect(try await manager().response(for: url).source == .loader)
        #expect(try await manager().response(for: url).source == .disk)
    }

    @Test func `an original in the cache opens in any viewer`() async throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let url = try await picture("picture.png", alpha: false)
        let manager = manager()
        _ = try await manager.image(for: url)
        let key = try await manager.cacheKey(for: url)
        let entry = try Data(
            contentsOf: URL(filePath: DiskCache(at: directory.appending(path: "cache")).path(for: key)))
        #expect(entry.starts(with: try Data(contentsOf: url)))
    }
}
#endif
