import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct SHA256Tests {
    private func hex(of bytes: some Collection<UInt8>) -> String {
        SHA256.digest(of: bytes).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// Source: NIST, Cryptographic Standards and Guidelines, example values for SHA-256.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrst"
                + "nopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
    ])
    func `the digests equal the published ones`(message: String, digest: String) {
        #expect(hex(of: message.utf8) == digest)
        #expect(SHA256.hex(of: message) == digest)
    }

    @Test func `a million letters have the published digest`() {
        let message = repeatElement(UInt8(ascii: "a"), count: 1_000_000)
        #expect(hex(of: message) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    /// Messages of the bytes 0, 1, 2 and so on, and their digests by another implementation. A block has 64 bytes, of
    /// which padding takes at least nine.
    @Test(arguments: [
        (1, "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"),
        (54, "675f28acc0b90a72d1c3a570fe83ac565555db358cf01826dc8eefb2bf7ca0f3"),
        (55, "463eb28e72f82e0a96c0a4cc53690c571281131f672aa229e0d45ae59b598b59"),
        (56, "da2ae4d6b36748f2a318f23e7ab1dfdf45acdc9d049bd80e59de82a60895f562"),
        (57, "2fe741af801cc238602ac0ec6a7b0c3a8a87c7fc7d7f02a3fe03d1c12eac4d8f"),
        (63, "29af2686fd53374a36b0846694cc342177e428d1647515f078784d69cdb9e488"),
        (64, "fdeab9acf3710362bd2658cdc9a29e8f9c757fcf9811603a8c447cd1d9151108"),
        (65, "4bfd2c8b6f1eec7a2afeb48b934ee4b2694182027e6d0fc075074f2fabb31781"),
        (119, "da18797ed7c3a777f0847f429724a2d8cd5138e6ed2895c3fa1a6d39d18f7ec6"),
        (120, "f52b23db1fbb6ded89ef42a23ce0c8922c45f25c50b568a93bf1c075420bbb7c"),
        (127, "92ca0fa6651ee2f97b884b7246a562fa71250fedefe5ebf270d31c546bfea976"),
        (128, "471fb943aa23c511f6f72f8d1652d9c880cfa392ad80503120547703e56a2be5"),
        (129, "5099c6a56203f9687f7d33f4bfdf576d31dc91f6b695ecea38b2770c87631135"),
        (1000, "a8af099bf2e878609558dbf69d8f88f4a31040a8cf84b549a0cfa912f12ffc3f"),
    ])
    func `messages that end near the end of a block are padded right`(count: Int, digest: String) {
        #expect(hex(of: (0..<count).map { UInt8(truncatingIfNeeded: $0) }) == digest)
    }

    @Test func `a digest has 32 bytes, and a prefix can be requested`() {
        #expect(SHA256.digest(of: [UInt8]()).count == 32)
        #expect(SHA256.hex(of: "abc", byteCount: 8) == "ba7816bf8f01cfea")
        #expect(SHA256.hex(of: "abc", byteCount: 0).isEmpty)
    }

    @Test func `the digest of a text is that of its UTF-8`() {
        let digest = "53c2bbca83e9f8b55d56a8687056c5027b4245348977848d28fb3aaa01abccff"
        #expect(SHA256.hex(of: "na\u{EF}ve \u{1F600}") == digest)
    }

    @Test func `the digest of a slice is that of its bytes`() {
        let bytes = Array("xxabcyy".utf8)
        #expect(hex(of: bytes[2..<5]) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }
}
