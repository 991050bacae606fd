import Calotype
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeDataURI

@Suite(.timeLimit(.minutes(5)))
struct DataURIImageLoaderTests {
    private let data = InMemoryDataCache()
    private let listener = RecordingListener()
    private let picture = RawImageCoder.file(width: 40, height: 30)

    /// Creates a manager of data URIs that caches only in memory.
    private func manager(_ context: ImageContext = [], gate: BlockingGate? = nil) -> ImageManager {
        let base: ImageContext = [
            .imageCache(TieredCache(disk: data)), .eventListener(listener), .waitStoreCache,
        ]
        let manager = ImageManager(plugins: [.dataURI], context: base.merging(context))
        manager.registry.coders.add(RawImageCoder(gate: gate))
        return manager
    }

    private func uri(_ data: Data) -> String { "data:image/x-calotype-raw;base64,\(data.base64EncodedString())" }

    private func request(_ text: String, _ context: ImageContext = []) throws -> LoadRequest {
        LoadRequest(url: try #require(URL(string: text)), context: ResolvedContext(context))
    }

    /// Returns the error of `body`; nil if it throws none.
    private func failure<Result>(of body: () async throws -> Result) async -> (any Error)? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error
        }
    }

    // MARK: Loading

    @Test func `the loader accepts only data URIs`() throws {
        let loader = DataURIImageLoader()
        for text in ["data:,A", "DATA:,A", "Data:;base64,WA", "data:"] {
            #expect(try loader.canLoad(request(text)), "\(text)")
        }
        for text in ["https://host/data:,A", "file:///data:,A", "database:,A"] {
            #expect(try !loader.canLoad(request(text)), "\(text)")
        }
    }

    @Test func `a picture is decoded, be it in Base64 or in escapes`() async throws {
        let escapes = picture.map { String(format: "%%%02X", Int($0)) }.joined()
        for text in [uri(picture), "data:image/x-calotype-raw,\(escapes)", "data:,\(escapes)"] {
            let response = try await manager().response(for: text)
            #expect(response.source == .loader)
            #expect(response.image.size == PixelSize(40, 30))
            #expect(response.data == picture)
        }
    }

    @Test func `a text with line breaks and spaces is loaded`() async throws {
        let lines = picture.base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed])
        let image = try await manager().image(for: "data:image/x-calotype-raw; base64, \(lines)\n")
        #expect(image.size == PixelSize(40, 30))
    }

    @Test func `scheme and fragment are no part of the picture`() async throws {
        let text = "DATA:" + uri(picture).dropFirst(5) + "#part"
        #expect(try await manager().image(for: text).size == PixelSize(40, 30))
    }

    @Test(arguments: [1, 1000, 100_000, 1_000_000])
    func `the bytes arrive in one chunk, after their count and type`(count: Int) async throws {
        let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
        let sink = CollectingSink()
        let request = try request("data:Image/PNG;name=dot;base64,\(bytes.base64EncodedString())")
        let outcome = try await DataURIImageLoader().load(request, into: sink)
        guard case .complete = outcome else {
            Issue.record("\(outcome)")
            return
        }
        let isEqual = sink.chunks == [bytes]
        #expect(isEqual)
        #expect(sink.heads.map(\.expectedByteCount) == [count])
        #expect(sink.heads.map(\.mimeType) == ["image/png"])
        #expect(sink.heads.map(\.offset) == [0])
    }

    @Test func `equal URIs share a load`() async throws {
        let gate = BlockingGate()
        let manager = manager(gate: gate)
        let tasks = (0..<10).map { _ in manager.load(uri(picture)) }
        // The first event tells that a task has joined the load; the picture is held at the gate.
        for task in tasks {
            var events = task.makeAsyncIterator()
            _ = try await events.next()
        }
        gate.open()
        for task in tasks { #expect(try await task.response.image.size == PixelSize(40, 30)) }
        await manager.waitForEvents()
        #expect(listener.successes(of: .load).count == 1)
        #expect(try await manager.response(for: uri(picture)).source == .memory)
    }

    @Test func `different data is loaded separately`() async throws {
        let manager = manager()
        let other = RawImageCoder.file(width: 41, height: 30)
        #expect(try await manager.image(for: uri(picture)).width == 40)
        #expect(try await manager.image(for: uri(other)).width == 41)
        await manager.waitForEvents()
        #expect(listener.successes(of: .load).count == 2)
    }

    // MARK: Refusals

    @Test func `data over the limit is refused before it is decoded`() async throws {
        struct Refusal: Error {}
        for count in [10, 100_000] {
            let sink = CollectingSink(onHead: { _ in throw Refusal() })
            let request = try request("data:;base64,\(Data(count: count).base64EncodedString())")
            let error = await failure { try await DataURIImageLoader().load(request, into: sink) }
            #expect(error is Refusal)
            #expect(sink.heads.map(\.expectedByteCount) == [count])
            #expect(sink.chunks.isEmpty)
        }
        let limit: ImageContext = [.maxInputBytes(picture.count - 1)]
        let error = await failure { try await manager(limit).image(for: uri(picture)) } as? ImageError
        #expect(error?.code == .limitExceeded)
        #expect(error?.message.contains("announces \(picture.count)") == true)
        let fits: ImageContext = [.maxInputBytes(picture.count)]
        #expect(try await manager(fits).image(for: uri(picture)).size == PixelSize(40, 30))
    }

    @Test(arguments: [
        "data:", "data:image/png", "data:,", "data:image/png;base64,", "data:;base64,%20", "data:;base64,A",
        "data:image/png;base64,iVBO-Rw0", "data:image/png;base64,iVBO=Rw0",
    ])
    func `an invalid or empty data URI is an error of the load`(text: String) async {
        let error = await failure { try await manager().image(for: text) } as? ImageError
        #expect(error?.code == .badData)
        #expect(error?.stage == .load)
        #expect(error?.component == "DataURIImageLoader")
        #expect(error?.advice != nil)
    }

    @Test func `data that is not a picture is an error of the decode`() async {
        let error = await failure { try await manager().image(for: "data:image/png;base64,WAWAWA") } as? ImageError
        #expect(error?.code == .unknownFormat)
    }

    @Test func `no error and no event repeats the data`() async throws {
        let manager = manager()
        let secret = "U2VjcmV0U2VjcmV0U2VjcmV0"
        for text in ["data:image/png;base64,\(secret)", "data:image/png;base64,\(secret)!", "data:,\(secret)"] {
            let error = await failure { try await manager.image(for: text) } as? ImageError
            let description = try #require(error).description
            #expect(!description.contains(secret) && !description.contains("Secret"))
            #expect(description.contains(",... (\(text.utf8.count) characters): "))
        }
        _ = try await manager.image(for: uri(picture))
        await manager.waitForEvents()
        let told = listener.events.map { "\($0)" }
        #expect(!told.isEmpty)
        #expect(told.allSatisfy { !$0.contains(secret) && !$0.contains(picture.base64EncodedString().prefix(20)) })
    }

    @Test func `cancelling ends the load of a long URI`() async throws {
        let request = try request("data:;base64,\(Data(count: 1_000_000).base64EncodedString())")
        let sink = CollectingSink(onHead: { _ in
            withUnsafeCurrentTask { (task: UnsafeCurrentTask?) -> Void in task?.cancel() }
        })
        let task = Task { try await DataURIImageLoader().load(request, into: sink) }
        let error = await failure { try await task.value }
        #expect(error is CancellationError)
        #expect(sink.chunks.isEmpty)
    }

    // MARK: Caching

    @Test func `by default nothing is stored on disk`() async throws {
        let manager = manager()
        _ = try await manager.image(for: uri(picture))
        _ = try await manager.image(for: ImageRequest(uri(picture), context: [.thumbnailPixelSize(8, 8)]))
        #expect(data.stores.isEmpty)
        #expect(try await manager.response(for: uri(picture)).source == .memory)
    }

    @Test func `on request the data is stored on disk, under a key without the data`() async throws {
        let request = ImageRequest(uri(picture), context: [.storesDataURIs, .thumbnailPixelSize(8, 8)])
        let first = manager()
        _ = try await first.image(for: request)
        #expect(data.stores.map(\.isOriginal).filter { $0 }.count == 1)
        #expect(data.stores.map(\.isOriginal).filter { !$0 }.count == 1)
        #expect(data.keys.allSatisfy { !"\($0)".contains(picture.base64EncodedString().prefix(20)) })
        let original = try #require(data.keys.first { $0.isOriginal })
        #expect(try data.entry(for: original)?.data == picture)
        // Another manager has an empty memory cache. Reading does not depend on the permission to write.
        #expect(try await manager().response(for: request).source == .disk)
        #expect(try await manager().response(for: uri(picture)).source == .disk)
    }

    @Test func `the key is set by name`() throws {
        let setting = try manager().registry.setting(named: "storesDataURIs", text: "true")
        #expect(ImageContext([setting])[.storesDataURIs] == true)
        #expect(ContextKey<Bool>.storesDataURIs.defaultValue == false)
        for isStored in [false, true] {
            let context: ImageContext = isStored ? [.storesDataURIs] : []
            #expect(ResolvedContext(context)[.storesDataURIs] == isStored)
        }
    }

    @Test func `the head says whether the data may be stored`() async throws {
        for isStored in [false, true] {
            let sink = CollectingSink()
            let request = try request("data:,A", isStored ? [.storesDataURIs] : [])
            _ = try await DataURIImageLoader().load(request, into: sink)
            #expect(sink.heads.map(\.isStorable) == [isStored])
        }
    }
}
