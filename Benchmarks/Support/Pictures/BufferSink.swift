import CalotypeStandard

/// A sink that copies rows into existing memory, as the floors do. It shows the cost of the coder alone.
struct BufferSink: RowSink, ~Copyable {
    private let memory: UnsafeMutableRawBufferPointer
    private var rowByteCount = 0
    /// The number of received rows.
    private(set) var rowCount = 0

    /// Creates a sink for pictures up to a size.
    init(_ size: PixelSize) {
        memory = .allocate(byteCount: size.width * size.height * 4, alignment: 64)
    }

    deinit { memory.deallocate() }

    /// Discards the received rows.
    mutating func clear() { rowCount = 0 }

    /// The received rows.
    var bytes: Data { Data(memory[..<(rowCount * rowByteCount)]) }

    mutating func begin(_ layout: PixelLayout, channels: RowChannels) throws(ImageError) {
        guard layout.rowByteCount * layout.size.height <= memory.count, channels == .rgba else {
            throw ImageError(
                .badData, stage: .decode, message: "the coder announced \(layout.size) pixels that do not fit the sink")
        }
        rowByteCount = layout.rowByteCount
    }

    mutating func row(_ y: Int, _ body: (inout MutableRawSpan) throws -> Void) throws {
        let row = UnsafeMutableRawBufferPointer(rebasing: memory[y * rowByteCount..<(y + 1) * rowByteCount])
        var span = MutableRawSpan(_unsafeBytes: row)
        try body(&span)
        rowCount += 1
    }

    mutating func whole(_ body: (_ rows: inout MutableRawSpan, _ bytesPerRow: Int) throws -> Void) throws {
        var span = MutableRawSpan(_unsafeBytes: memory)
        try body(&span, rowByteCount)
        rowCount = memory.count / rowByteCount
    }
}
