import CalotypeTesting
import Testing

@testable import Calotype

/// Images in memory with a time to live.
@Suite(.timeLimit(.minutes(5)))
struct MemoryExpiryTests {
    private let time = ManualTime()

    private func makeImage() throws -> Image {
        Image(pixels: try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(16, 1))).finish())
    }

    private func makeKey(_ source: String) -> VariantKey { VariantKey(source: SourceKey(source)) }

    private func makeCache(timeToLive: Duration? = nil) -> BoundedMemoryCache {
        BoundedMemoryCache(timeToLive: timeToLive, trimsUnderPressure: false, time: time)
    }

    private func isFound(_ name: String, in cache: BoundedMemoryCache) -> Bool {
        cache.image(for: makeKey(name)) != nil
    }

    @Test func `an expired image is a miss, and is removed`() throws {
        let cache = makeCache()
        try cache.store(makeImage(), for: makeKey("a"), timeToLive: .seconds(10))
        time.advance(by: .milliseconds(9_999))
        #expect(isFound("a", in: cache))
        time.advance(by: .milliseconds(1))
        #expect(!cache.contains(makeKey("a")))
        #expect(cache.variants(of: SourceKey("a")).isEmpty)
        #expect(cache.count == 1, "the expired image was not looked up, so it is still counted")
        #expect(!isFound("a", in: cache))
        #expect(cache.count == 0)
        #expect(cache.totalCost == 0)
        #expect(cache.statistics.expirations == 1)
        #expect(cache.statistics.misses == 1)
        #expect(cache.statistics.hits == 1)
        #expect(cache.statistics.evictions == 0)
    }

    @Test func `the default time to live applies to images without their own`() throws {
        let cache = makeCache(timeToLive: .seconds(10))
        try cache.store(makeImage(), for: makeKey("default"))
        try cache.store(makeImage(), for: makeKey("shorter"), timeToLive: .seconds(5))
        try cache.store(makeImage(), for: makeKey("longer"), timeToLive: .seconds(20))
        time.advance(by: .seconds(7))
        #expect(isFound("default", in: cache))
        #expect(!isFound("shorter", in: cache))
        time.advance(by: .seconds(7))
        #expect(!isFound("default", in: cache))
        #expect(isFound("longer", in: cache))
    }

    @Test func `a use does not extend the time to live, and storing again does`() throws {
        let cache = makeCache()
        for name in ["used", "stored"] {
            try cache.store(makeImage(), for: makeKey(name), timeToLive: .seconds(10))
        }
        time.advance(by: .seconds(6))
        #expect(isFound("used", in: cache))
        try cache.store(makeImage(), for: makeKey("stored"), timeToLive: .seconds(10))
        time.advance(by: .seconds(6))
        #expect(!isFound("used", in: cache))
        #expect(isFound("stored", in: cache))
    }

    @Test func `changes of the wall clock do not matter`() throws {
        let cache = makeCache(timeToLive: .seconds(10))
        try cache.store(makeImage(), for: makeKey("a"))
        time.moveWallTime(by: 1_000_000)
        #expect(isFound("a", in: cache))
        time.moveWallTime(by: -2_000_000)
        time.advance(by: .seconds(10))
        #expect(!isFound("a", in: cache))
    }

    @Test func `the time to live runs on for an evicted image that is retained`() throws {
        let cache = makeCache(timeToLive: .seconds(10))
        let held = try makeImage()
        for name in ["a", "b"] { cache.store(held, for: makeKey(name)) }
        cache.trim(to: 0)
        time.advance(by: .seconds(6))
        #expect(isFound("a", in: cache))
        time.advance(by: .seconds(6))
        #expect(!isFound("a", in: cache), "the image is added again, but its expiration is unchanged")
        #expect(!cache.contains(makeKey("b")))
        #expect(!isFound("b", in: cache))
        withExtendedLifetime(held) {}
    }

    @Test func `a time to live beyond the range of the clock never ends`() throws {
        let cache = makeCache()
        time.advance(by: .seconds(1_000_000))
        try cache.store(makeImage(), for: makeKey("a"), timeToLive: .seconds(Int64.max))
        time.advance(by: .seconds(1_000_000_000))
        #expect(isFound("a", in: cache))
    }

    @Test func `the remaining time is known only for images with their own time to live`() throws {
        let cache = makeCache(timeToLive: .seconds(10))
        try cache.store(makeImage(), for: makeKey("default"))
        let held = try makeImage()
        cache.store(held, for: makeKey("own"), timeToLive: .seconds(20))
        time.advance(by: .seconds(7))
        #expect(cache.remainingTime(for: makeKey("default")) == nil)
        #expect(cache.remainingTime(for: makeKey("own")) == .seconds(13))
        #expect(cache.remainingTime(for: makeKey("none")) == nil)
        // Also after it was evicted and taken in again.
        cache.trim(to: 0)
        #expect(isFound("own", in: cache))
        #expect(cache.remainingTime(for: makeKey("own")) == .seconds(13))
        withExtendedLifetime(held) {}
    }

    @Test func `peeking finds no expired image, and removes none`() throws {
        let cache = makeCache()
        try cache.store(makeImage(), for: makeKey("a"), timeToLive: .seconds(10))
        let isThere = cache.peek(at: makeKey("a")) != nil
        #expect(isThere)
        time.advance(by: .seconds(10))
        let isOver = cache.peek(at: makeKey("a")) == nil
        #expect(isOver)
        #expect(cache.count == 1)
        #expect(cache.statistics.expirations + cache.statistics.hits + cache.statistics.misses == 0)
    }

    /// A clock that counts its readings.
    private final class WatchedTime: TimeSource {
        let looks = Lock(0)
        func now() -> Duration {
            looks.withLock { $0 += 1 }
            return .zero
        }
        func wallTime() -> Double { 0 }
        func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) {}
    }

    @Test func `lookups of images without a time to live do not read the clock`() throws {
        let clock = WatchedTime()
        let cache = BoundedMemoryCache(trimsUnderPressure: false, time: clock)
        try cache.store(makeImage(), for: makeKey("a"))
        for name in ["a", "a", "b"] { _ = cache.image(for: makeKey(name)) }
        #expect(cache.contains(makeKey("a")))
        #expect(clock.looks.withLock { $0 } == 0)
        #expect(cache.statistics.hits == 2)
    }
}
