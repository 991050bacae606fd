#if HTTP
import Calotype
import CalotypeHTTP
import CalotypeTesting
import Testing

/// A manager over the loader, with caches of both kinds and a listener: what was kept and said can be looked at.
struct HTTPBench {
    let loader: CurlImageLoader
    let listener = RecordingListener()
    let manager: ImageManager
    let memory = BoundedMemoryCache(costLimit: 64 << 20, trimsUnderPressure: false)
    /// Where variants are kept, and originals of requests for nothing else.
    let data = InMemoryDataCache()
    /// Where the originals of variants are kept, by a disk cache.
    let directory: TemporaryDirectory

    /// - Parameter context: Values over those of the bench, in the manager's layer.
    init(
        _ configuration: CurlImageLoader.Configuration = CurlImageLoader.Configuration(), context: ImageContext = []
    ) throws {
        loader = CurlImageLoader(configuration)
        directory = try TemporaryDirectory()
        let base: ImageContext = [
            .imageCache(TieredCache(memory: memory, data: data)),
            .originalImageCache(TieredCache(memory: memory, data: DiskCache(at: directory.url))),
            .eventListener(listener), .waitStoreCache,
        ]
        manager = ImageManager(context: base.merging(.patient).merging(context))
        manager.registry.loaders.add(loader)
        manager.registry.coders.add(RawImageCoder())
    }

    /// The error that a load of a thumbnail ends with; nil when it does not fail. Sees to it that there is one end.
    func failure(of url: URL, _ context: ImageContext = []) async -> ImageError? {
        let thumbnail: ImageContext = [.thumbnailPixelSize(20, 20)]
        let task = manager.load(ImageRequest(url, context: thumbnail.merging(context)))
        var iterator = task.makeAsyncIterator()
        var errors: [any Error] = []
        var imageCount = 0
        while true {
            do {
                guard let event = try await iterator.next() else { break }
                if case .finished = event { imageCount += 1 }
            } catch {
                errors.append(error)
            }
        }
        #expect(errors.count + imageCount == 1, "there is one end")
        return errors.first as? ImageError
    }

    /// Sees to it that nothing is in any cache, nor ever was in one of those in memory.
    func expectNothingKept(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(memory.count == 0, sourceLocation: sourceLocation)
        #expect(data.stores.isEmpty, sourceLocation: sourceLocation)
        #expect(directory.contents.isEmpty, sourceLocation: sourceLocation)
    }
}

/// The error that `body` throws; nil when it throws another one, or none.
func imageError<Result>(of body: () async throws -> Result) async -> ImageError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? ImageError
    }
}

extension RawImageCoder {
    /// A file that is quickly made, however large: transparent black.
    static func blankFile(width: Int, height: Int) throws -> Data {
        var file = Data("CALORAW ".utf8)
        file.append(try JSONEncoder().encode(Header(width: width, height: height)))
        file.append(10)
        file.append(Data(count: width * height * 4))
        return file
    }
}
#endif
