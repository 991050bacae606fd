import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct HMACTests {
    /// A test case of RFC 4231, section 4. Keys and messages are repeated bytes or texts.
    struct Vector: Sendable {
        let key: [UInt8]
        let message: [UInt8]
        let digest: String

        init(_ key: [UInt8], _ message: String, _ digest: String) {
            self.init(key, Array(message.utf8), digest)
        }

        init(_ key: [UInt8], _ message: [UInt8], _ digest: String) {
            self.key = key
            self.message = message
            self.digest = digest
        }
    }

    private static func bytes(_ byte: UInt8, _ count: Int) -> [UInt8] { Array(repeating: byte, count: count) }

    static let vectors = [
        Vector(
            bytes(0x0b, 20), "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        Vector(
            Array("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        Vector(
            bytes(0xaa, 20), bytes(0xdd, 50), "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
        Vector(
            Array(1...25), bytes(0xcd, 50), "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
        Vector(
            bytes(0xaa, 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
        Vector(
            bytes(0xaa, 131),
            "This is a test using a larger than block-size key and a larger than block-size data. The key needs to be "
                + "hashed before being used by the HMAC algorithm.",
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"),
    ]

    @Test(arguments: HMACTests.vectors)
    func `the digests equal the published ones`(vector: Vector) {
        let hmac = HMAC(key: vector.key)
        #expect(SHA256.hex(hmac.digest(of: vector.message)) == vector.digest)
        // It can be reused.
        #expect(SHA256.hex(hmac.digest(of: vector.message)) == vector.digest)
    }

    @Test func `the digest of a text can be cut short`() {
        let hmac = HMAC(key: Array("Jefe".utf8))
        #expect(hmac.hex(of: "what do ya want for nothing?", byteCount: 4) == "5bdcc146")
    }

    @Test func `random keys are long, and differ`() {
        let keys = (0..<10).map { _ in HMAC.randomKey() }
        #expect(keys.allSatisfy { $0.count == 32 })
        #expect(Set(keys).count == 10)
    }
}
