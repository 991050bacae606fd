import CalotypeTesting
import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct DiskCacheTransformTests {
    /// A simple model of authenticated encryption: it disguises data, and recognizes its own output.
    private struct ToyTransform: DataTransform {
        struct Refusal: Error {}

        let secret: UInt8
        var identity: String { "toy/\(secret)" }

        func encode(_ bytes: Data) throws -> Data {
            if bytes.starts(with: Data("refuse".utf8)) { throw Refusal() }
            return Data(bytes.map { $0 ^ secret }) + tag(of: bytes)
        }

        func decode(_ bytes: Data) throws -> Data {
            let plain = Data(bytes.dropLast(4).map { $0 ^ secret })
            guard bytes.suffix(4) == tag(of: plain) else { throw Refusal() }
            return plain
        }

        private func tag(of bytes: Data) -> Data {
            let sum = bytes.reduce(UInt32(secret)) { $0 &* 31 &+ UInt32($1) }
            return Data((0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * UInt32($0))) })
        }
    }

    private let bench = DiskBench()
    private let key = VariantKey(source: SourceKey("https://example.org/secret.jpg"), policy: "p", variant: "w=20")
    private let transform = ToyTransform(secret: 0x5a)
    private let entry = CacheEntry(
        data: Data("the picture itself".utf8), expiration: 4_000_000_000, attributes: ["entityTag": "the validator"],
        extendedData: Data("the application's".utf8), tags: ["the album"])

    private func file(of key: VariantKey, in cache: DiskCache) throws -> Data {
        try Data(contentsOf: URL(filePath: cache.path(for: key)))
    }

    /// Overwrites the file of an entry with a body and a valid checksum.
    private func seal(_ body: Data, as key: VariantKey, in cache: DiskCache) throws {
        cache.waitForTrimming()
        let checksum = DiskEntryFormat.checksum(of: body)
        let file = body + Data((0..<4).map { UInt8(truncatingIfNeeded: checksum >> (8 * UInt32($0))) })
        try bench.directory.write(file, to: cache.path(for: key), modificationTime: bench.time.wallTime())
    }

    @Test func `a stored entry is read back, and none of it is readable on disk`() throws {
        let cache = bench.cache(transform: transform)
        try cache.store(entry, for: key)
        #expect(try cache.entry(for: key) == entry)
        #expect(try bench.cache(transform: transform).entry(for: key) == entry)
        let text = String(decoding: try file(of: key, in: cache), as: UTF8.self)
        for word in ["picture", "validator", "application", "album", "example.org", "w=20"] {
            #expect(!text.contains(word))
        }
        #expect(text.contains("toy/90"))
        try cache.removeAll(tagged: "the album")
        #expect(try cache.entry(for: key) == nil)
    }

    @Test func `entries written with another transform are misses that stay until something is stored`() throws {
        let caches = [
            bench.cache(), bench.cache(transform: transform), bench.cache(transform: ToyTransform(secret: 0x11)),
        ]
        for (index, owner) in caches.enumerated() {
            try owner.store(entry, for: key)
            for (other, cache) in caches.enumerated() {
                #expect(try cache.entry(for: key) == (other == index ? entry : nil))
            }
            #expect(try owner.entry(for: key) == entry)
        }
        for cache in caches { #expect(cache.statistics.repairs == 0) }
        #expect(bench.issues.map(\.description) == [])
        #expect(try caches[0].totalCount() == 1)
        #expect(try caches[0].verify().foreignCount == 1)
        #expect(try caches[2].verify().entryCount == 1)
    }

    @Test func `an entry that the transform did not write is removed, even if its checksum is valid`() throws {
        let cache = bench.cache(transform: transform)
        try cache.store(entry, for: key)
        var forged = Data(try file(of: key, in: cache).dropLast(4))
        forged[3] ^= 1
        try seal(forged, as: key, in: cache)
        #expect(try cache.entry(for: key) == nil)
        #expect(!bench.exists(cache.path(for: key)))
        #expect(cache.statistics.repairs == 1)
        #expect(bench.issues.first?.message.contains("the transform cannot decode") == true)
    }

    @Test func `the entry of another key is not returned, even if the transform wrote it`() throws {
        let cache = bench.cache(transform: transform)
        let other = VariantKey(source: key.source, policy: key.policy, variant: "w=21")
        try cache.store(entry, for: other)
        try cache.store(entry, for: key)
        try seal(Data(try file(of: other, in: cache).dropLast(4)), as: key, in: cache)
        #expect(try cache.entry(for: key) == nil)
        #expect(cache.statistics.repairs == 1)
        #expect(try cache.entry(for: other) == entry)
    }

    @Test func `the payload of another key is not returned, even under the digest of the requested one`() throws {
        let cache = bench.cache(transform: transform)
        let other = VariantKey(source: key.source, policy: key.policy, variant: "w=21")
        try cache.store(entry, for: other)
        try cache.store(entry, for: key)
        let (foreign, own) = try (file(of: other, in: cache), file(of: key, in: cache))
        try #require(foreign.count == own.count)
        let payloadByteCount = own.suffix(40).prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
        try seal(foreign.prefix(payloadByteCount) + own.dropFirst(payloadByteCount).dropLast(4), as: key, in: cache)
        #expect(try cache.entry(for: key) == nil)
        #expect(cache.statistics.repairs == 1)
        #expect(try cache.entry(for: other) == entry)
    }

    @Test func `a failing transform is an error that names it, and the old entry stays`() throws {
        let cache = bench.cache(transform: transform)
        try cache.store(entry, for: key)
        let error = try #require(throws: ImageError.self) {
            try cache.store(CacheEntry(data: Data("refuse".utf8)), for: key)
        }
        #expect(error.code == .cacheFailed)
        #expect(error.message.contains("toy/90"))
        #expect(error.cause is ToyTransform.Refusal)
        #expect(try cache.entry(for: key) == entry)
        #expect(cache.statistics.failures == 1)
    }
}
