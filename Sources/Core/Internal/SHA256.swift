/// SHA-256, mainly for short texts: the names of cache files, and digests of secrets.
///
/// Source: FIPS 180-4, sections 4.1.2, 4.2.2, 5 and 6.2. The tests check NIST's vectors.
package struct SHA256: Sendable {
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]

    private var state: SIMD8<UInt32> = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]

    /// The number of bytes absorbed into the state.
    private var absorbedByteCount = 0

    /// The length of a block in bytes.
    static let blockByteCount = 64

    private init() {}

    /// Creates a hash that has already absorbed a block of 64 bytes, for messages that begin with this block.
    init(absorbing block: [UInt8]) {
        precondition(block.count == Self.blockByteCount, "a block has 64 bytes")
        block.withUnsafeBytes { absorb($0) }
        absorbedByteCount = block.count
    }

    /// Returns the digest of `message`: 32 bytes.
    package static func digest(of message: some Collection<UInt8>) -> [UInt8] { SHA256().digest(endingWith: message) }

    /// Returns the digest of the absorbed bytes followed by `rest`.
    func digest(endingWith rest: some Collection<UInt8>) -> [UInt8] {
        var padded: [UInt8] = []
        padded.reserveCapacity(rest.count + 72)
        padded.append(contentsOf: rest)
        let bitCount = UInt64(absorbedByteCount + padded.count) * 8
        padded.append(0x80)
        padded.append(contentsOf: repeatElement(0, count: (120 - padded.count % 64) % 64))
        withUnsafeBytes(of: bitCount.bigEndian) { padded.append(contentsOf: $0) }
        var hash = self
        padded.withUnsafeBytes { hash.absorb($0) }
        var digest: [UInt8] = []
        digest.reserveCapacity(32)
        for index in hash.state.indices {
            withUnsafeBytes(of: hash.state[index].bigEndian) { digest.append(contentsOf: $0) }
        }
        return digest
    }

    /// Returns the first `byteCount` bytes of the digest of a text's UTF-8, as lower-case hexadecimal digits.
    package static func hex(of text: String, byteCount: Int = 32) -> String {
        hex(digest(of: text.utf8).prefix(byteCount))
    }

    /// Returns bytes as lower-case hexadecimal digits.
    package static func hex(_ bytes: some Collection<UInt8>) -> String {
        String(unsafeUninitializedCapacity: 2 * bytes.count) { digits in
            for (index, byte) in bytes.enumerated() {
                digits[2 * index] = digit(byte >> 4)
                digits[2 * index + 1] = digit(byte & 15)
            }
            return 2 * bytes.count
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// Absorbs whole blocks of 64 bytes. The message schedule is allocated once for all blocks, because an allocation
    /// takes about as long as hashing a block.
    private mutating func absorb(_ blocks: UnsafeRawBufferPointer) {
        Self.constants.withUnsafeBufferPointer { constants in
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
                for start in stride(from: 0, to: blocks.count, by: 64) {
                    Self.expand(blocks, from: start, into: schedule)
                    mix(schedule, constants)
                }
            }
        }
    }

    private static func expand(
        _ blocks: UnsafeRawBufferPointer, from start: Int, into schedule: UnsafeMutableBufferPointer<UInt32>
    ) {
        for word in 0..<16 {
            let bytes = blocks.loadUnaligned(fromByteOffset: start + 4 * word, as: UInt32.self)
            schedule[word] = UInt32(bigEndian: bytes)
        }
        for word in 16..<64 {
            let near = schedule[word - 2]
            let far = schedule[word - 15]
            let sigma1 = rotate(near, 17) ^ rotate(near, 19) ^ near >> 10
            let sigma0 = rotate(far, 7) ^ rotate(far, 18) ^ far >> 3
            schedule[word] = sigma1 &+ schedule[word - 7] &+ sigma0 &+ schedule[word - 16]
        }
    }

    private mutating func mix(
        _ schedule: UnsafeMutableBufferPointer<UInt32>, _ constants: UnsafeBufferPointer<UInt32>
    ) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for round in 0..<64 {
            let sum1 = Self.rotate(e, 6) ^ Self.rotate(e, 11) ^ Self.rotate(e, 25)
            let choice = (e & f) ^ (~e & g)
            let first = h &+ sum1 &+ choice &+ constants[round] &+ schedule[round]
            let sum0 = Self.rotate(a, 2) ^ Self.rotate(a, 13) ^ Self.rotate(a, 22)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ sum0 &+ majority)
        }
        state &+= SIMD8(a, b, c, d, e, f, g, h)
    }

    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word >> count | word << (32 - count)
    }
}
