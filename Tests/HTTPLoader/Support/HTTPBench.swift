#if HTTP
import Calotype
import CalotypeHTTP
import CalotypeTesting
import Testing

/// A manager with the loader, both kinds of caches and a listener, whose contents can be checked.
struct HTTPBench {
    let loader: CurlImageLoader
    let listener = RecordingListener()
    let manager: ImageManager
    let memory = BoundedMemoryCache(costLimit: 64 << 20, trimsUnderPressure: false)
    /// The cache for variants, and for originals that are requested alone.
    let data = InMemoryDataCache()
    /// The directory of the disk cache for the originals of variants.
    let directory: TemporaryDirectory

    /// - Parameter context: Additional values for the manager's context.
    init(
        _ configuration: CurlImageLoader.Configuration = CurlImageLoader.Configuration(), context: ImageContext = []
    ) throws {
        loader = CurlImageLoader(configuration)
        directory = try TemporaryDirectory()
        let base: ImageContext = [
            .imageCache(TieredCache(memory: memory, disk: data)),
            .originalImageCache(TieredCache(memory: memory, disk: DiskCache(at: directory.url))),
            .eventListener(listener), .waitStoreCache,
        ]
        manager = ImageManager(context: base.merging(.patient).merging(context))
        manager.registry.loaders.add(loader)
        manager.registry.coders.add(RawImageCoder())
    }

    /// Returns the error of loading a thumbnail; nil if it succeeds. Checks that the load ends exactly once.
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
        #expect(errors.count + imageCount == 1, "the request must end exactly once")
        return errors.first as? ImageError
    }

    /// Checks that all caches are empty, and that those in memory always were.
    func expectNothingKept(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(memory.count == 0, sourceLocation: sourceLocation)
        #expect(data.stores.isEmpty, sourceLocation: sourceLocation)
        #expect(directory.contents.isEmpty, sourceLocation: sourceLocation)
    }
}

/// Returns the `ImageError` of `body`; nil for another error or none.
func imageError<Result>(of body: () async throws -> Result) async -> ImageError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? ImageError
    }
}

extension RawImageCoder {
    /// Returns a file of transparent black pixels, which is created quickly at any size.
    static func blankFile(width: Int, height: Int) throws -> Data {
        var file = Data("CALORAW ".utf8)
        file.append(try JSONEncoder().encode(Header(width: width, height: height)))
        file.append(10)
        file.append(Data(count: width * height * 4))
        return file
    }
}
#endif
