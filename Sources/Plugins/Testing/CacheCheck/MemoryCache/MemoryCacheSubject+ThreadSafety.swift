import Calotype

extension MemoryCacheSubject {
    private static let threadCount = 8
    private static let roundCount = 400

    /// Checks that concurrent lookups return only images of the requested key, and that the cache works afterward.
    func checkThreadSafety() throws {
        // The width of an image identifies its key.
        let keys = (0..<Self.threadCount * 2).map { Self.key("fake://host/\($0 % 5)", "\($0)") }
        let images = try keys.indices.map { try Self.image(width: $0 + 1) }
        for (key, image) in zip(keys, images) { cache.store(image, for: key) }
        // Nothing is removed here, so each thread must find the image of its own key.
        try CacheTrial.onThreads(Self.threadCount) { thread in
            let found = cache.image(for: keys[thread])
            try expect(
                found?.width == thread + 1, "the image of this key while other threads read others",
                but: found == nil ? "there is none" : "one of another key is found", advice: Self.advice)
        }
        try CacheTrial.onThreads(Self.threadCount) { thread in
            var random = SplitMix64(seed: UInt64(thread))
            for _ in 0..<Self.roundCount {
                let index = Int.random(in: 0..<keys.count, using: &random)
                switch Int.random(in: 0..<20, using: &random) {
                case 0..<6: cache.store(images[index], for: keys[index])
                case 6: cache.remove(keys[index])
                case 7: cache.removeAll(of: keys[index].source)
                case 8: _ = cache.contains(keys[index])
                default: try look(keys[index], index)
                }
            }
        }
        for (key, image) in zip(keys, images) {
            cache.store(image, for: key)
            try check(key, has: image, "after concurrent calls", advice: Self.advice)
        }
        cache.clear()
        for key in keys { try check(key, has: nil, "after concurrent calls and clearing", advice: Self.advice) }
    }

    private static let advice = "guard the state of the cache with one lock"

    /// Looks up an image, and throws if the cache returns the image of another key. A missing image is permitted.
    private func look(_ key: VariantKey, _ index: Int) throws(Breach) {
        guard let found = cache.image(for: key) else { return }
        try expect(
            found.width == index + 1, "an image of this key during concurrent calls",
            but: "one of another key is found", advice: Self.advice)
    }
}
