/// The memory in which a picture is made and turned upright.
///
/// Rows that arrive one by one are written directly to their final position, unless rows become columns. A picture
/// whose rows become columns is turned at the end, and so is one that a resampler writes.
struct RowTarget: ~Copyable {
    /// The memory of each row, by the row's number in the file. Valid as long as this object exists.
    let rows: RowPlaces
    /// The memory that a resampler writes to, in the stored orientation. Valid as long as this object exists.
    let memory: (base: UnsafeMutableRawPointer, bytesPerRow: Int)

    private var builder: PixelBufferBuilder
    /// The orientation to turn upright from once all rows have arrived; `.up` if nothing needs to be turned then.
    private let turning: Orientation

    /// Allocates memory for rows of a layout, in their stored orientation.
    /// - Parameters:
    ///   - orientation: The orientation to turn upright from; `.up` to keep the rows as they are stored.
    ///   - isResampled: Whether a resampler writes rows to `memory`.
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

    /// Lends the memory of all rows, in their stored order, to `body`. Then converts the rows, and moves them to their
    /// final positions.
    /// - Parameter isZeroed: Whether the memory is filled with zero first. If false, it can hold another picture's
    ///   pixels.
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

    /// Returns the finished picture: turned upright, with colors converted by `converter`, and with 8 bits per channel
    /// unless `keepsDepth` is true.
    /// - Parameters:
    ///   - isOpaque: Whether the pixels are known or claimed to be opaque, now that all rows have arrived.
    ///   - hasUncheckedClaims: See ``PixelBuffer/hasUncheckedClaims``.
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
        return try (keepsDepth ? pixels : pixels.converted(to: .rgba8, job: job)).upright(from: turning, job: job)
    }

    /// Lends each row to `change`, in the order in which the rows lie in memory.
    private mutating func changeRows(job: Job, _ change: (inout MutableRawSpan) -> Void) throws(ImageError) {
        for y in 0..<rows.count {
            try job.check()
            builder.withRow(y, change)
        }
    }

    /// Reverses the order of the rows, so that the top becomes the bottom.
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
