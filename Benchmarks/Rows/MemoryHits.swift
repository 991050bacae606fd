import BenchmarkFloors
import CalotypeStandard

/// Hits in memory, beside the least that a cache can be.
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
            Benchmark(id: "memory/allocations", title: "memory hit, synchronous: allocations for each") {
                allocations(try await Filled.make())
            },
        ]
    }

    /// What hits allocate whose requests were answered before.
    private static func allocations(_ filled: Filled) -> Contest {
        let hitCount = 100_000
        guard isCountingAllocations() else {
            return .unavailable(.notCounted, because: "allocations are counted with glibc alone, without sanitizers")
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

    /// Whether what the library allocates is counted: without that, a count of nothing would say nothing.
    private static func isCountingAllocations() -> Bool {
        benchmark_allocations_start()
        let request = ImageRequest("https://example.org/probe.jpg")
        let allocated = benchmark_allocations_stop()
        return request.url != nil && allocated.calls > 0
    }
}

/// A manager and a dictionary with the same pictures. Requests and keys are used again and again, in turns.
private struct Filled {
    /// A power of two. Few enough to stay in the processor's cache: measured is the way, not the memory.
    static let count = 256
    static let pictureSide = 16
    static let miss = BenchmarkError("a picture was not in memory")

    let manager: ImageManager
    let requests: [ImageRequest]
    let dictionary: LockedDictionary
    let addresses: [String]

    static func make() async throws -> Filled {
        let manager = ImageManager(context: [.imageCache(TieredCache(memory: BoundedMemoryCache()))])
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

    /// Looking up the addresses in the dictionary.
    var floor: Contender {
        Contender { repeats in
            for index in 0..<repeats {
                guard dictionary[addresses[index & (Self.count - 1)]] != nil else { throw Self.miss }
            }
        }
    }
}
