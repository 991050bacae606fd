#if GIF
import Calotype

/// The colors of the 256 palette indices in red, green, blue and alpha. Indices beyond the frame's palette are opaque
/// black, except the index of transparent pixels.
struct GIFPalette {
    private var colors = [UInt32](repeating: UInt32(bigEndian: 0x0000_00FF), count: 256)

    init(of frame: GIFFrame, in file: UnsafeRawBufferPointer) {
        if let place = frame.palette {
            for (index, start) in stride(from: place.lowerBound, to: place.upperBound, by: 3).enumerated() {
                let color = UInt32(file[start]) << 24 | UInt32(file[start + 1]) << 16 | UInt32(file[start + 2]) << 8
                colors[index] = UInt32(bigEndian: color | 0xFF)
            }
        }
        if let transparent = frame.transparentIndex { colors[transparent] = 0 }
    }

    /// Writes the colors of palette indices to a row.
    func write(_ indices: UnsafeBufferPointer<UInt8>, to row: UnsafeMutableRawBufferPointer) {
        let count = min(indices.count, row.count / 4)
        colors.withUnsafeBufferPointer { colors in
            let pixels = row.baseAddress!.assumingMemoryBound(to: UInt32.self)
            for index in 0..<count { pixels[index] = colors[Int(indices[index])] }
        }
    }
}
#endif
