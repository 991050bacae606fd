/// The picture being made: where its rows go, and how it comes to stand upright.
///
/// A flip or half turn of rows that come one by one costs no second picture: each goes to its place and is reversed
/// there. Rows that are to become columns are turned at the end, and so is a picture whose rows a resampler writes.
struct RowTarget: ~Copyable {
    private var builder: PixelBufferBuilder
    /// How rows are placed while they come.
    private let placing: Orientation
    /// How the picture is turned once all of them are there.
    private let turning: Orientation

    /// Memory for rows of a layout, as stored.
    /// - Parameters:
    ///   - orientation: How rows are to be turned upright.
    ///   - isResampled: Whether rows are written to `memory`.
    init(_ layout: PixelLayout, orientation: Orientation, isResampled: Bool) throws(ImageError) {
        builder = try PixelBufferBuilder(uninitialized: layout)
        let isPlaced = !isResampled && !orientation.isTransposed
        placing = isPlaced ? orientation : .up
        turning = isPlaced ? .up : orientation
    }

    /// Where a resampler writes rows as stored; valid as long as this lives.
    var memory: (base: UnsafeMutableRawPointer, bytesPerRow: Int) {
        mutating get { (builder.withUnsafeMutableBytes { $0.baseAddress! }, builder.bytesPerRow) }
    }

    /// Lends the memory of stored row `y` to `body`.
    mutating func fillRow<Failure: Error>(
        _ y: Int, _ body: (inout MutableRawSpan) throws(Failure) -> Void
    ) throws(Failure) {
        let layout = builder.layout
        let isMirrored = isMirrored
        try builder.withRow(isFlipped ? layout.size.height - 1 - y : y) { row throws(Failure) in
            try body(&row)
            if isMirrored { row.mirror(layout.format) }
        }
    }

    /// Lends all rows, as stored, to `body`; then they are converted and placed.
    mutating func fillAll(
        converter: (any RowConverter)?, job: Job, _ body: (inout MutableRawSpan, Int) throws -> Void
    ) throws {
        let rowBytes = builder.bytesPerRow
        try builder.withUnsafeMutableBytes { memory throws in
            // The memory may have been another picture's, of which nothing may be seen where the decoder leaves gaps.
            memory.initializeMemory(as: UInt8.self, repeating: 0)
            var rows = MutableRawSpan(_unsafeBytes: memory)
            try body(&rows, rowBytes)
        }
        if converter != nil || isMirrored { try convert(by: converter, isMirroring: isMirrored, job: job) }
        if isFlipped { try flip() }
    }

    /// The picture, its colours converted, with 8 bits for each channel unless it keeps its depth, and upright.
    /// - Parameter isOpaque: Whether every alpha value is full, now that all of them are there.
    consuming func finish(
        converter: (any RowConverter)?, isOpaque: Bool, keepsDepth: Bool, job: Job
    ) throws(ImageError) -> PixelBuffer {
        if let converter { try convert(by: converter, isMirroring: false, job: job) }
        let turning = turning
        let made = builder.finish()
        var layout = made.layout
        layout.isOpaque = isOpaque
        let pixels = PixelBuffer(storage: made.storage, layout: layout)
        return try (keepsDepth ? pixels : pixels.eightBit(job: job)).upright(from: turning, job: job)
    }

    private var isMirrored: Bool { placing == .upMirrored || placing == .down }
    private var isFlipped: Bool { placing == .downMirrored || placing == .down }

    private mutating func convert(
        by converter: (any RowConverter)?, isMirroring: Bool, job: Job
    ) throws(ImageError) {
        let layout = builder.layout
        for y in 0..<layout.size.height {
            try job.check()
            builder.withRow(y) { row in
                converter?.convert(&row)
                if isMirroring { row.mirror(layout.format) }
            }
        }
    }

    /// Exchanges rows: top becomes bottom.
    private mutating func flip() throws(ImageError) {
        let height = builder.layout.size.height
        let rowBytes = builder.bytesPerRow
        let kept = try RowMemory<UInt8>(count: rowBytes)
        builder.withUnsafeMutableBytes { memory in
            let base = memory.baseAddress!
            for y in 0..<height / 2 {
                let upper = base + y * rowBytes
                let lower = base + (height - 1 - y) * rowBytes
                UnsafeMutableRawPointer(kept.base).copyMemory(from: upper, byteCount: rowBytes)
                upper.copyMemory(from: lower, byteCount: rowBytes)
                lower.copyMemory(from: kept.base, byteCount: rowBytes)
            }
        }
    }
}
