/// The picture being made: where its rows go, and how it comes to stand upright.
///
/// A flip or half turn of rows that come one by one costs no second picture: each goes to its place and is reversed
/// there. Rows that are to become columns are turned at the end, and so is a picture whose rows a resampler writes.
struct RowTarget: ~Copyable {
    /// The places for stored rows that come one by one; valid as long as this object.
    let rows: RowPlaces
    /// The memory for a resampler's rows, as stored; valid as long as this object.
    let memory: (base: UnsafeMutableRawPointer, bytesPerRow: Int)

    private var builder: PixelBufferBuilder
    /// The orientation from which the picture is turned once all rows are there.
    private let turning: Orientation

    /// Memory for rows of a layout, as stored.
    /// - Parameters:
    ///   - orientation: How rows are to be turned upright.
    ///   - isResampled: Whether rows are written to `memory`.
    init(_ layout: PixelLayout, orientation: Orientation, isResampled: Bool) throws(ImageError) {
        var builder = try PixelBufferBuilder(uninitialized: layout)
        let base = builder.withUnsafeMutableBytes { $0.baseAddress! }
        let bytesPerRow = builder.bytesPerRow
        let isPlaced = !isResampled && !orientation.isTransposed
        let placing = isPlaced ? orientation : .up
        rows = RowPlaces(
            layout, at: base, bytesPerRow: bytesPerRow, isFlipped: placing == .downMirrored || placing == .down,
            isMirrored: placing == .upMirrored || placing == .down)
        memory = (base: base, bytesPerRow: bytesPerRow)
        turning = isPlaced ? .up : orientation
        self.builder = builder
    }

    /// Lends the memory of stored row `y` to `body`.
    mutating func fillRow(_ y: Int, _ body: (inout MutableRawSpan) -> Void) {
        let place = rows[y]
        var row = MutableRawSpan(_unsafeBytes: place)
        body(&row)
        if rows.isMirrored { row.mirror(builder.layout.format) }
    }

    /// Lends all rows, as stored, to `body`; then they are converted and placed.
    /// - Parameter isZeroed: Whether the memory is all zero at first. Otherwise it can hold another picture's pixels.
    mutating func fillAll(
        isZeroed: Bool, converter: BoxedRowConverter?, job: Job, _ body: (inout MutableRawSpan, Int) throws -> Void
    ) throws {
        let rowBytes = builder.bytesPerRow
        try builder.withUnsafeMutableBytes { memory throws in
            if isZeroed { memory.initializeMemory(as: UInt8.self, repeating: 0) }
            var rows = MutableRawSpan(_unsafeBytes: memory)
            try body(&rows, rowBytes)
        }
        let (format, isMirrored) = (builder.layout.format, rows.isMirrored)
        if let converter {
            try changeRows(job: job) { row in
                converter.convert(&row)
                if isMirrored { row.mirror(format) }
            }
        } else if isMirrored {
            try changeRows(job: job) { row in row.mirror(format) }
        }
        if rows.isFlipped { try flip() }
    }

    /// The picture, its colours converted, with 8 bits for each channel unless it keeps its depth, and upright.
    /// - Parameters:
    ///   - isOpaque: Whether every alpha value is full, now that all of them are there.
    ///   - hasUncheckedClaims: Whether that, and what the layout says, comes from code outside the library.
    consuming func finish(
        converter: BoxedRowConverter?, isOpaque: Bool, hasUncheckedClaims: Bool, keepsDepth: Bool, job: Job
    ) throws(ImageError) -> PixelBuffer {
        if let converter { try changeRows(job: job) { row in converter.convert(&row) } }
        let turning = turning
        let made = builder.finish()
        var layout = made.layout
        layout.isOpaque = isOpaque
        let pixels = PixelBuffer(
            storage: made.storage, layout: layout,
            hasUncheckedClaims: hasUncheckedClaims && (layout.isOpaque || layout.isGray))
        return try (keepsDepth ? pixels : pixels.eightBit(job: job)).upright(from: turning, job: job)
    }

    /// Lends each row to `change`, as it is in memory from the top.
    private mutating func changeRows(job: Job, _ change: (inout MutableRawSpan) -> Void) throws(ImageError) {
        for y in 0..<rows.count {
            try job.check()
            builder.withRow(y, change)
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
