#if JPEG
import Calotype

/// Keeps what a decoder gives as it is: neither limits nor thumbnails are behind it.
struct CollectingRowSink: RowSink, ~Copyable {
    private var builder: PixelBufferBuilder?

    mutating func begin(_ layout: PixelLayout) throws(ImageError) {
        builder = try PixelBufferBuilder(layout: layout)
    }

    mutating func row(_ y: Int, _ body: (inout MutableRawSpan) throws -> Void) throws {
        try builder?.withRow(y) { (row: inout MutableRawSpan) throws -> Void in
            try body(&row)
        }
    }

    mutating func whole(_ body: (inout MutableRawSpan, Int) throws -> Void) throws {
        guard let bytesPerRow = builder?.bytesPerRow else { return }
        try builder?.withUnsafeMutableBytes { (memory: UnsafeMutableRawBufferPointer) throws -> Void in
            var rows = MutableRawSpan(_unsafeBytes: memory)
            try body(&rows, bytesPerRow)
        }
    }

    /// The rows. Those that did not come are transparent.
    consuming func finish() throws(ImageError) -> PixelBuffer {
        guard let builder = consume builder else {
            throw ImageError(.badData, stage: .decode, message: "the decoder did not say what it has")
        }
        return builder.finish()
    }
}
#endif
