import Calotype

/// A memory cache under test, with its clock.
struct MemoryCacheSubject: Sendable {
    let cache: any MemoryCache
    let time: ManualTime

    func run(_ check: MemoryCacheCheck) throws {
        switch check {
        case .storing: try checkStoring()
        case .keys: try checkKeys()
        case .removing: try checkRemoving()
        case .expiry: try checkExpiry()
        case .lettingGo: try checkLettingGo()
        case .listing: try checkListing()
        case .statistics: try checkStatistics()
        case .threadSafety: try checkThreadSafety()
        }
    }

    /// Returns an image of one row with this width in pixels.
    static func image(width: Int) throws(ImageError) -> Image {
        Image(pixels: try pixels(width: width))
    }

    static func pixels(width: Int) throws(ImageError) -> PixelBuffer {
        try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(width, 1))).finish()
    }

    static func key(_ source: String, _ variant: String = "", policy: String = "") -> VariantKey {
        VariantKey(source: SourceKey(source), policy: policy, variant: variant)
    }

    /// Throws unless `image(for:)`, `peek(at:)` and `contains` all find this image, or all find none if `image` is nil.
    /// - Parameter moment: The situation, for the error message, such as "after the image was removed".
    func check(_ key: VariantKey, has image: Image?, _ moment: String, advice: String) throws(Breach) {
        let (contains, found, seen) = (cache.contains(key), cache.image(for: key), cache.peek(at: key))
        if let image {
            try expect(
                found?.isIdentical(to: image) == true, "the image that was stored, \(moment)",
                but: found.map { "there is another one of \($0.size)" } ?? "there is none", advice: advice)
        } else {
            try expect(
                found == nil, "no image \(moment)", but: "there is an image of \(found?.size ?? PixelSize(0, 0))",
                advice: advice)
        }
        try expect(
            image.map { seen?.isIdentical(to: $0) == true } ?? (seen == nil),
            "`peek(at:)` to agree with `image(for:)` \(moment)",
            but: "it finds \(seen == nil ? "nothing" : "something else")",
            advice: "make `peek(at:)` and `image(for:)` agree")
        try expect(
            contains == (image != nil), "`contains` to return \(image != nil) \(moment)", but: "it returns \(contains)",
            advice: "make `contains` and `image(for:)` agree")
    }
}

// MARK: Storing

extension MemoryCacheSubject {
    /// The frames of an animation that reports the maximum size, `Int.max` bytes.
    private struct EndlessFrames: FrameSource {
        let pixels: PixelBuffer
        let frameCount = 2
        let loopCount = 0
        let byteCount = Int.max
        func duration(ofFrame index: Int) -> Duration { .seconds(1) }
        func frame(_ index: Int, job: Job) throws -> PixelBuffer { pixels }
    }

    fileprivate func checkStoring() throws {
        let keys = (0..<50).map { Self.key("fake://host/\($0)") }
        let images = try (1...50).map { try Self.image(width: $0) }
        try check(keys[0], has: nil, "before anything was stored", advice: "start with an empty cache")
        for (key, image) in zip(keys, images) {
            cache.store(image, for: key)
            try check(key, has: image, "right after it was stored", advice: "keep the new image, and evict another one")
        }
        for (key, image) in zip(keys, images) {
            try check(key, has: image, "while there is room", advice: "evict only where a limit is exceeded")
        }
        let other = try Self.image(width: 60)
        cache.store(other, for: keys[7])
        try check(keys[7], has: other, "in place of another one", advice: "keep the image that was stored last")
        try check(
            keys[8], has: images[8], "after the image of another key was replaced",
            advice: "replace only the image of the key")

        let pixels = try Self.pixels(width: 2)
        cache.store(Image(pixels: pixels, frames: EndlessFrames(pixels: pixels)), for: Self.key("endless"))
        let next = try Self.image(width: 61)
        cache.store(next, for: Self.key("next"))
        try check(
            Self.key("next"), has: next, "after one that states `Int.max` bytes",
            advice: "do not keep an image that exceeds the limit alone, and add without overflow")
    }

    fileprivate func checkKeys() throws {
        let long = String(repeating: "k", count: 100_000)
        let keys = [
            Self.key("a"), Self.key("a", "half"), Self.key("a", policy: "half"), Self.key("a", "half", policy: "half"),
            Self.key("ahalf"), Self.key(""), Self.key("", "a"), Self.key("A"), Self.key("a\0"), Self.key("a\0b"),
            Self.key("caf\u{e9}"), Self.key("cafe\u{301}"), Self.key(long), Self.key(long + "k"), Self.key("a", long),
            Self.key("\u{1f5bc}\u{fe0f}"), Self.key("\u{1f5bc}"),
        ]
        let images = try (1...keys.count).map { try Self.image(width: $0) }
        for (key, image) in zip(keys, images) { cache.store(image, for: key) }
        for (index, key) in keys.enumerated() {
            let again = VariantKey(source: SourceKey(key.source.text), policy: key.policy, variant: key.variant)
            try check(
                again, has: images[index], "under key \(index) of \(keys.count) different ones",
                advice: "compare all bytes of source, policy and variant, as `VariantKey` does")
        }
    }
}

