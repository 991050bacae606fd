import CalotypeTesting
import Testing

@testable import Calotype

/// The previews that are shown while bytes arrive.
@Suite(.timeLimit(.minutes(5)))
struct PreviewTests {
    /// A picture of 40 x 30 that arrives in three pieces: the header with ten rows, ten rows, ten rows.
    struct Delivery {
        let bench: Bench
        let gates = [Gate(), Gate(), Gate()]

        init(_ context: ImageContext = [.previewInterval(.zero)], concurrency: Concurrency = Concurrency()) {
            bench = Bench(concurrency: concurrency, context: context)
            let file = RawImageCoder.file(width: 40, height: 30)
            let rows = file.count - 40 * 30 * 4
            let ends = [0, rows + 10 * 160, rows + 20 * 160, file.count]
            bench.loader.answer(
                Bench.url.absoluteString,
                with: .pieces((0..<3).map { (gates[$0], Data(file[ends[$0]..<ends[$0 + 1]])) }))
        }
    }

    /// A loader that delivers a picture of 40 x 30 row by row, without announcing its length.
    private struct RowLoader: ImageLoader {
        static let file = RawImageCoder.file(width: 40, height: 30)
        static let headerByteCount = file.count - 40 * 30 * 4

        /// The gates of the rows. The first row arrives with the header.
        let gates = (0..<30).map { _ in Gate() }

        func canLoad(_ request: LoadRequest) -> Bool { true }

