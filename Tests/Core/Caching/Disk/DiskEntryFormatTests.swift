import CalotypeTesting
import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct DiskEntryFormatTests {
    private let key = VariantKey(source: SourceKey("source"), policy: "p", variant: "v")
    private let entry = CacheEntry(
        data: Data("abc".utf8), expiration: 2, attributes: ["b": "2", "a": "1"], extendedData: Data([0xaa, 0xbb]),
        tags: ["album"])
    private let secret = DiskBench.secret

    private func file(
        _ entry: CacheEntry, _ key: VariantKey, creation: Double = 1, transform: (any DataTransform)? = nil
    ) throws -> Data {
        try DiskEntryFormat.pieces(
            of: entry, for: key, under: secret, creation: creation, transform: transform
        )
        .reduce(into: Data()) { $0.append($1) }
    }

    private func defect(
        of file: Data, for key: VariantKey, transform: (any DataTransform)? = nil
    ) -> DiskEntryFormat.Defect? {
        do {
            _ = try DiskEntryFormat.parse(file, as: key.diskName(under: secret), transform: transform)
            return nil
        } catch {
            return error as? DiskEntryFormat.Defect
        }
    }

    /// Returns the bytes with a valid checksum, as an attacker would write them.
    private func resealed(_ file: Data) -> Data {
        let body = Data(file.dropLast(4))
        let checksum = DiskEntryFormat.checksum(of: body)
        return body + Data((0..<4).map { UInt8(truncatingIfNeeded: checksum >> (8 * UInt32($0))) })
    }

    // The digests and checksums are from another implementation: Python's hmac, and bitwise CRC-32C.
    @Test func `the bytes of a file follow the format`() throws {
        let expected = """
            616263 \
            0000000000000000 \
            f76ce2d7a43f9bd40f763ee9c21975bf b023c58a3cb0137e \
            3209bc680f581bbd479e85e1e26b3ceaa41af2aeaa0c89e0f8cbb4e76fa9537d \
            000000000000f03f 0100000000000000 3538e245e657be8dd07c793d05a345f8 \
            0600000000000000 736f75726365 0100000000000000 70 0100000000000000 76 \
            0200000000000000 0100000000000000 61 0100000000000000 31 0100000000000000 62 0100000000000000 32 \
            0100000000000000 0500000000000000 616c62756d \
            01 0200000000000000 aabb \
            0300000000000000 cc00000000000000 0000000000000040 63616c6f74797065 03000000 c07a7b83
            """
        #expect(try hexadecimal(file(entry, key)) == expected.filter { $0 != " " })
    }

    @Test func `a transform applies to everything but dates, lengths and the digests in the body`() throws {
        let record = """
            0600000000000000 736f75726365 0100000000000000 70 0100000000000000 76 \
            0200000000000000 0100000000000000 61 0100000000000000 31 0100000000000000 62 0100000000000000 32 \
            0100000000000000 0500000000000000 616c62756d \
            01 0200000000000000 aabb
            """
        let digests = """
            f76ce2d7a43f9bd40f763ee9c21975bf b023c58a3cb0137e \
            3209bc680f581bbd479e85e1e26b3ceaa41af2aeaa0c89e0f8cbb4e76fa9537d
            """
        let plain = "616263 \(record) \(digests) 6c00000000000000"
        let expected = """
            0300000000000000 786f72 \(digests) \
            000000000000f03f 0100000000000000 3538e245e657be8dd07c793d05a345f8 \
            af00000000000000 6300000000000000 0000000000000040 63616c6f74797065 03000000 50cfacbc
            """
        let file = try file(entry, key, transform: XORTransform())
        #expect(hexadecimal(Data(file.prefix(175).map { $0 ^ 0x5a })) == plain.filter { $0 != " " })
        #expect(hexadecimal(Data(file.dropFirst(175))) == expected.filter { $0 != " " })
    }

    private func hexadecimal(_ bytes: Data) -> String {
        bytes.map { DiskEntryName.hexadecimal($0) }.joined()
    }

    /// A transform without its own check, so that only the file format detects errors.
    private struct XORTransform: DataTransform {
        let identity = "xor"

        func encode(_ bytes: Data) throws -> Data { Data(bytes.map { $0 ^ 0x5a }) }
        func decode(_ bytes: Data) throws -> Data { Data(bytes.map { $0 ^ 0x5a }) }
    }

    @Test func `an entry survives a round trip with its date`() throws {
        let bare = CacheEntry(data: Data("payload".utf8))
        let cases: [(CacheEntry, Double)] = [(entry, 1.5), (bare, 0), (CacheEntry(data: Data()), -1)]
        for transform in [nil, XORTransform()] as [(any DataTransform)?] {
            for (original, time) in cases {
                let file = try file(original, key, creation: time, transform: transform)
                let name = key.diskName(under: secret)
                let parsed = try DiskEntryFormat.parse(file, as: name, transform: transform)
                #expect(parsed.entry == original)
                #expect(parsed.creation == time)
                #expect(DiskEntryName.path(ofDigest: parsed.digest) == name.path)
                let unknown = try DiskEntryFormat.parse(file, transform: transform)
                #expect(unknown.entry == original)
                #expect(unknown.key == key)
            }
        }
    }

    @Test func `empty extended data is not the same as none`() throws {
        let entry = CacheEntry(data: Data("x".utf8), extendedData: Data())
        #expect(try DiskEntryFormat.parse(file(entry, key)).entry.extendedData == Data())
    }

    @Test func `a file of any other length is rejected`() throws {
        let whole = try file(entry, key)
        for length in 0..<whole.count { #expect(defect(of: Data(whole.prefix(length)), for: key) != nil) }
        #expect(defect(of: whole + Data([0]), for: key) != nil)
        #expect(defect(of: Data([0]) + whole, for: key) != nil)
    }

    @Test func `a file with any wrong bit is rejected`() throws {
        let whole = try file(entry, key)
        for index in whole.indices {
            for bit in 0..<8 {
                var damaged = whole
                damaged[index] ^= 1 << UInt8(bit)
                #expect(defect(of: damaged, for: key) != nil, "byte \(index), bit \(bit)")
            }
        }
    }

    @Test func `each defect is named`() throws {
        let whole = try file(entry, key)
        #expect(defect(of: Data(), for: key) == .truncated)
        #expect(defect(of: Data(repeating: 7, count: 500), for: key) == .foreign)
        #expect(defect(of: whole, for: VariantKey(source: SourceKey("source"), policy: "p", variant: "w")) == .key)
        #expect(defect(of: whole, for: VariantKey(source: SourceKey("source"), policy: "", variant: "v")) == .key)
        #expect(defect(of: whole, for: VariantKey(source: SourceKey("sourcf"), policy: "p", variant: "v")) == .key)

        var other = whole
        other[other.count - 8] = 4
        #expect(defect(of: other, for: key) == .checksum)
        #expect(defect(of: resealed(other), for: key) == .version)
        var changed = whole
        changed[0] ^= 1
        #expect(defect(of: changed, for: key) == .checksum)

        let transformed = try file(entry, key, transform: XORTransform())
        #expect(defect(of: transformed, for: key) == .transform)
        #expect(defect(of: whole, for: key, transform: XORTransform()) == .transform)
        #expect(defect(of: transformed, for: key, transform: XORTransform()) == nil)
        let stranger = VariantKey(source: SourceKey("other"))
        #expect(defect(of: transformed, for: stranger, transform: XORTransform()) == .key)
    }

    @Test(arguments: [UInt64.max, UInt64(Int64.max), UInt64(Int64.max) + 1, 1 << 32, 0])
    func `hostile lengths are rejected`(length: UInt64) throws {
        let whole = try file(entry, key)
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: length >> (8 * UInt64($0))) }
        let bodyStart = entry.data.count
        let footerStart = whole.count - DiskEntryFormat.footerByteCount
        // The lengths of the payload, the body, the list of digests, the source, the list of attributes, and the
        // identity.
        var offsets = [footerStart, footerStart + 8, bodyStart + 72, bodyStart + 96, bodyStart + 128]
        // The identity is empty, so a length of zero is valid.
        if length > 0 { offsets.append(bodyStart) }
        for offset in offsets {
            var hostile = whole
            hostile.replaceSubrange(offset..<offset + 8, with: bytes)
            #expect(defect(of: resealed(hostile), for: key) != nil)
        }
    }

    @Test(arguments: [false, true])
    func `random bytes with a fitting checksum never trap`(isTransformed: Bool) throws {
        var random = SplitMix64(seed: 1)
        let transform = isTransformed ? XORTransform() : nil
        let whole = try file(entry, key, transform: transform)
        for _ in 0..<1500 {
            var hostile = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                // Anywhere except in the magic number and the version, without which the rest is not read.
                let index = Int.random(in: 0..<whole.count - 16, using: &random)
                hostile[index] = UInt8.random(in: 0...255, using: &random)
            }
            let sealed = resealed(hostile)
            if let digests = DiskEntryFormat.tagDigests(inTrailer: sealed) { #expect(digests.count < sealed.count) }
            if let parsed = try? DiskEntryFormat.parse(sealed, transform: transform) {
                #expect(parsed.entry.data.count + DiskEntryFormat.footerByteCount < sealed.count)
            }
        }
    }

    @Test func `the dates can be read from the trailer alone`() throws {
        for transform in [nil, XORTransform()] as [(any DataTransform)?] {
            let file = try file(entry, key, creation: 1000, transform: transform)
            let byteCount = try #require(DiskEntryFormat.trailerByteCount(inTail: Data(file.suffix(40))))
            let dates = DiskEntryFormat.dates(inTrailer: Data(file.suffix(byteCount)))
            #expect(dates == DiskEntryFormat.Dates(creation: 1000, expiration: 2))
        }
        let bare = try file(CacheEntry(data: Data()), key)
        let bareDates = try #require(DiskEntryFormat.dates(inTrailer: bare))
        #expect(bareDates.expiration == nil)
        // The end of the file suffices to find the expiration.
        let end = try DiskEntryFormat.dates(inTrailer: Data(file(entry, key).suffix(40)))
        #expect(end == DiskEntryFormat.Dates(creation: -.infinity, expiration: 2))
        #expect(DiskEntryFormat.dates(inTrailer: Data(repeating: 0, count: 40)) == nil)
        #expect(DiskEntryFormat.dates(inTrailer: Data()) == nil)
    }

    @Test func `an entry expires at its date, or early if a fast clock set it`() {
        func isOver(_ creation: Double, _ expiration: Double?) -> Bool {
            DiskEntryFormat.Dates(creation: creation, expiration: expiration).areOver(at: 1000)
        }
        #expect(!isOver(900, nil))
        #expect(!isOver(900, 1001))
        #expect(isOver(900, 1000))
        #expect(!isOver(1059, 1100))
        #expect(isOver(1060, 1100))
        #expect(!isOver(1_000_000, nil))
        #expect(isOver(.nan, 1100))
        #expect(isOver(.infinity, .infinity))
        #expect(!isOver(-.infinity, 1001))
    }

    @Test func `the tags can be read from the trailer alone`() throws {
        for transform in [nil, XORTransform()] as [(any DataTransform)?] {
            let file = try file(entry, key, transform: transform)
            let byteCount = try #require(DiskEntryFormat.trailerByteCount(inTail: Data(file.suffix(40))))
            #expect(byteCount < file.count)
            let digests = DiskEntryFormat.tagDigests(inTrailer: Data(file.suffix(byteCount)))
            #expect(digests.map { $0.map { DiskEntryName.tag($0) } } == ["3538e245e657be8dd07c793d05a345f8"])
        }
        #expect(DiskEntryFormat.trailerByteCount(inTail: Data(repeating: 0, count: 40)) == nil)
        #expect(DiskEntryFormat.tagDigests(inTrailer: Data(count: 39)) == nil)
    }

    @Test func `the digest of a tag uses its composed form`() {
        for (tag, composed) in [("e\u{301}", "\u{e9}"), ("\u{e9}", "\u{e9}"), ("a\u{323}\u{302}", "\u{1ead}")] {
            #expect(secret.digest(ofTag: tag) == secret.digest(ofTag: composed))
        }
        #expect(secret.digest(ofTag: "e") != secret.digest(ofTag: "\u{e9}"))
    }

    @Test func `names are keyed digests of the key's parts`() {
        let name = DiskEntryName(key, under: secret)
        #expect(name.directory == "f7/f76ce2d7a43f9bd40f763ee9c21975bf")
        #expect(name.file == "b023c58a3cb0137e3209bc680f581bbd")
        #expect(DiskEntryName.directory(of: key.source, under: secret) == name.directory)
        #expect(DiskEntryName.prefix(ofPolicy: "p", under: secret) == "b023c58a3cb0137e")
        let original = DiskEntryName(VariantKey(source: key.source), under: secret)
        #expect(original.directory == name.directory)
        #expect(original.file == "587809d58c29fbcf2d547afbf0b7c7d7")
        #expect(DiskEntryName.isDigest(name.file))
        #expect(!DiskEntryName.isDigest(name.file.uppercased()))
        #expect(!DiskEntryName.isDigest(String(name.file.dropLast())))
        let (one, other) = (
            VariantKey(source: key.source, policy: "a\0b", variant: "c"),
            VariantKey(source: key.source, policy: "a", variant: "b\0c")
        )
        #expect(DiskEntryName(one, under: secret).file != DiskEntryName(other, under: secret).file)
        #expect(name.shard == 0xf7)
        #expect(DiskEntryName.shardName(0x41) == "41")
        #expect(DiskEntryName.shardName(0x0a) == "0a")
        #expect(DiskEntryName.tag([0, 0x1f, 0xff]) == "001fff")
        #expect(DiskEntryName.isMarker(name.file + name.file))
        #expect(!DiskEntryName.isMarker(name.file))
        #expect(DiskEntryName.isTemporary(DiskEntryName.temporary()))
        #expect(DiskEntryName.temporary() != DiskEntryName.temporary())
        #expect(!DiskEntryName.isTemporary(".hidden"))
    }

    @Test func `another secret gives every name anew, and a key remembers its names`() {
        let others = (1...6).map { DiskBench.directorySecret(startingAt: UInt8($0 * 32)) }
        let key = VariantKey(source: SourceKey("source"), policy: "p", variant: "v")
        let names = ([secret] + others).map { key.diskName(under: $0) }
        #expect(Set(names.map(\.directory)).count == names.count)
        #expect(Set(names.map(\.file)).count == names.count)
        for (secret, name) in zip([secret] + others, names) {
            #expect(key.diskName(under: secret).path == name.path)
            #expect(key.diskName(under: secret).path == DiskEntryName(key, under: secret).path)
        }
        #expect(key.diskName(under: secret) === names[0])
        #expect(key.diskName(under: others[0]) === names[1])
    }

    @Test func `the key text in a file has no secrets, and its digest covers all of the key`() throws {
        let key = VariantKey(
            source: SourceKey("https://host/a.png?w=3&token=s3cr3t"),
            policy: IdentityText(full: "user=s3cr3t", shown: "user=redacted", exact: ""), variant: IdentityText("v"))
        let file = try file(entry, key)
        #expect(!String(decoding: file, as: UTF8.self).contains("s3cr3t"))
        let parsed = try DiskEntryFormat.parse(file)
        #expect(parsed.key?.description == "https://host/a.png?w=3&token=redacted [v] {user=redacted}")
        #expect(parsed.digest == key.diskName(under: secret).digest)
        #expect(defect(of: file, for: key) == nil)
        let stranger = VariantKey(
            source: SourceKey("https://host/a.png?w=3&token=another"), policy: key.policy, variant: key.variant)
        #expect(defect(of: file, for: stranger) == .key)
    }
}
