#if PNG && DEFLATE
import Calotype

/// The rows of a picture or of a frame, which are filtered and compressed at once. Compared with libpng, this takes
/// less time but more memory, and most files are smaller.
///
/// The rows are compressed in the way that is best for a sample of them. Use an instance on one thread at a time.
struct PNGFilteredRows {
    /// The maximum number of bytes of all rows, with the numbers of their filters: 64 MiB, as for 4096x4095 pixels of
    /// color and alpha with 8 bits. The limit for the levels 8 and 9 is an eighth of it.
    ///
    /// An encode cannot be cancelled while the rows are compressed. For the worst rows, random bits in separate bytes,
    /// that takes about four seconds.
    static let maxByteCount = 64 << 20
    /// The maximum number of bytes of a row. Several rows are in memory in addition to the filtered ones.
    private static let maxRowByteCount = 1 << 20
    /// The minimum number of bytes of all rows from which a sample is worth its time. Small photographs with noise
    /// would be longer than libpng's files without one.
    private static let leastByteCountForSample = 4 << 10
    /// The number of bands, evenly spaced from the top to the bottom, of which the sample consists.
    private static let bandCount = 4
    /// The maximum number of bytes of a band.
    private static let maxBandByteCount = 32 << 10
    /// The part of all bytes that a band of many rows has: all bytes divided by this.
    private static let bandDivisor = 64
    /// The minimum number of rows of a band if they are short. In fewer rows, nothing repeats from row to row.
    private static let leastBandRowCount = 8

    private let region: PixelRegion
    private let pixels: PixelBuffer
    private let writer: PNGWriter
    private let rowByteCount: Int

    /// Creates the rows of a region. Returns nil if they take more than `maxByteCount` bytes, so that libpng must write
    /// them.
    init?(
        _ region: PixelRegion, of pixels: PixelBuffer, for writer: PNGWriter, maxByteCount: Int = Self.maxByteCount
    ) {
        self.region = region
        self.pixels = pixels
        self.writer = writer
        rowByteCount = writer.packedRowByteCount
        guard rowByteCount <= Self.maxRowByteCount, region.size.height <= maxByteCount / (1 + rowByteCount)
        else { return nil }
    }

    private var byteCount: Int { region.size.height * (1 + rowByteCount) }

    /// Returns the rows as a zlib stream; nil if they are too many for the level or if memory is short, so that libpng
    /// must write them.
    func compressed(_ effort: PNGEffort, job: Job) throws -> Data? {
        do {
            guard let compression = try compression(effort, job: job) else { return nil }
            let rows = try filtered([0..<region.size.height], by: compression.rule, job: job)
            try job.check()
            return try compression.compressed(rows)
        } catch let error as ImageError where error.code == .outOfMemory {
            return nil
        }
    }

    // MARK: Compression

    /// Returns whether the rows may be compressed at a level, which cannot be cancelled.
    func areFewEnough(for level: Int) -> Bool {
        level < 8 || byteCount <= Self.maxByteCount / 8
    }

    private func compression(_ effort: PNGEffort, job: Job) throws -> PNGCompression? {
        guard case .level(let level) = effort else { return PNGCompression.fastest(ofCodes: writer.writesCodes) }
        guard areFewEnough(for: level) else { return nil }
        let choice = PNGCompressionChoice(rows: self, level: level, job: job)
        guard level > 0, byteCount >= Self.leastByteCountForSample else {
            return choice.withoutSample(ofCodes: writer.writesCodes)
        }
        return try writer.writesCodes ? choice.forCodes() : choice.forChannels()
    }

    // MARK: Rows

    /// Returns the filtered rows of some bands of the picture.
    func sample(by rule: PNGRowFilter.Rule, job: Job) throws -> Data {
        let height = region.size.height
        let share = max(byteCount / Self.bandDivisor / (1 + rowByteCount), Self.leastBandRowCount)
        let rowCount = min(share, max(1, Self.maxBandByteCount / (1 + rowByteCount)), height)
        let bandCount = min(Self.bandCount, height / rowCount)
        let bands = (0..<bandCount).map { band in
            // Each band is in the middle of its share of the picture.
            let start = ((2 * band + 1) * height / bandCount - rowCount) / 2
            return start..<start + rowCount
        }
        return try filtered(bands, by: rule, job: job)
    }

    /// Returns the filtered rows of bands, each of which begins with the number of its filter.
    private func filtered(_ bands: [Range<Int>], by rule: PNGRowFilter.Rule, job: Job) throws -> Data {
        let filter = PNGRowFilter(rule, byteCount: rowByteCount, step: writer.packedPixelByteCount)
        let rowCount = bands.reduce(0) { $0 + $1.count }
        // Two neighboring rows, and a candidate.
        var memory = try Data(count: 3 * rowByteCount, at: .encode) { $0.count }
        return try Data(count: rowCount * (1 + rowByteCount), at: .encode) { target in
            try memory.withUnsafeMutableBytes { (memory: UnsafeMutableRawBufferPointer) in
                var above = memory.baseAddress!.assumingMemoryBound(to: UInt8.self)
                var row = above + rowByteCount
                let candidate = row + rowByteCount
                var filtered = target.baseAddress!.assumingMemoryBound(to: UInt8.self)
                for band in bands {
                    if band.lowerBound > 0 {
                        try pack(band.lowerBound - 1, into: above)
                    } else {
                        above.initialize(repeating: 0, count: rowByteCount)
                    }
                    for y in band {
                        try job.check()
                        try pack(y, into: row)
                        filter.apply(to: row, above: above, candidate: candidate, into: filtered)
                        filtered += 1 + rowByteCount
                        swap(&above, &row)
                    }
                }
            }
            return target.count
        }
    }

    private func pack(_ y: Int, into target: UnsafeMutablePointer<UInt8>) throws {
        let start = region.x * pixels.format.bytesPerPixel
        try pixels.withRow(region.y + y) { (row: RawSpan) throws -> Void in
            try row.withUnsafeBytes { (row: UnsafeRawBufferPointer) throws -> Void in
                try writer.packRow(UnsafeRawBufferPointer(rebasing: row[start...]), into: target)
            }
        }
    }
}
#endif
