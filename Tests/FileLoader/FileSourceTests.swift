import Calotype
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeFile

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Files that the loader passes on as sources.
@Suite(.timeLimit(.minutes(5)))
struct FileSourceTests {
    /// A sink that accepts sources and counts written bytes.
    private final class SourceSink: ByteSink {
        private let taken = Lock<[any ByteSource]>([])
        private let written = Lock(0)

        var sources: [any ByteSource] { taken.withLock { $0 } }
        /// The number of bytes that were written instead.
        var byteCount: Int { written.withLock { $0 } }

        func begin(_ head: LoadHead) async throws {}
        func write(_ chunk: Data) async throws { written.withLock { $0 += chunk.count } }
        func take(_ source: any ByteSource) async throws { taken.withLock { $0.append(source) } }
        func forget() { taken.withLock { $0 = [] } }
    }

    /// A coder that reads a whole file after something was done to it between loading and decoding.
    private struct MeddlingCoder: ImageCoder {
        private struct Decoder: ImageDecoder {
            let bytes: ImageBytes
            let row: @Sendable (Int) throws -> Void

            var info: ImageInfo {
                ImageInfo(format: RawImageCoder.format, pixelSize: FileSourceTests.size, hasAlpha: false)
            }

            func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
                try sink.begin(PixelLayout(size: FileSourceTests.size, isOpaque: true))
                var offset = 0
                for y in 0..<FileSourceTests.size.height {
                    try row(y)
                    // Unreadable bytes become zeros.
                    let piece = bytes.chunk(at: offset) ?? Data([0])
                    offset += 1 << 17
                    try sink.row(y) { row in
                        for index in 0..<4 * FileSourceTests.size.width {
                            row.storeBytes(of: piece[piece.startIndex], toByteOffset: index, as: UInt8.self)
                        }
                    }
                }
            }
        }

        let row: @Sendable (Int) throws -> Void

        var readsInPieces: Bool { true }
        var formats: [ImageFormat] { [RawImageCoder.format] }

