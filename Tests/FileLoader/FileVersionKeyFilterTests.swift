import Calotype
import CalotypeFile
import CalotypeTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct FileVersionKeyFilterTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func manager(_ context: ImageContext) -> ImageManager {
        let cache = TieredCache(data: InMemoryDataCache())
        let base: ImageContext = [.imageCache(cache), .waitStoreCache]
        let manager = ImageManager(plugins: [.file], context: base.merging(context))
        manager.registry.coders.add(RawImageCoder())
        return manager
    }

    @Test func `a file that has changed is loaded again, and one that is gone is an error`() async throws {
        let manager = manager([.cacheKeyFilter(FileVersionKeyFilter())])
        let path = try folder.write(RawImageCoder.file(width: 3, height: 2), "a.raw")
        #expect(try await manager.response(for: ImageRequest(path: path)).source == .loader)
        #expect(try await manager.response(for: ImageRequest(path: path)).source == .memory)
        _ = try folder.write(RawImageCoder.file(width: 4, height: 2), "a.raw")
        #expect(try await manager.image(for: ImageRequest(path: path)).width == 4)
        try FileManager.default.removeItem(atPath: path)
        await #expect(throws: ImageError.self) { try await manager.image(for: ImageRequest(path: path)) }
    }

    @Test func `without it, what is cached answers`() async throws {
        let manager = manager([])
        let path = try folder.write(RawImageCoder.file(width: 3, height: 2), "a.raw")
        _ = try await manager.image(for: ImageRequest(path: path))
        _ = try folder.write(RawImageCoder.file(width: 4, height: 2), "a.raw")
        #expect(try await manager.image(for: ImageRequest(path: path)).width == 3)
    }

    @Test func `other URLs are left as they are`() throws {
        let url = try #require(URL(string: "fake://host/a.raw"))
        #expect(try FileVersionKeyFilter().key(for: url, context: .builtIn) == nil)
    }
}
