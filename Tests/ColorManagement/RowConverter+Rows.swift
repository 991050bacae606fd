#if COLOR
import Calotype

extension RowConverter {
    /// Returns a converted row of levels, four for each pixel.
    func converted<Level: BitwiseCopyable>(_ row: [Level]) -> [Level] {
        var row = row
        row.withUnsafeMutableBytes { bytes in
            var span = MutableRawSpan(_unsafeBytes: bytes)
            convert(&span)
        }
        return row
    }
}

/// Returns the red, green and blue of pixels, without the fourth channel.
func colors<Level>(of pixels: [Level]) -> [Level] {
    pixels.indices.filter { $0 % 4 != 3 }.map { pixels[$0] }
}

/// Returns the fourth channel of pixels.
func alpha<Level>(of pixels: [Level]) -> [Level] {
    stride(from: 3, to: pixels.count, by: 4).map { pixels[$0] }
}
#endif
