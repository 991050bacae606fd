#if PNG
import CalotypeStandard
import CalotypeTesting
import Foundation

/// A picture for the rows of PNG.
struct PNGPicture: Sendable {
    /// A part of the ids of its rows.
    let id: String
    let title: String
    /// The form in which the picture is stored; nil for RGB or RGBA of 8 bits, depending on whether it is opaque.
    var form: PNGRows.Form?
    /// Whether the coder itself is measured, without a manager and its thread switches.
    var isForCoder = false
    /// Whether the picture's files count in the sum of bytes. Noise in the lower bytes would be most of the sum.
    var countsInSum = true
    /// Returns the picture, with the same pixels each time.
    let pixels: @Sendable () async throws -> PixelBuffer

    private static let size = PixelSize(1920, 1080)

    /// The drawn pictures.
    static let drawn = [
        PNGPicture(id: "photograph", title: "RGB photograph", form: .color) {
            try DrawnPicture.pixels(size: size, isOpaque: true)
        },
        PNGPicture(id: "transparent", title: "RGBA photograph", form: .alpha) {
            try DrawnPicture.pixels(size: size, isOpaque: false)
        },
        PNGPicture(id: "screenshot", title: "RGB screenshot", form: .color) { try screenshot() },
        PNGPicture(id: "drawing", title: "16-color drawing", form: .palette) { try drawing() },
        // What a program writes that does not look for a palette.
        PNGPicture(id: "drawing-rgb", title: "16-color drawing as RGB", form: .color, countsInSum: false) {
            try drawing()
        },
        PNGPicture(id: "deep", title: "16-bit RGB photograph", form: .deep, countsInSum: false) { try deep() },
        PNGPicture(id: "64", title: "64x64 RGBA, the coder", form: .alpha, isForCoder: true) {
            try DrawnPicture.pixels(size: PixelSize(64, 64), isOpaque: false)
        },
    ]

    /// Returns the PNGs among the user's own pictures, which are measured with 8 bits.
    static func given(_ images: [URL]) -> [PNGPicture] {
        images.filter { $0.pathExtension.lowercased() == "png" }.map { url in
            PNGPicture(id: url.lastPathComponent, title: url.lastPathComponent) {
                try await ImageManager(plugins: [.standard], context: [.off(.imageCache)])
                    .decode(Data(contentsOf: url)).pixels
            }
        }
    }

    private static func screenshot() throws -> PixelBuffer {
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

    /// Returns a map: flat areas of height, the lines between them, a grid, and letters.
    private static func drawing() throws -> PixelBuffer {
        let text = [UInt8](try TestPattern.text.pixels(size: size).tightBytes)
        func level(_ x: Int, _ y: Int) -> Int {
            let (x, y) = (Double(x) / 150, Double(y) / 150)
            let hills: Double = sin(x) * cos(0.8 * y)
            let ranges: Double = sin(0.4 * x + 1.3 * y)
            let rocks: Double = 0.4 * sin(2.3 * x - y)
            return Int((hills + ranges + rocks + 2.4) * 2.5)
        }
        return try picture { x, y in
            let isLetter = text[(y * size.width + x) * 4] < 128
            if x % 240 < 60, y % 216 < 18, isLetter { return (10, 10, 60) }
            let area = level(x, y)
            if area != level(x + 2, y) || area != level(x, y + 2) { return (70, 50, 30) }
            if x % 240 == 120 || y % 216 == 108 { return (90, 120, 200) }
            return (UInt8(area * 17), UInt8(250 - area * 9), UInt8(150 - area * 5))
        }
    }

    private static func deep() throws -> PixelBuffer {
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

    private static func picture(
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