// MARK: Removing

extension MemoryCacheSubject {
    fileprivate func checkRemoving() throws {
        let (half, original, strict) = (Self.key("a", "half"), Self.key("a"), Self.key("a", "half", policy: "strict"))
        let (other, longer) = (Self.key("b", "half"), Self.key("ab"))
        let all = [half, original, strict, other, longer]
        // The images are retained until the end: a cache must not find removed images through weak references.
        let images = try (1...all.count).map { try Self.image(width: $0) }
        for (key, image) in zip(all, images) { cache.store(image, for: key) }

        for _ in 0..<2 {
            cache.remove(half)
            try check(half, has: nil, "after it was removed", advice: "also drop the weak reference to it")
        }
        for index in 1..<all.count {
            try check(
                all[index], has: images[index], "after the image of another key was removed",
                advice: "remove only the image of the key")
        }
        cache.store(images[0], for: half)
        try check(half, has: images[0], "after an earlier removal", advice: "accept a removed image again")

        cache.removeAll(of: SourceKey("a"))
        for key in [half, original, strict] {
            try check(
                key, has: nil, "after its source was removed",
                advice: "remove every variant under every policy, including weak references")
        }
        for index in 3..<all.count {
            try check(
                all[index], has: images[index], "after another source was removed",
                advice: "compare whole sources")
        }
        try checkLookalikes()
        cache.clear()
        for key in all {
            try check(key, has: nil, "after clearing", advice: "remove everything, including weak references")
        }
        cache.store(images[0], for: half)
        try check(half, has: images[0], "after clearing and storing", advice: "accept new contents after clearing")
        withExtendedLifetime(images) {}
    }

    /// Checks that removing an image does not remove the image of a lookalike key.
    private func checkLookalikes() throws {
        let (one, other) = try (Self.image(width: 1), Self.image(width: 2))
        func expectOne(_ key: VariantKey, not neighbor: VariantKey, by remove: (VariantKey) -> Void) throws(Breach) {
            let (name, advice) = (key.description.debugDescription, CacheTrial.lookalikeAdvice)
            cache.store(one, for: key)
            cache.store(other, for: neighbor)
            remove(key)
            try check(key, has: nil, "after \(name) itself was removed", advice: advice)
            try check(neighbor, has: other, "after the similar key \(name) was removed", advice: advice)
        }
        for (text, lookalike) in CacheTrial.lookalikes {
            let (key, neighbor) = (Self.key(text), Self.key(lookalike))
            try expectOne(key, not: neighbor) { cache.remove($0) }
            try expectOne(key, not: neighbor) { cache.removeAll(of: $0.source) }
            try expectOne(Self.key("a source", text), not: Self.key("a source", lookalike)) { cache.remove($0) }
        }
        withExtendedLifetime((one, other)) {}
    }

    /// The frames of an image, with a counter that is incremented when the last image with these frames is deallocated.
    private final class Witness: FrameSource {
        let frameCount = 1
        let loopCount = 1
        let byteCount = 0
        private let pixels: PixelBuffer
        private let releases: Lock<Int>

        init(pixels: PixelBuffer, releases: Lock<Int>) {
            self.pixels = pixels
            self.releases = releases
        }

        deinit { releases.withLock { $0 += 1 } }

        func duration(ofFrame index: Int) -> Duration { .seconds(1) }
        func frame(_ index: Int, job: Job) throws -> PixelBuffer { pixels }
    }

    fileprivate func checkLettingGo() throws {
        let releases = Lock(0)
        func store(_ source: String) throws {
            let pixels = try Self.pixels(width: 4)
            let image = Image(pixels: pixels, frames: Witness(pixels: pixels, releases: releases))
            cache.store(image, for: Self.key(source))
        }
        func expectReleases(_ count: Int, after what: String) throws(Breach) {
            let found = releases.withLock { $0 }
            try expect(
                found == count, "\(count) images to be released after \(what)", but: "\(found) are",
                advice: "retain an image only under its key, and only until it is removed")
        }
        for source in ["a", "b", "c", "d"] { try store(source) }
        try expectReleases(0, after: "storing 4")
        try store("a")
        try expectReleases(1, after: "replacing one")
        cache.remove(Self.key("a"))
        try expectReleases(2, after: "removing one more")
        cache.removeAll(of: SourceKey("b"))
        try expectReleases(3, after: "removing the source of one more")
        cache.clear()
        try expectReleases(5, after: "clearing")
    }
}

// MARK: Time

