import CalotypeTesting
import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct DiskEntryFormatTests {
    private let key = VariantKey(source: SourceKey("source"), policy: "p", variant: "v")
    private let entry = CacheEntry(
        data: Data("abc".utf8), expiration: 2, attributes: ["b": "2", "a": "1"], extendedData: Data([0xaa, 0xbb]))

    private func file(_ entry: CacheEntry, _ key: VariantKey, creation: Double = 1) -> Data {
        entry.data + DiskEntryFormat.trailer(for: entry, key: key, creation: creation)
    }

    private func defect(of file: Data, for key: VariantKey) -> DiskEntryFormat.Defect? {
        do {
            _ = try DiskEntryFormat.parse(file, for: key)
            return nil
        } catch {
            return error as? DiskEntryFormat.Defect
        }
    }

    /// The same bytes with a checksum that fits, as somebody would write them who means harm.
    private func resealed(_ file: Data) -> Data {
        let body = Data(file.dropLast(4))
        let checksum = DiskEntryFormat.checksum(of: body)
        return body + Data((0..<4).map { UInt8(truncatingIfNeeded: checksum >> (8 * UInt32($0))) })
    }

    @Test func `the bytes of a file are those that the format says`() {
        let expected = """
            616263 \
            0600000000000000 736f75726365 0100000000000000 70 0100000000000000 76 \
            000000000000f03f \
            0200000000000000 0100000000000000 61 0100000000000000 31 0100000000000000 62 0100000000000000 32 \
            01 0200000000000000 aabb \
            0300000000000000 5f00000000000000 0000000000000040 63616c6f74797065 01000000 cdc9760f
            """
        let digits = Array("0123456789abcdef")
        let bytes = file(entry, key).map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined()
        #expect(bytes == expected.filter { $0 != " " })
    }

    @Test func `an entry comes back as it was, with its time`() throws {
        let bare = CacheEntry(data: Data("payload".utf8))
        let cases: [(CacheEntry, Double)] = [(entry, 1.5), (bare, 0), (CacheEntry(data: Data()), -1)]
        for (original, time) in cases {
            let parsed = try DiskEntryFormat.parse(file(original, key, creation: time), for: key)
            #expect(parsed.entry == original)
            #expect(parsed.creation == time)
        }
    }

    @Test func `empty extended data is not the same as none`() throws {
        let entry = CacheEntry(data: Data("x".utf8), extendedData: Data())
        #expect(try DiskEntryFormat.parse(file(entry, key), for: key).entry.extendedData == Data())
    }

    @Test func `no shorter file passes, and no longer one`() {
        let whole = file(entry, key)
        for length in 0..<whole.count { #expect(defect(of: Data(whole.prefix(length)), for: key) != nil) }
        #expect(defect(of: whole + Data([0]), for: key) != nil)
        #expect(defect(of: Data([0]) + whole, for: key) != nil)
    }

    @Test func `no file passes in which a bit is wrong`() {
        let whole = file(entry, key)
        for index in whole.indices {
            for bit in 0..<8 {
                var damaged = whole
                damaged[index] ^= 1 << UInt8(bit)
                #expect(defect(of: damaged, for: key) != nil, "byte \(index), bit \(bit)")
            }
        }
    }

    @Test func `says what is wrong`() {
        let whole = file(entry, key)
        #expect(defect(of: Data(), for: key) == .truncated)
        #expect(defect(of: Data(repeating: 7, count: 500), for: key) == .foreign)
        #expect(defect(of: whole, for: VariantKey(source: SourceKey("source"), policy: "p", variant: "w")) == .key)
        #expect(defect(of: whole, for: VariantKey(source: SourceKey("source"), policy: "", variant: "v")) == .key)
        #expect(defect(of: whole, for: VariantKey(source: SourceKey("sourcf"), policy: "p", variant: "v")) == .key)

        var other = whole
        other[other.count - 8] = 2
        #expect(defect(of: resealed(other), for: key) == .version)
        var changed = whole
        changed[0] ^= 1
        #expect(defect(of: changed, for: key) == .checksum)
    }

    @Test(arguments: [UInt64.max, UInt64(Int64.max), UInt64(Int64.max) + 1, 1 << 32, 0])
    func `lengths are not believed`(length: UInt64) {
        let whole = file(entry, key)
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: length >> (8 * UInt64($0))) }
        let bodyStart = entry.data.count
        let footerStart = whole.count - DiskEntryFormat.footerByteCount
        // Of payload, of body, of the first text, of the list of attributes.
        for offset in [footerStart, footerStart + 8, bodyStart, bodyStart + 40] {
            var hostile = whole
            hostile.replaceSubrange(offset..<offset + 8, with: bytes)
            #expect(defect(of: resealed(hostile), for: key) != nil)
        }
    }

    @Test func `random bytes with a fitting checksum never trap`() {
        var random = SplitMix64(seed: 1)
        let whole = file(entry, key)
        for _ in 0..<3000 {
            var hostile = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                // Anywhere but in the magic and the version, without which nothing else is looked at.
                let index = Int.random(in: 0..<whole.count - 16, using: &random)
                hostile[index] = UInt8.random(in: 0...255, using: &random)
            }
            let sealed = resealed(hostile)
            if let parsed = try? DiskEntryFormat.parse(sealed, for: key) {
                #expect(parsed.entry.data.count + DiskEntryFormat.footerByteCount < sealed.count)
            }
        }
    }

    @Test func `the tail alone tells the expiration`() {
        #expect(DiskEntryFormat.expiration(inTail: Data(file(entry, key).suffix(40))) == 2)
        #expect(DiskEntryFormat.expiration(inTail: Data(file(CacheEntry(data: Data()), key).suffix(40))) == nil)
        #expect(DiskEntryFormat.expiration(inTail: Data(repeating: 0, count: 40)) == nil)
        #expect(DiskEntryFormat.expiration(inTail: Data()) == nil)
    }

    @Test func `names are digests of the key's parts`() {
        let name = DiskEntryName(key)
        #expect(name.folder == "41/41cf6794ba4200b839c53531555f0f39")
        #expect(name.file == "39f87a59bf16ac31a7a5b3762af31f41")
        #expect(DiskEntryName.isDigest(name.file))
        #expect(!DiskEntryName.isDigest(name.file.uppercased()))
        #expect(!DiskEntryName.isDigest(String(name.file.dropLast())))
        #expect(DiskEntryName.isShard("0f"))
        #expect(!DiskEntryName.isShard("0g"))
        #expect(DiskEntryName.isTemporary(DiskEntryName.temporary()))
        #expect(DiskEntryName.temporary() != DiskEntryName.temporary())
        #expect(!DiskEntryName.isTemporary(".hidden"))
    }
}
