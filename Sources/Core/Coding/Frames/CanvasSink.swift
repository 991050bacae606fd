/// Draws the rows of a frame on a canvas, where the file says and as it says.
struct CanvasSink: RowSink, ~Copyable {
    /// The canvas; nil for an empty one of which nobody knows yet how its pixels lie in memory.
    private(set) var canvas: Canvas?
    /// How many rows have been drawn.
    private(set) var rowsTaken = 0

    private let canvasSize: PixelSize
    private let region: PixelRegion
    private let isReplacing: Bool
    private let keepsPart: Bool
    private let job: Job
    private var hasBegun = false
    /// A row that is drawn once it is there.
    private var scratch: RowMemory<UInt8>?

    /// A sink for a frame.
    /// - Parameters:
    ///   - canvas: What to draw on; nil for an empty canvas.
    ///   - canvasSize: Its size.
    ///   - region: What of it the frame covers.
    ///   - isReplacing: Whether the frame's pixels replace what is there.
    ///   - keepsPart: Whether the canvas is wanted where rows are missing.
    init(
        canvas: Canvas?, size canvasSize: PixelSize, region: PixelRegion, isReplacing: Bool, keepsPart: Bool, job: Job
    ) {
        self.canvas = canvas
        self.canvasSize = canvasSize
        self.region = region
        self.isReplacing = isReplacing
        self.keepsPart = keepsPart
        self.job = job
    }

    mutating func begin(_ layout: PixelLayout, channels: RowChannels) throws(ImageError) {
        try job.check()
        guard !hasBegun else { throw .sinkMisuse("began twice") }
        guard layout.size == region.size else {
            throw .sinkMisuse("a frame of \(region.size) announced as \(layout.size)")
        }
        guard channels == .rgba else { throw .sinkMisuse("an animation in inks") }
        if canvas == nil { canvas = try Canvas(size: canvasSize, format: layout.format) }
        guard let canvas, canvas.layout.format == layout.format else {
            throw .sinkMisuse("frames of more than one pixel format")
        }
        canvas.isGray = canvas.isGray && layout.isGray
        // A row that breaks off must leave no trace where the canvas is wanted all the same.
        if !isReplacing || keepsPart { scratch = try RowMemory(count: layout.rowByteCount) }
        hasBegun = true
    }

    mutating func row(_ y: Int, _ body: (inout MutableRawSpan) throws -> Void) throws {
        try job.check()
        guard hasBegun, let canvas, y == rowsTaken, y < region.size.height else {
            throw ImageError.sinkMisuse("row \(y) out of order")
        }
        let target = canvas.memory(x: region.x, y: region.y + y)
        let memory = UnsafeMutableRawBufferPointer(
            start: scratch.map { UnsafeMutableRawPointer($0.base) } ?? target,
            count: region.size.width * canvas.layout.format.bytesPerPixel)
        var span = MutableRawSpan(_unsafeBytes: memory)
        try body(&span)
        if scratch != nil { draw(memory.baseAddress!, asRow: y, on: canvas) }
        rowsTaken += 1
    }

    mutating func whole(_ body: (inout MutableRawSpan, Int) throws -> Void) throws {
        try job.check()
        guard hasBegun, let canvas, rowsTaken == 0 else {
            throw ImageError.sinkMisuse("all rows given besides single ones")
        }
        var rows = try PixelBufferBuilder(layout: PixelLayout(size: region.size, format: canvas.layout.format))
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
            for y in 0..<region.size.height {
                try job.check()
                draw(memory.baseAddress! + y * bytesPerRow, asRow: y, on: canvas)
            }
        }
        rowsTaken = region.size.height
        if let interruption { throw interruption }
    }

    /// Throws `badData` where the decoder stopped before the last row.
    func checkCompleteness() throws(ImageError) {
        guard rowsTaken == region.size.height else { throw .rowsMissing(rowsTaken, of: region.size.height) }
    }

    private func draw(_ row: UnsafeRawPointer, asRow y: Int, on canvas: Canvas) {
        let target = canvas.memory(x: region.x, y: region.y + y)
        let format = canvas.layout.format
        if isReplacing {
            target.copyMemory(from: row, byteCount: region.size.width * format.bytesPerPixel)
        } else {
            format.draw(row, over: target, pixelCount: region.size.width)
        }
    }
}
