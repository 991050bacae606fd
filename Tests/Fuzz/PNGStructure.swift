import CalotypeTesting

/// A PNG as a signature and chunks. Source: W3C PNG, third edition, sections 5.2 and 5.3.
enum PNGStructure {
    private static let signatureByteCount = 8
    /// Length, name and checksum.
    private static let frameByteCount = 12

    static func parts(of bytes: [UInt8]) -> [[UInt8]] {
        [Array(bytes.prefix(signatureByteCount))]
            + Array(bytes.dropFirst(signatureByteCount)).parts { rest in
                rest.count < 4 ? nil : frameByteCount + rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            }
    }

    /// Corrects the checksums, and often the lengths and the sequence numbers of an animation's chunks.
    static func mend(_ parts: inout [[UInt8]], _ random: inout SplitMix64) {
        let mendsLengths = Bool.random(using: &random)
        let mendsNumbers = Bool.random(using: &random)
        var number: UInt64 = 0
        for index in parts.indices.dropFirst() where parts[index].count >= frameByteCount {
            let bodyCount = parts[index].count - frameByteCount
            if mendsLengths { parts[index].write(UInt64(bodyCount), byteCount: 4, at: 0) }
            let name = parts[index][4..<8]
            if mendsNumbers, bodyCount >= 4, name.elementsEqual("fcTL".utf8) || name.elementsEqual("fdAT".utf8) {
                parts[index].write(number, byteCount: 4, at: 8)
                number += 1
            }
            let checksum = checksum(of: parts[index][4..<8 + bodyCount])
            parts[index].write(UInt64(checksum), byteCount: 4, at: 8 + bodyCount)
        }
    }

    /// Returns the CRC-32 of annex D of the specification.
    private static func checksum(of bytes: ArraySlice<UInt8>) -> UInt32 {
        ~bytes.reduce(UInt32.max) { crc, byte in crc >> 8 ^ table[Int((crc ^ UInt32(byte)) & 0xFF)] }
    }

    private static let table = (0..<256).map { (index: UInt32) -> UInt32 in
        (0..<8).reduce(index) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
}
