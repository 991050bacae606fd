import Calotype
import CalotypeTesting
import Testing

/// Loaders that deliver a byte source instead of bytes.
@Suite(.timeLimit(.minutes(5)))
struct SourceTests {
    /// A loader of one source.
    private struct SourceLoader: ImageLoader {
        let source: ScriptedSource
        /// The bytes that are written before the source is delivered.
        var beginning = Data()
        /// Called when the source has been accepted.
        var whenTaken: @Sendable (any ByteSink) async throws -> Void = { _ in }

        func canLoad(_ request: LoadRequest) -> Bool { true }

        @concurrent func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
            try await sink.begin(LoadHead(expectedByteCount: beginning.count + source.byteCount))
            if !beginning.isEmpty { try await sink.write(beginning) }
            try await sink.take(source)
            try await whenTaken(sink)
            return .complete
        }
    }

    /// A coder that reads the file again after decoding, and ignores errors of that read.
    private struct CarelessCoder: ImageCoder {
        private struct Decoder: ImageDecoder {
            let bytes: ImageBytes
            let coder: CarelessCoder

            var info: ImageInfo {
                ImageInfo(format: RawImageCoder.format, pixelSize: PixelSize(40, 30), hasAlpha: false)
            }

            func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
                try sink.begin(PixelLayout(size: PixelSize(40, 30), isOpaque: true))
                for y in 0..<30 {
                    try sink.row(y) { row in
                        for index in 0..<160 { row.storeBytes(of: 255, toByteOffset: index, as: UInt8.self) }
                    }
                }
                coder.before()
                _ = bytes.chunk(at: 0)
                coder.after()
            }
        }

        /// Called before the second read.
        var before: @Sendable () -> Void = {}
        /// Called after the second read.
        var after: @Sendable () -> Void = {}

        var formats: [ImageFormat] { [RawImageCoder.format] }
        var readsInPieces: Bool { true }

        func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
            recognizes(bytes) ? Decoder(bytes: bytes, coder: self) : nil
        }
    }

    /// Not `Data`, since the leak checker does not see the memory of a global one.
    private static let fileBytes = Array(RawImageCoder.file(width: 400, height: 300))
    private static var file: Data { Data(fileBytes) }
    /// The settings with which only the decoder uses the bytes.
    private static let decoded: ImageContext = [.thumbnailPixelSize(40, 30), .originalStoreCacheType([])]

    private let bench = Bench(readsInPieces: true)
    private let source = ScriptedSource(Self.file)

    private func install(_ whenTaken: @escaping @Sendable (any ByteSink) async throws -> Void = { _ in }) {
        bench.manager.registry.loaders.add(SourceLoader(source: source, whenTaken: whenTaken))
    }

    /// Expects that nothing of the bench's picture is cached.
    private func expectNothingKept() {
        #expect(bench.data.stores.isEmpty)
        for context in [[], Self.decoded] {
            let isKept = bench.manager.cachedResponse(for: bench.request(context)) != nil
            #expect(!isKept)
        }
    }

    /// Waits until a task has reported progress, which it does when it starts to wait for the load.
    private func waitForProgress(of task: ImageTask) async throws {
        for try await event in task {
            if case .progress = event { return }
        }
    }

    // MARK: Results

    @Test func `a source gives the same picture as written data`() async throws {
        bench.loader.answer(Bench.url.absoluteString, with: .bytes(Self.file))
        let request = bench.request(Self.decoded.merging([.fromLoaderOnly]))
        let written = try await bench.manager.image(for: request)
        install()
        let taken = try await bench.manager.image(for: request)
        #expect(taken.size == PixelSize(40, 30))
        #expect(taken.colors == written.colors)
        #expect(
            source.reads.prefix(2) == [0..<64, 0..<32 << 10],
            "the signature selects the coder, and the header is checked before the rest is read")
    }

    @Test func `data written before a source precedes it`() async throws {
        let rest = ScriptedSource(Data(Self.file.dropFirst(100_000)))
        let beginning = Data(Self.file.prefix(100_000))
        bench.manager.registry.loaders.add(SourceLoader(source: rest, beginning: beginning))
        let image = try await bench.manager.image(for: bench.request(Self.decoded))
        let whole = try await bench.manager.decode(Self.file, context: Self.decoded)
        #expect(image.colors == whole.colors)
    }

    @Test func `the response and the disk get all bytes, read once`() async throws {
        install()
        let response = try await bench.manager.response(for: bench.request())
        #expect(response.data == Self.file)
        #expect(source.reads == [0..<Self.file.count])
        let key = try #require(bench.data.keys.first)
        #expect(try bench.data.entry(for: key)?.data == Self.file)
    }

    @Test func `the original is stored for a thumbnail too`() async throws {
        install()
        _ = try await bench.manager.image(for: bench.request([.thumbnailPixelSize(40, 30)]))
        #expect(bench.data.stores.count == 2)
        bench.memory.clear()
        let plain = try await bench.manager.response(for: bench.request())
        #expect(plain.source == .disk)
        #expect(plain.data == Self.file)
    }

    @Test func `a request for all bytes that joins a load gets them`() async throws {
        let gate = Gate(isOpen: false)
        install { _ in try await gate.pass() }
        let decoding = bench.manager.load(bench.request(Self.decoded))
        await gate.waitForArrivals(1)
        let plain = bench.manager.load(bench.request())
        try await waitForProgress(of: plain)
        gate.open()
        let (image, response) = try await (decoding.response.image, plain.response)
        #expect(image.size == PixelSize(40, 30))
        #expect(response.data == Self.file)
        #expect(bench.data.stores.count == 2, "one for the thumbnail and one for the original")
    }

    @Test func `progress reports a source as a whole`() async throws {
        let gate = Gate(isOpen: false)
        install { _ in try await gate.pass() }
        let task = bench.manager.load(bench.request(Self.decoded))
        await gate.waitForArrivals(1)
        for try await event in task {
            guard case .progress(let progress) = event else { continue }
            #expect(progress == LoadProgress(byteCount: Self.file.count, expectedByteCount: Self.file.count))
            break
        }
        gate.open()
        _ = try await task.response
    }

    @Test func `a source is read during the load if previews are requested`() async throws {
        install()
        let task = bench.manager.load(bench.request(Self.decoded.merging([.progressiveLoad])))
        let size = try await task.response.image.size
        #expect(size == PixelSize(40, 30))
        #expect(source.reads == [0..<Self.file.count])
    }

    @Test func `a source is written to a sink that does not support sources`() async throws {
        let file = Data(repeating: 7, count: 1 << 20) + Data(repeating: 8, count: 1 << 20) + Data([9])
        let sink = CollectingSink()
        try await sink.take(ScriptedSource(file))
        #expect(sink.chunks.map(\.count) == [1 << 20, 1 << 20, 1])
        let isEqual = sink.data == file
        #expect(isEqual)
        let error = await imageError { try await sink.take(ScriptedSource(file, claiming: file.count + 1)) }
        #expect(error?.code == .loadFailed)
    }

    // MARK: Refusals

    @Test func `a source over the byte limit is refused without a read`() async throws {
        bench.manager.registry.loaders.add(SourceLoader(source: ScriptedSource(Self.file)))
        let context = Self.decoded.merging([.maxInputBytes(Self.file.count - 1)])
        let announced = await imageError { try await bench.manager.image(for: bench.request(context)) }
        #expect(announced?.code == .limitExceeded)

        // Without an announced length, the bytes are counted.
        struct SilentLoader: ImageLoader {
            let source: ScriptedSource
            func canLoad(_ request: LoadRequest) -> Bool { true }
            @concurrent func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
                try await sink.take(source)
                return .complete
            }
        }
        bench.manager.registry.loaders.add(SilentLoader(source: source))
        let counted = await imageError { try await bench.manager.image(for: bench.request(context)) }
        #expect(counted?.code == .limitExceeded)
        #expect(source.reads == [])
    }

    @Test func `a picture that is too large or invalid is refused by its header`() async throws {
        install()
        let context = Self.decoded.merging([.maxPixels(1000)])
        let error = await imageError { try await bench.manager.image(for: bench.request(context)) }
        #expect(error?.code == .limitExceeded)
        #expect(source.reads == [0..<64, 0..<32 << 10])

        let zeros = ScriptedSource(Data(count: 1 << 20))
        bench.manager.registry.loaders.add(SourceLoader(source: zeros))
        let unknown = await imageError { try await bench.manager.image(for: bench.request(Self.decoded)) }
        #expect(unknown?.code == .unknownFormat)
        #expect(zeros.reads == [0..<64, 0..<1 << 20], "no coder that reads in pieces recognizes it")
        try await bench.listener.waitForEnds(2, of: .load)
        #expect(bench.listener.successes(of: .load).isEmpty, "the load was stopped before its end")
    }

    @Test func `writing after a source is an error`() async throws {
        install { sink in try await sink.write(Data([1])) }
        let error = await imageError { try await bench.manager.image(for: bench.request(Self.decoded)) }
        #expect(error?.code == .loadFailed)
        #expect(error?.message == "the loader wrote after the load ended")
    }

    @Test func `an empty source is an empty file`() async throws {
        bench.manager.registry.loaders.add(SourceLoader(source: ScriptedSource(Data())))
        let error = await imageError { try await bench.manager.image(for: bench.request(Self.decoded)) }
        #expect(error?.message == "is empty")
    }

    // MARK: Changes

    @Test func `a source that changes between load and decode is an error, and nothing is stored`() async throws {
        install { [source] _ in source.change() }
        let error = await imageError { try await bench.manager.image(for: bench.request(Self.decoded)) }
        #expect(error?.code == .loadFailed)
        #expect(error?.message == ScriptedSource.change.message)
        expectNothingKept()
    }

    @Test func `a source that changes before its header is read is an error`() async throws {
        install()
        source.change()
        let error = await imageError { try await bench.manager.image(for: bench.request(Self.decoded)) }
        #expect(error?.code == .loadFailed)
        #expect(error?.message == ScriptedSource.change.message)
    }

    @Test func `a source that changes while it is read as a whole is an error, and nothing is stored`() async throws {
        source.change()
        install()
        let error = await imageError { try await bench.manager.image(for: bench.request()) }
        #expect(error?.message == ScriptedSource.change.message)
        expectNothingKept()
    }

    @Test func `a picture decoded from a source that changed meanwhile is rejected`() async throws {
        install()
        bench.manager.registry.coders.add(CarelessCoder(before: { [source] in source.change() }))
        let error = await imageError { try await bench.manager.image(for: bench.request(Self.decoded)) }
        #expect(error?.code == .loadFailed)
        #expect(error?.message == ScriptedSource.change.message)
        expectNothingKept()
    }

    @Test func `an original that changes after its decode is not stored`() async throws {
        let gate = Gate(isOpen: false)
        install { _ in try await gate.pass() }
        bench.manager.registry.coders.add(CarelessCoder(after: { [source] in source.change() }))
        // The load starts for a request that stores no original, and continues for one that stores it.
        let first = bench.manager.load(bench.request(Self.decoded))
        await gate.waitForArrivals(1)
        let storing = bench.manager.load(bench.request([.thumbnailPixelSize(40, 30)]))
        try await waitForProgress(of: storing)
        first.cancel()
        gate.open()
        _ = try await storing.response
        #expect(source.reads.last == 0..<Self.file.count, "the original was read as a whole to be stored")
        #expect(bench.data.stores.isEmpty)
        #expect(bench.data.keys.isEmpty)
    }
}
