import BenchmarkFloors
import CalotypeStandard
import Dispatch
import Synchronization

/// Hits in memory, compared with a minimal cache.
enum MemoryHits {
    static var benchmarks: [Benchmark] {
        [
            Benchmark(id: "memory/synchronous", title: "memory hit, synchronous / locked dictionary") {
                let filled = try await Filled.make()
                return .comparison(
                    subject: Contender { repeats in
                        for index in 0..<repeats {
                            guard filled.manager.cachedResponse(for: filled.request(index)) != nil else {
                                throw Filled.miss
                            }
                        }
                    }, peer: filled.floor)
            },
            Benchmark(id: "memory/asynchronous", title: "memory hit, asynchronous / locked dictionary") {
                let filled = try await Filled.make()
                return .comparison(
                    subject: Contender { repeats in
                        for index in 0..<repeats {
                            let image = try await filled.manager.image(for: filled.request(index))
                            guard image.width == Filled.pictureSide else { throw Filled.miss }
                        }
                    }, peer: filled.floor)
            },
            Benchmark(id: "memory/two-threads", title: "memory hit, two threads / locked dictionary, the same") {
                let filled = try await Filled.make()
                return .comparison(
                    subject: .onTwoThreads { filled.manager.cachedResponse(for: filled.request($0)) != nil },
                    peer: .onTwoThreads { filled.dictionary[filled.address($0)] != nil })
            },
            Benchmark(id: "memory/allocations", title: "memory hit, synchronous: allocations for each") {
                allocations(try await Filled.make())
            },
        ]
    }

    /// Counts the allocations of hits whose requests were served before.
    private static func allocations(_ filled: Filled) -> Contest {
        let hitCount = 100_000
        guard isCountingAllocations() else {
            return .unavailable(.notCounted, because: "allocations are counted only with glibc and without sanitizers")
        }
        for index in 0..<Filled.count { _ = filled.manager.cachedResponse(for: filled.request(index)) }
        var missCount = 0
        benchmark_allocations_start()
        for index in 0..<hitCount where filled.manager.cachedResponse(for: filled.request(index)) == nil {
            missCount += 1
        }
        let allocated = benchmark_allocations_stop()
        guard missCount == 0 else { return .unavailable(.failed, because: "\(missCount) hits were misses") }
        return .count(
            Double(allocated.calls) / Double(hitCount),
            text: "\(allocated.calls) allocations of \(allocated.bytes) bytes in \(hitCount) hits")
    }

    /// Returns whether the library's allocations are counted. Otherwise a count of zero would mean nothing.
    private static func isCountingAllocations() -> Bool {
        benchmark_allocations_start()
        let request = ImageRequest("https://example.org/probe.jpg")
        let allocated = benchmark_allocations_stop()
        return request.url != nil && allocated.calls > 0
    }
}

extension Contender {
    /// Returns a side with two threads, which share the work and start at different pictures.
    /// - Parameter find: Looks a picture up. Returns false if it is missing.
    fileprivate static func onTwoThreads(_ find: @escaping @Sendable (_ index: Int) -> Bool) -> Contender {
        Contender { repeats in
            let misses = Misses()
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                let start = thread * Filled.count / 2
                for index in start..<start + (repeats + 1) / 2 where !find(index) {
                    misses.count.wrappingAdd(1, ordering: .relaxed)
                }
            }
            guard misses.count.load(ordering: .relaxed) == 0 else { throw Filled.miss }
        }
    }
}

/// The number of misses.
private final class Misses: Sendable {
    let count = Atomic<Int>(0)
}

/// A manager and a dictionary with the same pictures. Requests and keys are reused in turns.
private struct Filled: Sendable {
    /// The number of pictures, a power of two. Few enough to stay in the processor's cache: the row measures the
    /// lookup, not the memory.
    static let count = 256
    static let pictureSide = 16
    static let miss = BenchmarkError("a picture was not in memory")

    let manager: ImageManager
    let requests: [ImageRequest]
    let dictionary: LockedDictionary
    let addresses: [String]

    static func make() async throws -> Filled {
        let memory = BoundedMemoryCache(trimsUnderPressure: false)
        let manager = ImageManager(context: [.imageCache(TieredCache(memory: memory))])
        let dictionary = LockedDictionary()
        let addresses = (0..<count).map { "https://example.org/pictures/\($0).jpg" }
        let requests = addresses.map { ImageRequest($0) }
        for index in 0..<count {
            let pixels = try DrawnPicture.pixels(size: PixelSize(pictureSide, pictureSide), isOpaque: true)
            let image = Image(pixels: pixels)
            dictionary[addresses[index]] = LockedDictionary.Element(image)
            try await manager.store(image, for: requests[index], in: .memory)
        }
        return Filled(manager: manager, requests: requests, dictionary: dictionary, addresses: addresses)
    }

    func request(_ index: Int) -> ImageRequest { requests[index & (Self.count - 1)] }

    func address(_ index: Int) -> String { addresses[index & (Self.count - 1)] }

    /// Looks the addresses up in the dictionary.
    var floor: Contender {
        Contender { repeats in
            for index in 0..<repeats {
                guard dictionary[address(index)] != nil else { throw Self.miss }
            }
        }
    }
}
