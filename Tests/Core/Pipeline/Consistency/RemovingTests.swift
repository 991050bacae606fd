import CalotypeTesting
import Testing

@testable import Calotype

/// All forms of removal while the removed images are still being stored.
@Suite(.timeLimit(.minutes(5)))
struct RemovingTests {
    enum Form: CaseIterable {
        case variant, source, tag, age, all

        func remove(_ request: ImageRequest, from manager: ImageManager) async throws {
            switch self {
            case .variant: try await manager.remove(request)
            case .source: try await manager.remove(request, allVariants: true)
            case .tag: try await manager.removeAll(tagged: "album")
            // This includes entries of the current moment.
            case .age: try await manager.removeAll(olderThan: .seconds(-1))
            case .all: try await manager.clearCaches()
            }
        }
    }

    private let gate = BlockingGate()
    private let variants: GatedDataCache
    private let originals: GatedDataCache
    private let originalCache: TieredCache
    private let memory = BoundedMemoryCache(trimsUnderPressure: false)
    /// The number of images in memory at each removal of a variant from the disk tier.
    private let countsAtRemoval = Lock<[Int]>([])
    /// The bench has enough threads for a removal to overtake stores, if the manager did not prevent it.
    private let bench: Bench
    private let request: ImageRequest

    init() {
        variants = GatedDataCache(stores: gate) { [memory, countsAtRemoval] in
            countsAtRemoval.withLock { $0.append(memory.count) }
        }
        originals = GatedDataCache(stores: gate)
        originalCache = TieredCache(memory: nil, disk: originals)
        bench = Bench(
            concurrency: Concurrency(writes: 4),
            context: [
                .off(.waitStoreCache), .cacheTags(["album"]),
                .imageCache(TieredCache(memory: memory, disk: variants)),
                .originalImageCache(originalCache),
            ])
        request = bench.request([.thumbnailPixelSize(4, 4)])
    }

    @Test(arguments: Form.allCases)
    func `a removal is not overtaken by an earlier store`(form: Form) async throws {
        _ = try await bench.manager.image(for: request)
        await gate.waitForArrivals(2)
        let remove = Task { [bench, request] in try await form.remove(request, from: bench.manager) }
        gate.open()
        try await remove.value
        await bench.manager.pipeline.pendingStores.wait(for: originalCache)
        #expect(variants.events == [.storeBegan, .storeEnded, .removed])
        let removal: [GatedDataCache.Event] = form == .variant ? [] : [.removed]
        #expect(originals.events == [.storeBegan, .storeEnded] + removal)
        #expect(countsAtRemoval.withLock { $0 } == [1], "memory is cleared last")
        #expect(variants.kept.keys.isEmpty)
        #expect(originals.kept.keys.count == (form == .variant ? 1 : 0))
        #expect(memory.count == (form == .age ? 1 : 0), "images in memory are in use, and are not removed by age")
    }

    @Test(arguments: Form.allCases)
    func `a failing cache does not keep the other from removing`(form: Form) async throws {
        struct Broken: Error {}
        gate.open()
        _ = try await bench.manager.image(for: request.with([.waitStoreCache]))
        variants.kept.failure = Broken()
        let error = await imageError { try await form.remove(request, from: bench.manager) }
        #expect(error?.code == .cacheFailed)
        #expect(error?.cause is Broken)
        #expect(originals.kept.keys.count == (form == .variant ? 1 : 0))
        #expect(memory.count == (form == .age ? 1 : 0))
    }

    @Test func `memory is cleared at once, whatever is being stored`() async throws {
        defer { gate.open() }
        // Given that all writing threads are busy
        let manager = Bench(concurrency: Concurrency(writes: 1), context: bench.manager.context).manager
        _ = try await manager.image(for: request)
        await gate.waitForArrivals(1)
        #expect(memory.count == 1)
        try await manager.remove(request, from: .memory)
        #expect(memory.count == 0)
        _ = try await manager.image(for: request)
        #expect(memory.count == 1)
        try await manager.remove(request, from: .memory, allVariants: true)
        #expect(memory.count == 0)
        _ = try await manager.image(for: request)
        #expect(try await manager.contains(request, in: .memory) == .memory)
        try await manager.clearCaches(.memory)
        #expect(try await manager.contains(request, in: .memory) == [])
    }

    @Test func `each tier can be cleared separately`() async throws {
        gate.open()
        let request = request.with([.waitStoreCache])
        _ = try await bench.manager.image(for: request)
        try await bench.manager.clearCaches(.disk)
        #expect(try await bench.manager.contains(request) == .memory)
        #expect(variants.kept.keys.isEmpty)
        #expect(originals.kept.keys.isEmpty)
        try await bench.manager.clearCaches(.memory)
        #expect(try await bench.manager.response(for: request).source == .loader)
        try await bench.manager.clearCaches(.memory)
        #expect(try await bench.manager.contains(request) == .disk)
    }
}
