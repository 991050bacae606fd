import CalotypeTesting
import Testing

@testable import Calotype

/// The reaction of a cache to memory pressure.
@Suite(.timeLimit(.minutes(5)))
struct MemoryPressureTests {
    /// A pressure source that is controlled by the test.
    private final class ScriptedPressure: MemoryPressureSource {
        private struct State {
            var observers: [Int: @Sendable (MemoryPressure) -> Void] = [:]
            var nextID = 0
        }

        private let state = Lock(State())

        var observerCount: Int { state.withLock { $0.observers.count } }

        func observe(_ body: @escaping @Sendable (MemoryPressure) -> Void) -> MemoryPressureObservation {
            let id = state.withLock { state -> Int in
                state.nextID += 1
                state.observers[state.nextID] = body
                return state.nextID
            }
            return MemoryPressureObservation { [state] in
                _ = state.withLock { $0.observers.removeValue(forKey: id) }
            }
        }

        func tell(_ pressure: MemoryPressure) {
            let observers = state.withLock { Array($0.observers.values) }
            for observer in observers { observer(pressure) }
        }
    }

    private let unit = 64
    private let pressure = ScriptedPressure()

    private func makeImage() throws -> Image {
        Image(pixels: try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(16, 1))).finish())
    }

    private func makeKey(_ number: Int) -> VariantKey { VariantKey(source: SourceKey("\(number)")) }

    private func makeCache() -> BoundedMemoryCache { BoundedMemoryCache(costLimit: 10 * unit, pressure: pressure) }

    @Test func `moderate pressure evicts half of the cost, and critical pressure everything`() throws {
        let cache = makeCache()
        for number in 0..<8 { try cache.store(makeImage(), for: makeKey(number)) }
        pressure.tell(.moderate)
        #expect(cache.totalCost == 4 * unit)
        pressure.tell(.moderate)
        #expect(cache.totalCost == 2 * unit)
        #expect(cache.statistics.evictions == 6)
        pressure.tell(.critical)
        #expect(cache.count == 0)
        #expect(cache.costLimit == 10 * unit)
        try cache.store(makeImage(), for: makeKey(0))
        #expect(cache.count == 1)
    }

    @Test func `a retained image is still found`() throws {
        let cache = makeCache()
        let held = try makeImage()
        cache.store(held, for: makeKey(0))
        pressure.tell(.critical)
        #expect(cache.count == 0)
        #expect(cache.image(for: makeKey(0))?.isIdentical(to: held) == true)
    }

    @Test func `a cache listens from its first image to its end`() throws {
        var caches = [makeCache()]
        _ = caches[0].image(for: makeKey(0))
        #expect(pressure.observerCount == 0)
        for number in 0..<3 { try caches[0].store(makeImage(), for: makeKey(number)) }
        #expect(pressure.observerCount == 1)
        caches.removeAll()
        #expect(pressure.observerCount == 0)
    }

    @Test func `several threads that store first start observing once`() async throws {
        let (cache, image) = (makeCache(), try makeImage())
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask { cache.store(image, for: VariantKey(source: SourceKey("\(number)"))) }
            }
        }
        #expect(pressure.observerCount == 1)
    }
}
