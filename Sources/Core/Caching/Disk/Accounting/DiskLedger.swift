/// The usage of each shard of a disk cache's directory. Processes that share the directory exchange the ledger as a
/// file, so that no process has to list all entries.
///
/// The ledger only decides when a trim begins and ends. It may be outdated, lost or wrong. A cache therefore compares
/// it with a sample of the shards when the cache first uses it. A trim also counts the shards that it visits.
///
/// The file has 4,124 bytes. All numbers are little-endian:
///
/// | offset | type | what |
/// |---|---|---|
/// | 0 | 8 bytes | `caloled1` in ASCII, the 1 being the version |
/// | 8 | `UInt64` | reads that found an entry |
/// | 16 | `UInt64` | reads that found no entry |
/// | 24 | 256 × (`UInt64`, `UInt64`) | for each shard, the bytes and the number of its entries |
/// | 4120 | `UInt32` | CRC-32C of all bytes before this field |
struct DiskLedger: Sendable, Hashable {
    /// The number of shards.
    static let shardCount = 256
    /// The length of the ledger's file, in bytes.
    static let byteCount = 24 + shardCount * 16 + 4

    /// The signature at the start of the ledger's file: the bytes `caloled1`, as a little-endian number.
    private static let magic: UInt64 = 0x3164_656C_6F6C_6163
    /// The largest number in a ledger. The sum over 256 shards therefore cannot overflow.
    private static let largestNumber = 1 << 50

    /// The usage of each shard.
    var shards = [DiskUsage](repeating: DiskUsage(), count: shardCount)
    /// The number of reads that found an entry.
    var hits = 0
    /// The number of reads that found no entry.
    var misses = 0

    /// The usage of all shards.
    var total: DiskUsage { shards.reduce(DiskUsage(), +) }

    /// Creates a ledger in which all numbers are zero.
    init() {}

    /// Returns this ledger with changes added. Numbers that would become negative become zero.
    func adding(_ changes: DiskLedger) -> DiskLedger {
        var sum = self
        for (shard, change) in changes.shards.enumerated() {
            sum.shards[shard].byteCount = Self.bounded(sum.shards[shard].byteCount + change.byteCount)
            sum.shards[shard].count = Self.bounded(sum.shards[shard].count + change.count)
        }
        sum.hits = Self.bounded(hits + changes.hits)
        sum.misses = Self.bounded(misses + changes.misses)
        return sum
    }

    private static func bounded(_ number: Int) -> Int { min(max(0, number), largestNumber) }
}

// MARK: - The file

extension DiskLedger {
    /// Creates a ledger from the content of its file. Returns nil if the file is damaged or is not a ledger.
    init?(_ file: Data) {
        guard file.count == Self.byteCount else { return nil }
        let found: [UInt64]? = file.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> [UInt64]? in
            let end = Self.byteCount - 4
            let checksum = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: end, as: UInt32.self))
            guard checksum == DiskEntryFormat.checksum(of: file.prefix(end)) else { return nil }
            return stride(from: 0, to: end, by: 8).map { offset in
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            }
        }
        guard let numbers = found, numbers[0] == Self.magic else { return nil }
        let counts = numbers.map { Self.bounded(Int(clamping: $0)) }
        hits = counts[1]
        misses = counts[2]
        for shard in 0..<Self.shardCount {
            shards[shard] = DiskUsage(byteCount: counts[3 + 2 * shard], count: counts[4 + 2 * shard])
        }
    }

    /// The content of the ledger's file.
    var data: Data {
        var numbers = [Self.magic, UInt64(Self.bounded(hits)), UInt64(Self.bounded(misses))]
        for shard in shards {
            numbers.append(UInt64(Self.bounded(shard.byteCount)))
            numbers.append(UInt64(Self.bounded(shard.count)))
        }
        var bytes = numbers.map(\.littleEndian).withUnsafeBytes { Data($0) }
        let checksum = DiskEntryFormat.checksum(of: bytes)
        withUnsafeBytes(of: checksum.littleEndian) { bytes.append(contentsOf: $0) }
        return bytes
    }
}
