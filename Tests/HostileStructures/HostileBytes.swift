/// The bytes of a structure under construction. Numbers are big-endian.
public struct HostileBytes: Sendable {
    public private(set) var bytes: [UInt8] = []

    public init() {}

    public var count: Int { bytes.count }

    /// Reserves memory for `byteCount` bytes in total.
    public mutating func reserveCapacity(_ byteCount: Int) {
        bytes.reserveCapacity(byteCount)
    }

    public mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes += $0 }
    }

    public mutating func append(_ other: [UInt8]) {
        bytes += other
    }

    /// Appends the low `byteCount` bytes of a number.
    public mutating func append(_ number: Int, byteCount: Int) {
        for index in (0..<byteCount).reversed() { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
    }

    public mutating func append(zeros count: Int) {
        bytes += repeatElement(0, count: count)
    }

    public mutating func align() {
        append(zeros: -count & 3)
    }

    /// Overwrites the bytes from `start` on.
    public mutating func replace(at start: Int, with other: [UInt8]) {
        for (index, byte) in other.enumerated() where start + index < bytes.count { bytes[start + index] = byte }
    }
}