        func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
            recognizes(bytes) ? Decoder(bytes: bytes, row: row) : nil
        }
    }

    fileprivate static let size = PixelSize(50, 40)
    /// The settings with which only the decoder uses the bytes.
    private static let decoded: ImageContext = [.thumbnailPixelSize(50, 40), .originalStoreCacheType([])]

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Writes a file of `count` bytes that begins like a picture.
    private func longPicture(_ count: Int = FileImageLoader.sourceSize) throws -> String {
        let path = try directory.write(RawImageCoder.file(width: 50, height: 40), "picture.raw")
        // The rest of the file is sparse.
        try #require(truncate(path, off_t(count)) == 0)
        return path
    }

    private func take(_ path: String, _ context: ImageContext = [], by loader: FileImageLoader) async throws
        -> SourceSink
    {
        let sink = SourceSink()
        let request = LoadRequest(url: URL(filePath: path), context: ResolvedContext(context))
        let outcome = try await loader.load(request, into: sink)
        #expect(outcome.isComplete)
        return sink
    }

    /// Returns all bytes of a source, read in pieces of this length.
    private func contents(of source: any ByteSource, in length: Int) throws -> Data {
        var contents = Data()
        while true {
            var piece = Data(count: length)
            let count = try piece.withUnsafeMutableBytes { try source.read(at: contents.count, into: $0) }
            contents += piece.prefix(count)
            if count < length { return contents }
        }
    }

    // MARK: Passing sources on

    @Test func `long files are sources, and shorter ones are not`() async throws {
        for (count, isSource) in [(8 << 20, true), ((8 << 20) - 1, false), ((8 << 20) + 1, true)] {
            let data = bytes(count)
            let path = try directory.write(data, "bytes")
            let sink = try await take(path, by: FileImageLoader())
            #expect(sink.sources.map(\.byteCount) == (isSource ? [count] : []))
            #expect(sink.byteCount == (isSource ? 0 : count))
            for source in sink.sources {
                let isEqual = try contents(of: source, in: 1_000_003) == data
                #expect(isEqual)
            }
        }
    }

    @Test func `a mapped file is not a source`() async throws {
        let path = try directory.write(bytes(8 << 20), "bytes")
        let sink = try await take(path, [.mapsFiles], by: FileImageLoader())
        #expect(sink.sources.isEmpty)
        #expect(sink.byteCount == 8 << 20)
    }

    @Test func `a sink without sources gets the bytes in chunks`() async throws {
        let data = bytes((8 << 20) + 5)
        let path = try directory.write(data, "bytes")
        let sink = CollectingSink()
        let outcome = try await load(path, into: sink)
        #expect(outcome.isComplete)
        #expect(sink.chunks.map(\.count) == Array(repeating: 1 << 20, count: 8) + [5])
        let isEqual = sink.data == data
        #expect(isEqual)
    }

    @Test func `no more than a few files are kept open`() async throws {
        let path = try longPicture()
        let loader = FileImageLoader()
        var sinks: [SourceSink] = []
        for _ in 0..<FileSource.mostAtOnce { sinks.append(try await take(path, by: loader)) }
        #expect(sinks.allSatisfy { $0.sources.count == 1 })
        let oneMore = try await take(path, by: loader)
        #expect(oneMore.sources.isEmpty)
        #expect(oneMore.byteCount == FileImageLoader.sourceSize)
        sinks[3].forget()
        let another = try await take(path, by: loader)
        #expect(another.sources.count == 1)
    }

    @Test func `allowed directories and the limit apply to long files too`() async throws {
        let path = try longPicture()
        let outside = await failure {
            try await take(path, [.allowedDirectories(["/nowhere"])], by: FileImageLoader())
        }
        #expect((outside as? ImageError)?.code == .accessDenied)
        let inside = try await take(path, [.allowedDirectories([directory.root])], by: FileImageLoader())
        #expect(inside.sources.count == 1)
        let manager = ImageManager(plugins: [.file], context: [.off(.imageCache), .maxInputBytes((8 << 20) - 1)])
        let long = await failure { try await manager.image(for: ImageRequest(path: path, context: Self.decoded)) }
        #expect((long as? ImageError)?.code == .limitExceeded)
    }

    #if os(Linux)
    @Test func `a file is open for as long as its source is retained`() async throws {
        let path = try longPicture()
        let sink = try await take(path, by: FileImageLoader())
        #expect(directory.openDescriptorCount == 1)
        sink.forget()
        // The thread that opened the file may still be closing it.
        try await waitUntil("no file is open") { directory.openDescriptorCount == 0 }
    }
    #endif

    // MARK: Changes

    @Test func `a changed file can no longer be read`() async throws {
        let changes: [(String, (String) throws -> Void)] = [
            ("shorter", { truncate($0, 1 << 20) }),
            ("empty", { truncate($0, 0) }),
            ("longer", { truncate($0, 9 << 20) }),
            (
                "written over",
                {
                    let date = Date(timeIntervalSince1970: 1_000_000_000)
                    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: $0)
                }
            ),
        ]
        for (name, change) in changes {
            let path = try longPicture()
            let source = try #require(try await take(path, by: FileImageLoader()).sources.first)
            var memory = Data(count: 1000)
            let before = try memory.withUnsafeMutableBytes { try source.read(at: 100, into: $0) }
            #expect(before == 1000)
            try change(path)
            let error = #expect(throws: ImageError.self) {
                try memory.withUnsafeMutableBytes { try source.read(at: 100, into: $0) }
            }
            #expect(error?.message == "changed while it was read", "\(name)")
            #expect(error?.component == "FileImageLoader")
        }
    }

    @Test func `a replaced file can still be read`() async throws {
        let data = bytes(8 << 20)
        let path = try directory.write(data, "bytes")
        let source = try #require(try await take(path, by: FileImageLoader()).sources.first)
        let other = try directory.write(Data(count: 10), "other")
        try #require(rename(other, path) == 0)
        let isEqual = try contents(of: source, in: 1 << 20) == data
        #expect(isEqual)
    }

    @Test(arguments: [0, 1 << 20, 9 << 20])
    func `a file that changes its length during a decode is an error, and nothing is stored`(
        newCount: Int
    ) async throws {
        for changedRow in [0, 1, 39] {
            let path = try longPicture()
            let (memory, data) = (
                BoundedMemoryCache(costLimit: 1 << 20, trimsUnderPressure: false), InMemoryDataCache()
            )
            let cache = TieredCache(memory: memory, disk: data)
            let manager = ImageManager(plugins: [.file], context: [.imageCache(cache), .waitStoreCache])
            manager.registry.coders.add(MeddlingCoder { y in if y == changedRow { truncate(path, off_t(newCount)) } })
            let request = ImageRequest(path: path, context: Self.decoded)
            let error = await failure { try await manager.image(for: request) } as? ImageError
            #expect(error?.code == .loadFailed)
            #expect(error?.message == "changed while it was read")
            #expect(error?.component == "FileImageLoader")
            #expect(error?.subject == path)
            #expect(data.stores.isEmpty)
            let isKept = manager.cachedResponse(for: request) != nil
            #expect(!isKept)
        }
    }

    @Test func `an unchanged file is decoded and then closed`() async throws {
        let path = try longPicture()
        let manager = ImageManager(plugins: [.file], context: [.off(.imageCache)])
        manager.registry.coders.add(MeddlingCoder { _ in })
        let image = try await manager.image(for: ImageRequest(path: path, context: Self.decoded))
        #expect(image.size == Self.size)
        #if os(Linux)
        try await waitUntil("no file is open") { directory.openDescriptorCount == 0 }
        #endif
    }
}