extension MemoryCacheSubject {
    fileprivate func checkExpiry() throws {
        let (short, long, endless) = (Self.key("short"), Self.key("long"), Self.key("endless"))
        let images = try (1...4).map { try Self.image(width: $0) }
        cache.store(images[0], for: short, timeToLive: .seconds(10))
        cache.store(images[1], for: long, timeToLive: .seconds(20))
        cache.store(images[2], for: endless, timeToLive: nil)
        let advice = "compare the clock with the time of storing plus the time to live"
        time.advance(by: .seconds(4))
        let rest = Duration.seconds(5)...Duration.seconds(6)
        try checkRemainingTime(of: short, isIn: rest, "an image that was stored for 10 seconds, 4 seconds ago")
        try checkRemainingTime(of: endless, isIn: nil, "an image that was stored without a time to live")
        try checkRemainingTime(of: Self.key("absent"), isIn: nil, "an image that was never stored")
        time.advance(by: .seconds(5))
        try check(short, has: images[0], "9 of its 10 seconds later", advice: advice)
        time.advance(by: .seconds(2))
        try check(short, has: nil, "11 seconds after it was stored for 10", advice: advice)
        try checkRemainingTime(of: short, isIn: nil, "an expired image")
        try check(
            long, has: images[1], "11 of its 20 seconds later", advice: "keep a separate time to live for each image")
        try check(endless, has: images[2], "without a time to live", advice: "keep it for at least an hour")

        cache.store(images[3], for: short, timeToLive: nil)
        cache.store(images[3], for: long, timeToLive: .seconds(100))
        time.advance(by: .seconds(50))
        try check(
            short, has: images[3], "in place of an expired one", advice: "restart the time to live with each store")
        try check(
            long, has: images[3], "with a longer time to live than its predecessor",
            advice: "restart the time to live with each store")

        for lifetime in [Duration.zero, .seconds(-1)] {
            cache.store(images[0], for: short, timeToLive: lifetime)
            try check(
                short, has: nil, "after storing with a time to live of \(lifetime)",
                advice: "treat such an image as expired, and drop its predecessor")
        }
        // Without this, a cache with weak references could never find the images.
        withExtendedLifetime(images) {}
    }

    /// Throws if the cache reports a remaining time to live outside `range`, or any remaining time if `range` is nil.
    private func checkRemainingTime(
        of key: VariantKey, isIn range: ClosedRange<Duration>?, _ what: String
    ) throws(Breach) {
        guard let found = cache.remainingTime(for: key) else { return }
        let expected = range.map { "\($0.lowerBound) to \($0.upperBound), or nil," } ?? "nil"
        try expect(
            range?.contains(found) == true, "\(expected) as the `remainingTime` of \(what)", but: "it is \(found)",
            advice: "return the rest of the image's time to live, or nil")
    }
}

// MARK: Statistics

extension MemoryCacheSubject {
    fileprivate func checkListing() throws {
        let source = SourceKey("a")
        let keys = [Self.key("a"), Self.key("a", "half"), Self.key("a", "half", policy: "strict")]
        let images = try (1...4).map { try Self.image(width: $0) }
        for (key, image) in zip(keys + [Self.key("b", "half")], images) { cache.store(image, for: key) }
        let listed = cache.variants(of: source)
        // Listing is optional.
        guard !listed.isEmpty else { return }
        try check(listed, are: keys, "after storing them")
        cache.remove(keys[1])
        try check(cache.variants(of: source), are: [keys[0], keys[2]], "after removing one")
        cache.removeAll(of: SourceKey("b"))
        try check(cache.variants(of: source), are: [keys[0], keys[2]], "after removing another source")
        cache.clear()
        try check(cache.variants(of: source), are: [], "after clearing")
        withExtendedLifetime(images) {}
    }

    private func check(_ listed: [VariantKey], are keys: [VariantKey], _ moment: String) throws(Breach) {
        try expect(
            listed.count == keys.count && Set(listed) == Set(keys),
            "\(keys.map(\.description)) as the variants of a source \(moment)",
            but: "they are \(listed.map(\.description))", advice: "list each image in memory once")
    }

    fileprivate func checkStatistics() throws {
        let images = try [Self.image(width: 10), Self.image(width: 20), Self.image(width: 30)]
        let names = ["a", "b", "a"]
        for (name, image) in zip(names, images) { cache.store(image, for: Self.key(name)) }
        for name in ["a", "b", "a", "none"] { _ = cache.image(for: Self.key(name)) }
        for name in ["a", "none"] { _ = cache.contains(Self.key(name)) }
        let found = cache.statistics
        // Statistics are optional.
        guard found != MemoryCacheStatistics() else { return }
        try CacheTrial.expect(
            [
                ("hits", found.hits + found.weakHits, 3), ("misses", found.misses, 1),
                ("insertions", found.insertions, 3), ("evictions", found.evictions, 0),
                ("expirations", found.expirations, 0), ("count", found.count, 2),
                ("byteCount", found.byteCount, images[1].byteCount + images[2].byteCount),
            ],
            after: "3 stores under 2 keys, 3 hits and a miss",
            advice: "count `image(for:)` but not `contains`, and only images that exist")
        cache.clear()
        let rest = cache.statistics
        try expect(
            rest.count == 0 && rest.byteCount == 0, "no images after clearing",
            but: "there are \(rest.count) of \(rest.byteCount) bytes", advice: "subtract all that was added")
    }
}
