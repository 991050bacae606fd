/// A sink that draws the rows of a frame at its place on a canvas.
struct CanvasSink: RowSink, ~Copyable {
    /// The canvas; nil for an empty one whose pixel format is not known yet.
    private(set) var canvas: Canvas?
    /// The number of rows that have been drawn.
    private(set) var rowsTaken = 0

    private let canvasSize: PixelSize
    private let region: PixelRegion
    private let isReplacing: Bool
    private let keepsPart: Bool
    private let writesAll: Bool
    private let job: Job
    private var isMisused = false
    /// The places on the canvas where rows are drawn, and the format of their pixels; nil before rows are announced.
    private var target: (places: RowPlaces, format: PixelFormat)?
    /// The memory for a row that is drawn once it is complete; nil if rows are written to the canvas directly.
    private var scratch: RowMemory<UInt8>?

    /// Creates a sink for a frame.
    /// - Parameters:
    ///   - canvas: The canvas to draw on; nil for an empty canvas.
    ///   - region: The part of the canvas that the frame covers.
    ///   - isReplacing: Whether the frame's pixels replace those of the canvas.
    ///   - keepsPart: Whether the canvas is used even if rows are missing.
    ///   - writesAll: Whether the decoder is known to write all pixels or to throw.
    init(
        canvas: Canvas?, size canvasSize: PixelSize, region: PixelRegion, isReplacing: Bool, keepsPart: Bool,
        writesAll: Bool, job: Job
    ) {
        self.canvas = canvas
        self.canvasSize = canvasSize
        self.region = region
        self.isReplacing = isReplacing
        self.keepsPart = keepsPart
        self.writesAll = writesAll
        self.job = job
    }

    /// Whether the canvas can be shown after the decoder has failed.
    var hasPart: Bool { keepsPart && rowsTaken > 0 && !isMisused }

    mutating func begin(_ layout: PixelLayout, channels: RowChannels) throws(ImageError) {
        try job.check()
        guard target == nil else { throw misuse("`begin` was called twice") }
        guard layout.size == region.size else {
            throw misuse("a frame of \(region.size) was announced as \(layout.size)")
        }
        guard channels == .rgba else { throw misuse("an animation was announced in CMYK") }
        if canvas == nil { canvas = try Canvas(size: canvasSize, format: layout.format) }
        guard let canvas, canvas.layout.format == layout.format, canvas.layout.size == canvasSize else {
            throw misuse("the frames differ in pixel format or canvas size")
        }
        canvas.isGray = canvas.isGray && layout.isGray
        // If the canvas is used although the decoder fails, an incomplete row must leave no trace.
        if !isReplacing || keepsPart { scratch = try RowMemory(count: layout.rowByteCount) }
        let places = RowPlaces(
            layout, at: canvas.memory(x: region.x, y: region.y), bytesPerRow: canvas.bytesPerRow)
        target = (places, layout.format)
    }

    mutating func row(_ y: Int, _ body: (inout MutableRawSpan) throws -> Void) throws {
        try job.check()
        guard let (places, format) = target, y == rowsTaken, y < places.count else {
            throw misuse("row \(y) was passed out of order")
        }
        let place = places[y]
        let memory = scratch.map { UnsafeMutableRawBufferPointer(start: $0.base, count: place.count) }
        var span = MutableRawSpan(_unsafeBytes: memory ?? place)
        try body(&span)
        if let memory { draw(memory.baseAddress!, on: place, format) }
        rowsTaken += 1
    }

    mutating func whole(_ body: (inout MutableRawSpan, Int) throws -> Void) throws {
        try job.check()
        guard let (places, format) = target, rowsTaken == 0 else {
            throw misuse("`whole` was called out of order")
        }
        let layout = PixelLayout(size: region.size, format: format)
        var rows = try PixelBufferBuilder(layout, isZeroed: keepsPart || !writesAll)
        let bytesPerRow = rows.bytesPerRow
        var interruption: (any Error)?
        try rows.withUnsafeMutableBytes { memory throws in
            do {
                var span = MutableRawSpan(_unsafeBytes: memory)
                try body(&span, bytesPerRow)
            } catch {
                guard keepsPart else { throw error }
                interruption = error
            }
            for y in 0..<places.count {
                try job.check()
                let row = UnsafeRawBufferPointer(start: memory.baseAddress! + y * bytesPerRow, count: bytesPerRow)
                // Rows that were not written leave the canvas as it is.
                if interruption != nil, row.allSatisfy({ $0 == 0 }) { continue }
                draw(row.baseAddress!, on: places[y], format)
                rowsTaken += 1
            }
        }
        if let interruption { throw interruption }
    }

    private mutating func misuse(_ message: String) -> ImageError {
        isMisused = true
        return .sinkMisuse(message)
    }

    /// Throws `badData` if the decoder stopped before the last row.
    func checkCompleteness() throws(ImageError) {
        guard rowsTaken == region.size.height else { throw .rowsMissing(rowsTaken, of: region.size.height) }
    }

    private func draw(_ row: UnsafeRawPointer, on place: UnsafeMutableRawBufferPointer, _ format: PixelFormat) {
        if isReplacing {
            place.baseAddress!.copyMemory(from: row, byteCount: place.count)
        } else {
            format.draw(row, over: place.baseAddress!, pixelCount: region.size.width)
        }
    }
}
