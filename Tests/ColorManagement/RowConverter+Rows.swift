#if COLOR
import Calotype

extension RowConverter {
    /// What becomes of a row of these levels, four for each pixel.
    func converted<Level: BitwiseCopyable>(_ row: [Level]) -> [Level] {
        var row = row
        row.withUnsafeMutableBytes { bytes in
            var span = MutableRawSpan(_unsafeBytes: bytes)
            convert(&span)
        }
        return row
    }
}

/// Red, green and blue of pixels, without the fourth channel.
func colors<Level>(of pixels: [Level]) -> [Level] {
    pixels.indices.filter { $0 % 4 != 3 }.map { pixels[$0] }
}

/// The fourth channel of pixels.
func alpha<Level>(of pixels: [Level]) -> [Level] {
    stride(from: 3, to: pixels.count, by: 4).map { pixels[$0] }
}
#endif
