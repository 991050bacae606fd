#if JPEG
import Calotype

extension JPEGReader {
    /// Delivers the pixels of an announced picture to a sink.
    /// - Parameter onWait: Called when more bytes are needed. It appends some, or throws an error.
    func readPixels(
        _ output: JPEGOutput, into sink: inout some RowSink & ~Copyable, onWait: () throws -> Void
    ) throws {
        let height = output.layout.size.height
        var y = 0
        while givesPlanes, y < height {
            if let end = try readPlanes(from: y, into: &sink) { y = end } else { try onWait() }
        }
        while y < height {
            try sink.row(y) { (row: inout MutableRawSpan) throws -> Void in
                try row.withUnsafeMutableBytes { (row: UnsafeMutableRawBufferPointer) throws -> Void in
                    while try !readRow(y, into: row) { try onWait() }
                }
            }
            y += 1
        }
    }
}
#endif
