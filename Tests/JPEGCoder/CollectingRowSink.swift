#if JPEG
import Calotype

/// Keeps the rows that a decoder gives as they are: neither limits nor colors nor thumbnails are behind it.
struct CollectingRowSink: RowSink, ~Copyable {
    /// What the rows hold; nil before they begin.
    private(set) var channels: RowChannels?
    /// How many rows have come.
    private(set) var rowCount = 0
    private var layout: PixelLayout?
    private var builder: PixelBufferBuilder?

    mutating func begin(_ layout: PixelLayout, channels: RowChannels) throws(ImageError) {
        self.channels = channels
        self.layout = layout
        builder = try PixelBufferBuilder(layout: layout)
    }

    mutating func row(_ y: Int, _ body: (inout MutableRawSpan) throws -> Void) throws {
        try builder?.withRow(y) { (row: inout MutableRawSpan) throws -> Void in
            try body(&row)
        }
        rowCount += 1
    }

    mutating func whole(_ body: (inout MutableRawSpan, Int) throws -> Void) throws {
        guard let bytesPerRow = builder?.bytesPerRow else { return }
        try builder?.withUnsafeMutableBytes { (memory: UnsafeMutableRawBufferPointer) throws -> Void in
            var rows = MutableRawSpan(_unsafeBytes: memory)
            try body(&rows, bytesPerRow)
        }
    }

    /// The rows. Those that did not come are transparent, or without ink; the first of them may hold anything.
    consuming func finish() throws(ImageError) -> PixelBuffer {
        let layout = layout
        guard let builder = consume builder else {
            throw ImageError(.badData, stage: .decode, message: "the decoder did not say what it has")
        }
        return builder.finish(isOpaque: layout?.isOpaque == true, isGray: layout?.isGray == true)
    }
}
#endif
