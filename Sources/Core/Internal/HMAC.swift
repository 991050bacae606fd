/// A digest function with a secret key: HMAC with SHA-256. Without the key, even a short message cannot be guessed from
/// its digest.
///
/// Source: RFC 2104. The tests check the vectors of RFC 4231.
struct HMAC: Sendable {
    /// The digest function with a random key. The key is created once per process, so digests of two processes differ.
    static let ofProcess = HMAC(key: randomKey())

    /// The state of the inner hash after it has absorbed the block with the key. Every digest starts from this state.
    private let inner: SHA256
    /// The state of the outer hash after it has absorbed the block with the key. Every digest starts from this state.
    private let outer: SHA256

    /// Creates the digest function for a key of any length.
    init(key: some Collection<UInt8>) {
        var block = key.count > SHA256.blockByteCount ? SHA256.digest(of: key) : Array(key)
        block.append(contentsOf: repeatElement(0, count: SHA256.blockByteCount - block.count))
        inner = SHA256(absorbing: block.map { $0 ^ 0x36 })
        outer = SHA256(absorbing: block.map { $0 ^ 0x5c })
    }

    /// Returns the digest of `message`: 32 bytes.
    func digest(of message: some Collection<UInt8>) -> [UInt8] {
        outer.digest(endingWith: inner.digest(endingWith: message))
    }

    /// Returns the first `byteCount` bytes of the digest of a text's UTF-8, as lower-case hexadecimal digits.
    func hex(of text: String, byteCount: Int) -> String { SHA256.hex(digest(of: text.utf8).prefix(byteCount)) }

    /// Returns 32 unpredictable bytes from the system's generator.
    static func randomKey() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
