#if PNG && DEFLATE
import Calotype

/// The rows of a picture or of a frame, which are filtered and compressed at once. Compared with libpng, this takes less
/// time but more memory, and most files are smaller.
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
    /// The minimum number of bytes of all rows from which a sample is worth its time.
    private static let leastByteCountForSample = 64 << 10
    /// The number of bands, evenly spaced from the top to the bottom, of which the sample consists.
    private static let bandCount = 4
    /// The maximum number of bytes of a band. A band also has at most this fraction of all bytes.
    private static let band = (byteCount: 32 << 10, fraction: 32)
    /// The fraction of its bytes that a sample must take at least for the picture to count as noise. Pictures that take
    /// less consist of repetitions, some of which are farther apart than the rows of a band.
    private static let noiseFraction = 5
    /// The fraction of its bytes that a sample must save at least at the next level for that level to be worth its time.
    /// Smooth gradients save more, and other pictures less. Samples of codes contain less of what repeats.
    private static let savingFraction = (channels: 25, codes: 60)

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
            return try compressed(rows, by: compression)
        } catch let error as ImageError where error.code == .outOfMemory {
            return nil
        }
    }

    // MARK: Compression

    /// Returns whether the rows may be compressed at a level, which cannot be cancelled.
    private func areFewEnough(for level: Int) -> Bool {
        level < 8 || byteCount <= Self.maxByteCount / 8
    }

    /// Returns the compression at the next level; nil if this level is beyond `limit`, or if the rows are too many for
    /// it.
    private func slower(_ compression: PNGCompression, limit: Int) -> PNGCompression? {
        guard let slower = compression.slower, case .all(let level) = slower.repetitions else { return nil }
        return level <= limit && areFewEnough(for: level) ? slower : nil
    }

    private func compression(_ effort: PNGEffort, job: Job) throws -> PNGCompression? {
        guard case .level(let level) = effort else { return PNGCompression.fastest(ofCodes: writer.writesCodes) }
        guard areFewEnough(for: level) else { return nil }
        let candidates = PNGCompression.candidates(level: level, ofCodes: writer.writesCodes)
        guard level > 0, byteCount >= Self.leastByteCountForSample else {
            let usual = PNGCompression(rule: candidates[0].rule, repetitions: .all(level: level))
            return slower(usual, limit: level + 1) ?? usual
        }
        let rules = Set(candidates.map(\.rule))
        let samples = try Dictionary(uniqueKeysWithValues: rules.map { ($0, try sample(by: $0, job: job)) })
        func size(by compression: PNGCompression) throws -> Int {
            try job.check()
            return try compressed(samples[compression.rule] ?? Data(), by: compression).count
        }
        var best = (compression: candidates[0], size: try size(by: candidates[0]))
        for candidate in candidates.dropFirst() {
            let size = try size(by: candidate)
            let isNoise = size * Self.noiseFraction >= samples[candidate.rule]?.count ?? 0
            if size < best.size, isNoise || !candidate.isForNoise { best = (candidate, size) }
        }
        let fraction = writer.writesCodes ? Self.savingFraction.codes : Self.savingFraction.channels
        while let slower = slower(best.compression, limit: level + 1) {
            let size = try size(by: slower)
            guard (best.size - size) * fraction >= best.size else { break }
            best = (slower, size)
        }
        return best.compression
    }

    private func compressed(_ rows: Data, by compression: PNGCompression) throws -> Data {
        try Data(count: PNGCompression.byteLimit(for: rows.count), at: .encode) { target in
            guard let count = rows.withUnsafeBytes({ compression.compress($0, into: target) }) else {
                throw ImageError.noMemoryForPNG(.encode)
            }
            return count
        }
    }

    // MARK: Rows

    /// Returns the filtered rows of some bands of the picture.
    private func sample(by rule: PNGRowFilter.Rule, job: Job) throws -> Data {
        let height = region.size.height
        let byteLimit = min(Self.band.byteCount, byteCount / Self.band.fraction)
        let rowCount = min(max(1, byteLimit / (1 + rowByteCount)), height)
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
