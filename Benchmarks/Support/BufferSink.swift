import CalotypeStandard

/// Takes the rows of a coder into memory that is there, as the floors do: what a coder costs by itself.
struct BufferSink: RowSink, ~Copyable {
    private let memory: UnsafeMutableRawBufferPointer
    private var rowByteCount = 0
    /// How many rows have come.
    private(set) var rowCount = 0

    /// For pictures of a size at most.
    init(_ size: PixelSize) {
        memory = .allocate(byteCount: size.width * size.height * 4, alignment: 64)
    }

    deinit { memory.deallocate() }

    /// Forgets the rows that have come.
    mutating func clear() { rowCount = 0 }

    /// The rows that have come.
    var bytes: Data { Data(memory[..<(rowCount * rowByteCount)]) }

    mutating func begin(_ layout: PixelLayout, channels: RowChannels) throws(ImageError) {
        guard layout.rowByteCount * layout.size.height <= memory.count, channels == .rgba else {
            throw ImageError(.badData, stage: .decode, message: "rows that nobody expected")
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
