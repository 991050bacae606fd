import Calotype
import CalotypeFile
import CalotypeTesting
import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Files that are edited while their pictures are cached.
@Suite(.timeLimit(.minutes(5)))
struct FileVersionTests {
    private let directory: TemporaryDirectory
    private let memory = BoundedMemoryCache(costLimit: 1 << 20, trimsUnderPressure: false)
    private let data = InMemoryDataCache()

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Creates a manager as in another process, with the same caches.
    private func manager(_ context: ImageContext = []) -> ImageManager {
        let cache = TieredCache(memory: memory, disk: data)
        let base: ImageContext = [.imageCache(cache), .waitStoreCache]
        let manager = ImageManager(plugins: [.file], context: base.merging(context))
        manager.registry.coders.add(RawImageCoder())
        return manager
    }

    /// Writes a picture whose first pixel has a given red level.
    @discardableResult
    private func write(_ level: UInt8, width: Int = 40, as name: String = "a.raw") throws -> String {
        let header = RawImageCoder.Header(width: width, height: 30)
        return try directory.write(RawImageCoder.file(header) { _, _, _ in SIMD4(level, 0, 0, 255) }, name)
    }

    private func level(_ image: Image) -> UInt8 { UInt8((image.pixels.color(x: 0, y: 0).red * 255).rounded()) }

    private static let contexts: [ImageContext] = [
        [], [.thumbnailPixelSize(20, 15)], [.transformer(.resize(width: 10, height: 10))],
    ]

    // MARK: Edits

