#if PNG
import Calotype

/// A sink that stores a decoder's rows unmodified, without limits, color conversion or thumbnails.
struct CollectingRowSink: RowSink, ~Copyable {
    /// The number of received rows.
    private(set) var rowCount = 0
    private var layout: PixelLayout?
    private var builder: PixelBufferBuilder?

    mutating func begin(_ layout: PixelLayout, channels: RowChannels) throws(ImageError) {
        guard layout.size.area < 1 << 20 else {
            throw ImageError(.limitExceeded, stage: .decode, message: "is too large for a test")
        }
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

    /// Returns the rows. Missing rows are transparent.
    consuming func finish() throws(ImageError) -> PixelBuffer {
        let layout = layout
        guard let builder = consume builder else {
            throw ImageError(.badData, stage: .decode, message: "the decoder did not say what it has")
        }
        return builder.finish(isOpaque: layout?.isOpaque == true, isGray: layout?.isGray == true)
    }
}
#endif
