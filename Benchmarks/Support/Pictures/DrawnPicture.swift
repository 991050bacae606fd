import CalotypeStandard
import CalotypeTesting

/// A picture that resembles a photograph to coders: smooth gradients, hard edges, texture and sensor noise.
enum DrawnPicture {
    /// Draws the picture at a size, with the same pixels each time. Unless it is opaque, its left half fades in.
    static func pixels(size: PixelSize, isOpaque: Bool) throws -> PixelBuffer {
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: size))
        let rowBytes = builder.bytesPerRow
        builder.withUnsafeMutableBytes { (rows: UnsafeMutableRawBufferPointer) -> Void in
            var noise = Noise()
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let (red, green, blue) = color(x: x, y: y, of: size)
                    let place = y * rowBytes + x * 4
                    rows[place] = UInt8(clamping: red + noise.next())
                    rows[place + 1] = UInt8(clamping: green + noise.next())
                    rows[place + 2] = UInt8(clamping: blue + noise.next())
                    rows[place + 3] = isOpaque ? 255 : UInt8(clamping: x * 510 / size.width)
                }
            }
        }
        return builder.finish(isOpaque: isOpaque)
    }

    /// Draws the opaque picture with at most 256 colors: 8 levels of red and green, and 4 of blue.
    static func fewColors(size: PixelSize) throws -> PixelBuffer {
        let drawn = try pixels(size: size, isOpaque: true)
        var builder = try PixelBufferBuilder(layout: drawn.layout)
        for y in 0..<size.height {
            builder.withRow(y) { (row: inout MutableRawSpan) -> Void in
                row.withUnsafeMutableBytes { (row: UnsafeMutableRawBufferPointer) -> Void in
                    drawn.withRow(y) { (source: RawSpan) -> Void in
                        source.withUnsafeBytes { row.copyMemory(from: $0) }
                    }
                    for place in stride(from: 0, to: row.count, by: 4) {
                        row[place] &= 0xE0
                        row[place + 1] &= 0xE0
                        row[place + 2] &= 0xC0
                    }
                }
            }
        }
        return builder.finish(isOpaque: true)
    }

    /// Returns the color of a sky above hills with texture.
    private static func color(x: Int, y: Int, of size: PixelSize) -> (red: Int, green: Int, blue: Int) {
        let hills = wave(x, length: size.width / 3, height: size.height / 8)
        let trees = wave(x, length: size.width / 17, height: size.height / 40)
        let horizon = size.height * 3 / 5 - hills - trees
        guard y >= horizon else {
            let slope = 80 * y / size.height
            return (red: 90 + slope, green: 140 + slope * 3 / 4, blue: 230 - slope / 2)
        }
        let slope = 60 * (y - horizon) / size.height
        let texture = (x / 3 ^ y / 3) & 31
        return (red: 70 + slope + texture, green: 90 + slope + texture, blue: 40 + texture / 2)
    }

    /// Returns the height of a triangle wave that rises to `height` in `length` pixels and falls again.
    private static func wave(_ x: Int, length: Int, height: Int) -> Int {
        let length = max(1, length)
        let place = x % (2 * length)
        return (place < length ? place : 2 * length - place) * height / length
    }

    /// A generator of noise from -4 to 4.
    private struct Noise {
        private var generator = SplitMix64(seed: 1)

        mutating func next() -> Int { Int(generator.next() >> 32) % 9 - 4 }
    }
}

extension PixelBuffer {
    /// The pixels row by row, without padding.
    var tightBytes: Data {
        let rowByteCount = layout.rowByteCount
        var bytes = Data(capacity: height * rowByteCount)
        withUnsafeBytes { (rows: UnsafeRawBufferPointer) -> Void in
            for y in 0..<height {
                bytes.append(contentsOf: rows[y * bytesPerRow..<y * bytesPerRow + rowByteCount])
            }
        }
        return bytes
    }
}
