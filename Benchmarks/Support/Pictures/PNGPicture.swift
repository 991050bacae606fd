#if PNG
import CalotypeStandard
import CalotypeTesting

/// The pictures for the rows of PNG. Raw values are parts of the rows' ids.
enum PNGPicture: String, CaseIterable, Sendable {
    /// RGB with the noise of a sensor.
    case photograph
    /// RGBA, otherwise like a photograph.
    case transparent
    /// RGB: windows with text and a photograph, on a smooth background.
    case screenshot
    /// A palette of 16 colors: areas and lines.
    case drawing
    /// RGB of 16 bits, otherwise like a photograph.
    case deep
    /// RGBA of 64x64 pixels, otherwise like a photograph.
    case small = "64"

    var size: PixelSize { self == .small ? PixelSize(64, 64) : PixelSize(1920, 1080) }

    /// The form in which the picture is stored.
    var form: PNGRows.Form {
        switch self {
        case .photograph, .screenshot: .color
        case .transparent, .small: .alpha
        case .drawing: .palette
        case .deep: .deep
        }
    }

    var title: String {
        switch self {
        case .photograph: "RGB photograph"
        case .transparent: "RGBA photograph"
        case .screenshot: "RGB screenshot"
        case .drawing: "16-color drawing"
        case .deep: "16-bit RGB photograph"
        case .small: "\(size) RGBA, the coder"
        }
    }

    /// The kind of the pixels for the Python peers.
    var kind: ResizingKind {
        switch self {
        case .photograph, .screenshot, .drawing: .opaque
        case .transparent, .small: .alpha
        case .deep: .deep
        }
    }

    /// Draws the picture, with the same pixels each time.
    func pixels() throws -> PixelBuffer {
        switch self {
        case .photograph: try DrawnPicture.pixels(size: size, isOpaque: true)
        case .transparent, .small: try DrawnPicture.pixels(size: size, isOpaque: false)
        case .screenshot: try screenshot()
        case .drawing: try drawing()
        case .deep: try deep()
        }
    }

    private func screenshot() throws -> PixelBuffer {
        let text = [UInt8](try TestPattern.text.pixels(size: size).tightBytes)
        let photograph = [UInt8](try DrawnPicture.pixels(size: size, isOpaque: true).tightBytes)
        return try picture { x, y in
            let place = (y * size.width + x) * 4
            switch (x, y) {
            // The title bar of each window, and its contents.
            case (80..<1000, 60..<90), (620..<1800, 400..<430): return (60, 64, 72)
            case (640..<1240, 450..<880): return (photograph[place], photograph[place + 1], photograph[place + 2])
            case (620..<1800, 430..<1000): return (246, 246, 242)
            case (100..<980, 110..<780):
                // Lines of text end at different columns, and some have another color.
                let line = y / 9
                guard x < 600 + line * 97 % 380 else { return (255, 255, 255) }
                let level = text[place]
                return line % 7 == 3 ? (level / 2, level / 2 + 60, level / 2 + 110) : (level, level, level)
            case (80..<1000, 90..<800): return (255, 255, 255)
            default: return (UInt8(30 + y / 12), UInt8(60 + x / 24), UInt8(110 + (x + y) / 30))
            }
        }
    }

    private func drawing() throws -> PixelBuffer {
        let lines = [UInt8](try TestPattern.edges.pixels(size: size).tightBytes)
        return try picture { x, y in
            guard lines[(y * size.width + x) * 4] > 128 else { return (20, 20, 20) }
            let area = 1 + (x / 240 + y / 135 * 8) % 15
            return (UInt8(area * 16), UInt8(255 - area * 12), UInt8(area * 97 % 256))
        }
    }

    private func deep() throws -> PixelBuffer {
        let drawn = [UInt8](try DrawnPicture.pixels(size: size, isOpaque: true).tightBytes)
        var layout = PixelLayout(size: size)
        layout.format = .rgba16
        var builder = try PixelBufferBuilder(layout: layout)
        var generator = SplitMix64(seed: 3)
        for y in 0..<size.height {
            builder.withRow(y) { (row: inout MutableRawSpan) -> Void in
                row.withUnsafeMutableBytes { (row: UnsafeMutableRawBufferPointer) -> Void in
                    let values = row.assumingMemoryBound(to: UInt16.self)
                    for index in values.indices {
                        let noise = index % 4 == 3 ? 255 : UInt16(truncatingIfNeeded: generator.next() >> 56)
                        values[index] = UInt16(drawn[y * size.width * 4 + index]) << 8 | noise
                    }
                }
            }
        }
        return builder.finish(isOpaque: true)
    }

    private func picture(
        _ color: (_ x: Int, _ y: Int) -> (red: UInt8, green: UInt8, blue: UInt8)
    ) throws -> PixelBuffer {
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: size))
        for y in 0..<size.height {
            builder.withRow(y) { (row: inout MutableRawSpan) -> Void in
                row.withUnsafeMutableBytes { (row: UnsafeMutableRawBufferPointer) -> Void in
                    for x in 0..<size.width {
                        let (red, green, blue) = color(x, y)
                        (row[x * 4], row[x * 4 + 1], row[x * 4 + 2], row[x * 4 + 3]) = (red, green, blue, 255)
                    }
                }
            }
        }
        return builder.finish(isOpaque: true)
    }
}
#endif