    @Test(arguments: contexts)
    func `an edited file is loaded again, by new requests and by old ones`(_ context: ImageContext) async throws {
        let manager = manager()
        let path = try write(10)
        let request = ImageRequest(path: path, context: context)
        #expect(try await manager.response(for: request).source == .loader)
        #expect(try await manager.response(for: request).source == .memory)
        try write(20, width: 44)
        for request in [request, ImageRequest(path: path, context: context)] {
            if let cached = manager.cachedResponse(for: request) { #expect(level(cached.image) == 20) }
            #expect(level(try await manager.image(for: request)) == 20)
        }
        #expect(try await manager.response(for: request).source == .memory)
    }

    @Test func `a replaced file is loaded again, even with the same length and date`() async throws {
        let manager = manager()
        let request = ImageRequest(path: try write(10))
        #expect(level(try await manager.image(for: request)) == 10)
        let other = try write(20, as: "other.raw")
        let date = try FileManager.default.attributesOfItem(atPath: directory.path("a.raw"))[.modificationDate]
        try FileManager.default.setAttributes([.modificationDate: try #require(date)], ofItemAtPath: other)
        try #require(rename(other, directory.path("a.raw")) == 0)
        #expect(level(try await manager.image(for: request)) == 20)
    }

    @Test func `a changed link is followed`() async throws {
        let manager = manager()
        for (level, name) in [(10, "a.raw"), (20, "b.raw")] { try write(UInt8(level), as: name) }
        let link = directory.path("link.raw")
        for (level, name) in [(10, "a.raw"), (20, "b.raw"), (10, "a.raw")] {
            try? FileManager.default.removeItem(atPath: link)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: directory.path(name))
            #expect(self.level(try await manager.image(for: ImageRequest(path: link))) == UInt8(level))
        }
    }

    @Test(arguments: contexts)
    func `an edit is seen after a restart`(_ context: ImageContext) async throws {
        for context in [context, context.merging([.storesFiles])] {
            let path = try write(10)
            _ = try await manager().image(for: ImageRequest(path: path, context: context))
            try write(20, width: 44)
            memory.clear()
            #expect(level(try await manager().image(for: ImageRequest(path: path, context: context))) == 20)
        }
    }

    @Test func `a removed file is an error, and a restored one is loaded`() async throws {
        let manager = manager()
        let request = ImageRequest(path: try write(10))
        _ = try await manager.image(for: request)
        try FileManager.default.removeItem(atPath: directory.path("a.raw"))
        #expect(manager.cachedResponse(for: request) == nil)
        let error = await failure { try await manager.image(for: request) } as? ImageError
        #expect(error?.code == .notFound)
        try write(20)
        #expect(level(try await manager.image(for: request)) == 20)
    }

    @Test func `a remembered failure does not apply to the next version`() async throws {
        let manager = manager([.failedURLTimeToLive(.seconds(3600))])
        let request = ImageRequest(path: try directory.write(Data("no picture".utf8), "a.raw"))
        for _ in 0..<2 {
            let error = await failure { try await manager.image(for: request) } as? ImageError
            #expect(error?.code == .unknownFormat)
        }
        try write(20)
        #expect(level(try await manager.image(for: request)) == 20)
    }

    // MARK: Identities

    @Test func `all versions have one source, and are removed together`() async throws {
        let manager = manager([.storesFiles])
        let path = try write(10)
        var keys: Set<VariantKey> = []
        for width in [40, 44, 48] {
            try write(10, width: width)
            let request = ImageRequest(path: path, context: [.thumbnailPixelSize(20, 15)])
            _ = try await manager.image(for: request)
            keys.insert(try await manager.cacheKey(for: request))
        }
        #expect(keys.count == 3)
        #expect(Set(keys.map(\.source)).count == 1)
        #expect(data.keys.count == 6)
        try await manager.remove(ImageRequest(path: path), allVariants: true)
        #expect(data.keys.isEmpty)
        #expect(memory.count == 0)
    }

    /// A loader that creates the file when it is requested.
    private struct LateLoader: ForwardingImageLoader {
        let base: any ImageLoader = FileImageLoader()
        let distinction = ""
        let makeFile: @Sendable () throws -> Void

        @concurrent func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
            try makeFile()
            return try await base.load(request, into: sink)
        }
    }

    @Test func `a file that appears during a request is delivered, but not stored`() async throws {
        let manager = manager([.storesFiles])
        let path = directory.path("late.raw")
        let file = RawImageCoder.file(width: 40, height: 30)
        let token = manager.registry.loaders.add(LateLoader { try file.write(to: URL(filePath: path)) })
        for context in [[], [.thumbnailPixelSize(20, 15)]] as [ImageContext] {
            let image = try await manager.image(for: ImageRequest(path: path, context: context))
            #expect(image.width == (context.isEmpty ? 40 : 20))
            try FileManager.default.removeItem(atPath: path)
        }
        #expect(data.stores.isEmpty)
        #expect(memory.count == 0)
        manager.registry.loaders.remove(token)
        let error = await #expect(throws: ImageError.self) { try await manager.image(for: ImageRequest(path: path)) }
        #expect(error?.code == .notFound)
    }

    @Test func `the version is the same with and without waiting`() throws {
        let path = try write(10)
        // The attributes of a new file are in memory, on systems that report this.
        let immediate = SourceVersion.file(at: path, mayWait: false)
        #expect(immediate == SourceVersion.file(at: path, mayWait: true) || immediate == .unknown)
        #expect(SourceVersion.file(at: directory.path("missing"), mayWait: true) == .absent)
        #expect(SourceVersion.file(at: "\(path)\0b", mayWait: true) == .absent)
    }

    @Test(arguments: ["file://elsewhere/etc/passwd", "file:///etc/passwd"])
    func `the version of a refused file is not read`(_ text: String) throws {
        let url = try #require(URL(string: text))
        let request = LoadRequest(url: url, context: ResolvedContext([.allowedSchemes(["file"])]))
        #expect(FileImageLoader().version(of: request, mayWait: true) == .unversioned)
    }

    // MARK: Disk

    @Test func `variants of a file are stored on disk, the file is not copied`() async throws {
        let manager = manager([.originalStoreCacheType(.all)])
        let path = try write(10)
        _ = try await manager.image(for: ImageRequest(path: path))
        #expect(data.stores.isEmpty)
        _ = try await manager.image(for: ImageRequest(path: path, context: [.thumbnailPixelSize(20, 15)]))
        #expect(data.stores.map(\.isOriginal) == [false])
        memory.clear()
        let request = ImageRequest(path: path, context: [.thumbnailPixelSize(20, 15)])
        #expect(try await manager.response(for: request).source == .disk)
    }

    @Test func `a file is copied on request`() async throws {
        let manager = manager([.storesFiles])
        let request = ImageRequest(path: try write(10))
        _ = try await manager.image(for: request)
        #expect(data.stores.map(\.isOriginal) == [true])
        memory.clear()
        #expect(try await manager.response(for: request).source == .disk)
    }
}
