/// Digests under a key: HMAC with SHA-256.
///
/// Without the key nobody can tell what a digest is of, however short that is, nor make the digest of anything else.
///
/// Source: RFC 2104. Held to the vectors of RFC 4231 by the tests.
struct HMAC: Sendable {
    /// The key of this process: digests under it can be compared while the process lives, and tell nobody anything.
    static let ofProcess = HMAC(key: randomKey())

    /// The states after the two blocks that the key is in, which every digest begins with.
    private let inner: SHA256
    private let outer: SHA256

    /// Digests under a key of any length.
    init(key: some Collection<UInt8>) {
        var block = key.count > SHA256.blockByteCount ? SHA256.digest(of: key) : Array(key)
        block.append(contentsOf: repeatElement(0, count: SHA256.blockByteCount - block.count))
        inner = SHA256(absorbing: block.map { $0 ^ 0x36 })
        outer = SHA256(absorbing: block.map { $0 ^ 0x5c })
    }

    /// The digest of `message`: 32 bytes.
    func digest(of message: some Collection<UInt8>) -> [UInt8] {
        outer.digest(endingWith: inner.digest(endingWith: message))
    }

    /// The first `byteCount` bytes of the digest of a text's UTF-8, as lower-case hexadecimal digits.
    func hex(of text: String, byteCount: Int) -> String { SHA256.hex(digest(of: text.utf8).prefix(byteCount)) }

    /// 32 unpredictable bytes, from the system's generator.
    static func randomKey() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