        @concurrent func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
            try await sink.begin(LoadHead())
            var start = 0
            for gate in gates {
                try await gate.pass()
                let end = max(start, Self.headerByteCount) + 160
                try await sink.write(Data(Self.file[start..<end]))
                start = end
            }
            return .complete
        }
    }

    /// A coder that records the numbers of decoded bytes, in order; 0 for a preview.
    private final class NotingCoder: ImageCoder {
        private let coder: RawImageCoder
        private let noted = Watched<[Int]>([])

        init(gate: BlockingGate) { coder = RawImageCoder(gate: gate) }

        var byteCounts: [Int] { noted.withLock { $0 } }
        var decodeCount: Int { coder.decodeCount }

        /// Waits until the byte counts fulfill a condition.
        func wait(until condition: @escaping @Sendable ([Int]) -> Bool) async { await noted.wait(until: condition) }

        var formats: [ImageFormat] { coder.formats }

        func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
            noted.withLock { $0.append(bytes.byteCount) }
            return try coder.decoder(for: bytes, options: options)
        }

        func progressiveDecoder(
            for head: ImageBytes, options: DecodeOptions
        ) throws -> (any ProgressiveDecoder)? {
            noted.withLock { $0.append(0) }
            return try coder.progressiveDecoder(for: head, options: options)
        }
    }

    /// Returns the number of rows in each preview of a picture of unknown length. After the first preview, each event
    /// releases the next row.
    private func rowCounts(_ context: ImageContext) async throws -> [Int] {
        let (bench, loader) = (Bench(), RowLoader())
        let base: ImageContext = [.imageLoader(loader), .progressiveLoad, .previewInterval(.zero)]
        var counts: [Int] = []
        var openCount = 1
        loader.gates[0].open()
        for try await event in bench.manager.load(bench.request(base.merging(context))) {
            if case .preview(let image, _) = event {
                counts.append(image.colors.filter { $0.alpha == 1 }.count / 40)
            }
            guard !counts.isEmpty, openCount < loader.gates.count else { continue }
            loader.gates[openCount].open()
            openCount += 1
        }
        return counts
    }

    /// The previews of a task, and its result.
    private struct Seen {
        var previews: [Image] = []
        var image: Image?
    }

    /// Watches a task, and releases the next piece after each preview.
    private func watch(_ task: ImageTask, _ delivery: Delivery) async throws -> Seen {
        var seen = Seen()
        delivery.gates[0].open()
        for try await event in task {
            switch event {
            case .preview(let image, .partial):
                seen.previews.append(image)
                delivery.gates[min(seen.previews.count, 2)].open()
            case .finished(let response): seen.image = response.image
            default: break
            }
        }
        return seen
    }

    /// Returns the number of previews when all pieces after the `awaited`th preview arrive at once. The clock stands
    /// still.
    static func previewCount(_ context: ImageContext, awaited: Int) async throws -> String {
        let delivery = Delivery([])
        let task = delivery.bench.manager.load(delivery.bench.request(context))
        var count = 0
        for gate in delivery.gates[...(awaited == 0 ? 2 : 0)] { gate.open() }
        for try await event in task {
            guard case .preview = event else { continue }
            count += 1
            for gate in delivery.gates[...(count >= awaited ? 2 : count)] { gate.open() }
        }
        return "\(count)"
    }

    @Test func `previews show the part of the picture received so far, and then the whole`() async throws {
        let delivery = Delivery()
        let seen = try await watch(
            delivery.bench.manager.load(delivery.bench.request([.progressiveLoad])), delivery)
        #expect(seen.previews.count == 2)
        let whole = try #require(seen.image)
        for (index, preview) in seen.previews.enumerated() {
            #expect(preview.size == whole.size)
            let known = (index + 1) * 10 * 40
            #expect(Array(preview.colors[..<known]) == Array(whole.colors[..<known]))
            #expect(preview.colors[known...].allSatisfy { $0.alpha == 0 })
            #expect(!preview.pixels.isOpaque)
        }
        #expect(whole.pixels.isOpaque)
    }

    @Test func `previews obey the byte limit of the picture`() async throws {
        let delivery = Delivery()
        let request = delivery.bench.request([.progressiveLoad, .scaleDownLimitBytes(1200)])
        let seen = try await watch(delivery.bench.manager.load(request), delivery)
        #expect(seen.previews.map(\.size) == [PixelSize(20, 15), PixelSize(20, 15)])
        #expect(seen.image?.size == PixelSize(20, 15))
    }

    @Test func `a request without previews gets none, even if another has them`() async throws {
        let delivery = Delivery()
        let plain = delivery.bench.manager.load(delivery.bench.request())
        let listener = Task {
            var previews = 0
            for try await event in plain {
                if case .preview = event { previews += 1 }
            }
            return previews
        }
        let seen = try await watch(
            delivery.bench.manager.load(delivery.bench.request([.progressiveLoad])), delivery)
        #expect(seen.previews.count == 2)
        #expect(try await listener.value == 0)
        #expect(delivery.bench.loader.loadCount == 1)
    }

    @Test func `a request that asks for previews while nothing arrives gets the data so far`() async throws {
        let delivery = Delivery()
        let plain = delivery.bench.manager.load(delivery.bench.request())
        delivery.gates[0].open()
        // The progress of the first piece is reported while no previews are requested.
        for try await event in plain {
            if case .progress(let progress) = event, progress.byteCount > 0 { break }
        }
        let seen = try await watch(
            delivery.bench.manager.load(delivery.bench.request([.progressiveLoad])), delivery)
        #expect(seen.previews.count == 2)
        #expect(delivery.bench.loader.loadCount == 1)
    }

    @Test func `a late request sees the latest preview`() async throws {
        let delivery = Delivery()
        let first = delivery.bench.manager.load(delivery.bench.request([.progressiveLoad]))
        delivery.gates[0].open()
        for try await event in first {
            if case .preview = event { break }
        }
        let late = delivery.bench.manager.load(delivery.bench.request([.progressiveLoad]))
        var previews = 0
        for try await event in late {
            if case .preview = event {
                previews += 1
                for gate in delivery.gates { gate.open() }
            }
        }
        #expect(previews > 0)
        _ = try await first.response
    }

    @Test func `each requester sees previews at its own size, with its own transformers`() async throws {
        let delivery = Delivery()
        let sizes = [PixelSize(20, 15), PixelSize(8, 6)]
        let transformer = FakeTransformer()
        let tasks = sizes.map { size in
            delivery.bench.manager.load(
                delivery.bench.request([
                    .progressiveLoad, .thumbnailPixelSize(size.width, size.height), .transformer(transformer),
                ]))
        }
        // Both receive their first preview before the second piece arrives.
        let watchers = tasks.map { task in
            Task {
                var seen: [PixelSize] = []
                for try await event in task {
                    if case .preview(let image, _) = event {
                        if seen.isEmpty { _ = try? await delivery.gates[1].pass() }
                        seen.append(image.size)
                    }
                }
                return seen
            }
        }
        delivery.gates[0].open()
        await delivery.gates[1].waitForArrivals(3)
        for gate in delivery.gates { gate.open() }
        for (watcher, size) in zip(watchers, sizes) {
            let seen = try await watcher.value
            #expect(!seen.isEmpty)
            #expect(seen.allSatisfy { $0 == size })
        }
        #expect(delivery.bench.loader.loadCount == 1)
    }

    @Test func `another preview follows once enough more bytes have arrived, and not before`() async throws {
        let context: ImageContext = [.progressiveLoad, .previewInterval(.zero)]
        // The second piece does not quite double the number of bytes.
        #expect(try await Self.previewCount(context.merging([.previewGrowth(1.5)]), awaited: 2) == "2")
        #expect(try await Self.previewCount(context.merging([.previewGrowth(3)]), awaited: 1) == "1")
    }

    @Test func `enough bytes do not make a preview before the interval has passed`() async throws {
        let context: ImageContext = [.progressiveLoad, .previewGrowth(1.5)]
        #expect(try await Self.previewCount(context, awaited: 1) == "1")
    }

    @Test(arguments: [1, 1.3, 2, 1000])
    func `each preview has a multiple of the bytes of the previous one, even if the length is unknown`(
        growth: Double
    ) async throws {
        let counts = try await rowCounts([.previewGrowth(growth)])
        #expect(counts.first == 1)
        for (count, next) in zip(counts, counts.dropFirst()) {
            func byteCount(_ rows: Int) -> Double { Double(RowLoader.headerByteCount + rows * 160) }
            #expect(next > count)
            #expect(byteCount(next) >= byteCount(count) * growth, "\(counts)")
        }
        #expect(growth < 1000 || counts.count == 1)
    }

    @Test func `previews are made after all whole pictures are decoded, including direct decodes`() async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let coder = NotingCoder(gate: gate)
        let bench = Bench(concurrency: Concurrency(decodes: 1), context: [.imageCoder(coder), .previewInterval(.zero)])
        let (manager, line) = (bench.manager, bench.manager.pipeline.lanes.decodingGate)
        let (file, small) = (RawImageCoder.file(width: 40, height: 30), RawImageCoder.file(width: 4, height: 3))
        let rest = Gate()
        let half = file.count / 2
        bench.loader.answer(
            Bench.url.absoluteString,
            with: .pieces([(Gate(isOpen: true), Data(file[..<half])), (rest, Data(file[half...]))]))
        func load(_ name: String) -> ImageTask { manager.load(ImageRequest("fake://host/\(name).raw")) }
        // Given a blocked decoder, and a waiting preview
        let held = load("held")
        await gate.waitForArrivals(1)
        let shown = manager.load(bench.request([.progressiveLoad]))
        try await waitUntil("the preview is queued") { line.waitingCount >= 1 }
        // When other decodes are started
        let byHand = Task { try await manager.decode(small, context: [.priority(.low)]) }
        try await waitUntil("the direct decode is queued") { line.waitingCount >= 2 }
        let others = ["one", "two", "three"].map { load($0) }
        try await waitUntil("all five decodes are queued") { line.waitingCount >= 5 }
        gate.open()
        // Then the preview comes last
        await coder.wait { $0.count >= 6 }
        let whole = file.count
        #expect(coder.byteCounts == [whole, whole, whole, whole, small.count, 0])
        rest.open()
        for task in [held, shown] + others { _ = try await task.response }
        _ = try await byHand.value
    }

    @Test func `the memory of a preview decoder counts until the file is complete`() async throws {
        let delivery = Delivery()
        let previewed = delivery.bench.manager.pipeline.previewed
        var previewCount = 0
        delivery.gates[0].open()
        for try await event in delivery.bench.manager.load(delivery.bench.request([.progressiveLoad])) {
            guard case .preview = event else { continue }
            if previewCount == 0 { #expect(previewed.byteCount > 0) }
            previewCount += 1
            for gate in delivery.gates { gate.open() }
        }
        #expect(previewCount > 0)
        // The ended work may release its memory a little later.
        try await waitUntil("previews take no memory") { previewed.byteCount == 0 }
    }

    @Test func `no preview is made while preview decoders hold too much, and the picture still arrives`()
        async throws
    {
        let gate = BlockingGate()
        gate.open()
        let coder = NotingCoder(gate: gate)
        let delivery = Delivery(
            [.imageCoder(coder), .previewInterval(.zero)], concurrency: Concurrency(decodes: 1))
        let manager = delivery.bench.manager
        let others = manager.pipeline.previewed.reserve(.max)
        let task = manager.load(delivery.bench.request([.progressiveLoad]))
        delivery.gates[0].open()
        await coder.wait { $0.contains(0) }
        // On the single thread, after the place of the preview.
        _ = try await manager.decode(RawImageCoder.file(width: 4, height: 3))
        for gate in delivery.gates { gate.open() }
        var previewCount = 0
        for try await event in task {
            if case .preview = event { previewCount += 1 }
        }
        #expect(previewCount == 0)
        #expect(try await task.response.image.size == PixelSize(40, 30))
        #expect(coder.byteCounts.filter { $0 == 0 }.count == 1)
        #expect(coder.decodeCount == 2, "the direct decode and that of the whole picture")
        withExtendedLifetime(others) {}
    }

    @Test func `a picture larger than allowed has no preview`() async throws {
        let delivery = Delivery()
        let task = delivery.bench.manager.load(delivery.bench.request([.progressiveLoad, .maxPixels(100)]))
        for gate in delivery.gates { gate.open() }
        var previews = 0
        let error = await imageError {
            for try await event in task {
                if case .preview = event { previews += 1 }
            }
        }
        #expect(error?.code == .limitExceeded)
        #expect(previews == 0)
    }
}
