#if JPEG
import Calotype

extension JPEGReader {
    /// Delivers the pixels of an announced picture to a sink. Throws ``incomplete`` if more bytes must arrive first.
    func readPixels(_ output: JPEGOutput, into sink: inout some RowSink & ~Copyable) throws {
        let height = output.layout.size.height
        var y = 0
        while givesPlanes, y < height {
            guard let end = try readPlanes(from: y, into: &sink) else { throw Self.incomplete }
            y = end
        }
        while y < height {
            try sink.row(y) { (row: inout MutableRawSpan) throws -> Void in
                try row.withUnsafeMutableBytes { (row: UnsafeMutableRawBufferPointer) throws -> Void in
                    guard try readRow(y, into: row) else { throw Self.incomplete }
                }
            }
            y += 1
        }
    }
}
#endif
