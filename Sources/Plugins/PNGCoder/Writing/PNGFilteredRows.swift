#if PNG && DEFLATE
import Calotype

/// The rows of a picture or of a frame, which are filtered and compressed at once. Compared with libpng, this takes less
/// time but more memory, and makes smaller files.
///
/// The rows are compressed in the way that is best for a sample of them. Use an instance on one thread at a time.
struct PNGFilteredRows {
    /// The maximum number of bytes of all rows, with the numbers of their filters: 64 MiB, as for 4096x4095 pixels of
    /// color and alpha with 8 bits.
    ///
    /// An encode cannot be cancelled while the rows are compressed.
    private static let maxByteCount = 64 << 20
    /// The maximum number of bytes of a row. Several rows are in memory in addition to the filtered ones.
    private static let maxRowByteCount = 1 << 20
    /// The minimum number of bytes of all rows from which a sample is worth its time.
    private static let leastByteCountForSample = 64 << 10
    /// The number of places, evenly spaced from the top to the bottom, from which the sample is taken.
    private static let bandCount = 4
    /// The maximum number of bytes of a band. A band also has at most this fraction of all bytes.
    private static let band = (byteCount: 16 << 10, fraction: 32)
    /// The fraction of its bytes that a sample must take at least for the picture to count as noise. Pictures that take
    /// less consist of repetitions, some of which are farther apart than the rows of a band.
    private static let noiseFraction = 5

    private let region: PixelRegion
    private let pixels: PixelBuffer
    private let writer: PNGWriter
    private let rowByteCount: Int

    /// Creates the rows of a region. Returns nil if there are too many for memory, so that libpng must write them.
    init?(_ region: PixelRegion, of pixels: PixelBuffer, for writer: PNGWriter) {
        self.region = region
        self.pixels = pixels
        self.writer = writer
        rowByteCount = writer.packedRowByteCount
        guard rowByteCount <= Self.maxRowByteCount,
            region.size.height <= Self.maxByteCount / (1 + rowByteCount)
        else { return nil }
    }

    private var byteCount: Int { region.size.height * (1 + rowByteCount) }

    /// Compresses the rows, and writes them to the file.
    /// - Parameter level: The compression level, 0 (none) to 9 (smallest and slowest).
    func write(level: Int, job: Job) throws {
        let compression = try compression(level: level, job: job)
        let rows = try filtered(0..<region.size.height, by: compression.rule, job: job)
        try job.check()
        try writer.writePixels(byteLimit: PNGCompression.byteLimit(for: rows.count)) { target in
            rows.withUnsafeBytes { compression.compress($0, level: level, into: target) }
        }
    }

    // MARK: Compression

    private func compression(level: Int, job: Job) throws -> PNGCompression {
        guard level > 0, !writer.writesCodes else { return .unfiltered }
        guard byteCount >= Self.leastByteCountForSample else { return .standard }
        let (height, rowLimit) = (region.size.height, min(Self.band.byteCount, byteCount / Self.band.fraction))
        let rowCount = min(max(1, rowLimit / (1 + rowByteCount)), height)
        var sizes = [0, 0, 0]
        let candidates = [PNGCompression.photograph, .standard, .drawing]
        var sampleByteCount = 0
        for band in 0..<Self.bandCount {
            let start = (2 * band + 1) * (height - rowCount) / (2 * Self.bandCount)
            let rows = start..<start + rowCount
            let bySum = try filtered(rows, by: .smallestSum, job: job)
            let byPairs = try filtered(rows, by: .fewestPairs, job: job)
            sampleByteCount += bySum.count
            for (index, candidate) in candidates.enumerated() {
                try job.check()
                let filtered = candidate.rule == .fewestPairs ? byPairs : bySum
                sizes[index] += try byteCount(of: filtered, by: candidate, level: level)
            }
        }
        let isNoise = sizes[0] * Self.noiseFraction >= sampleByteCount
        let best = sizes.indices.filter { $0 > 0 || isNoise }.min { sizes[$0] < sizes[$1] }
        return candidates[best ?? 1]
    }

    private func byteCount(of rows: Data, by compression: PNGCompression, level: Int) throws -> Int {
        try Data(count: PNGCompression.byteLimit(for: rows.count), at: .encode) { target in
            guard let count = rows.withUnsafeBytes({ compression.compress($0, level: level, into: target) }) else {
                throw ImageError.noMemoryForPNG(.encode)
            }
            return count
        }.count
    }

    // MARK: Rows

    /// Returns filtered rows, each of which begins with the number of its filter.
    private func filtered(_ rows: Range<Int>, by rule: PNGRowFilter.Rule, job: Job) throws -> Data {
        let filter = PNGRowFilter(rule, byteCount: rowByteCount, step: writer.packedPixelByteCount)
        return try Data(count: rows.count * (1 + rowByteCount), at: .encode) { target in
            try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * rowByteCount) { memory in
                var (above, row) = (memory.baseAddress!, memory.baseAddress! + rowByteCount)
                if rows.lowerBound > 0 {
                    try pack(rows.lowerBound - 1, into: above)
                } else {
                    above.initialize(repeating: 0, count: rowByteCount)
                }
                var filtered = target.baseAddress!.assumingMemoryBound(to: UInt8.self)
                for y in rows {
                    try job.check()
                    try pack(y, into: row)
                    filter.apply(to: row, above: above, into: filtered)
                    filtered += 1 + rowByteCount
                    swap(&above, &row)
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
