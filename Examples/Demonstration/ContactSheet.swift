import CalotypeStandard

/// Pictures side by side on a light background: a row for each picture, a column for each variant. Below an animation
/// there is a strip of its frames.
struct ContactSheet: Sendable {
    /// The largest number of pictures. More would make the sheet unreadable.
    private static let pictureLimit = 40
    /// The space between any two pictures, and around all of them, in pixels.
    private static let margin = 20
    private static let ground = PixelColor(red: 0.957, green: 0.949, blue: 0.929)
    /// The colors of the checkerboard, which is visible through transparency.
    private static let squares = [
        PixelColor(red: 1, green: 1, blue: 1), PixelColor(red: 0.87, green: 0.87, blue: 0.87),
    ]
    private static let squareSide = 12

    /// Pictures in a line, each centered in its space.
    private struct Row {
        var pictures: [PixelBuffer]
        var rooms: [PixelSize]

        var height: Int { rooms.map(\.height).max() ?? 0 }
    }

    private var rows: [Row] = []
    /// The number of pictures.
    private(set) var pictureCount = 0

    /// Creates a sheet without pictures.
    init() {}

    /// Adds a row of images, one for each variant, and below it some frames of the first one if that is animated. Does
    /// nothing if the sheet is full.
    mutating func add(_ images: [Image]) throws {
        guard pictureCount < Self.pictureLimit else { return }
        let frames = try images.first.map { try FilmStrip.frames(of: $0, within: Self.width) } ?? []
        pictureCount += 1
        rows.append(Row(pictures: images.map(\.pixels), rooms: Variant.all.map(\.room)))
        if !frames.isEmpty { rows.append(Row(pictures: frames, rooms: frames.map(\.size))) }
    }

    /// The width from the left edge of the first column to the right edge of the last.
    private static var width: Int {
        Variant.all.reduce(-margin) { $0 + $1.room.width + margin }
    }

    /// Returns the sheet as an image.
    func image() throws(ImageError) -> Image {
        let size = PixelSize(
            width: Self.width + 2 * Self.margin,
            height: rows.reduce(Self.margin) { $0 + $1.height + Self.margin })
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: size))
        let ground = Self.ground.samples
        for y in 0..<size.height {
            builder.withRow(y) { (row: inout MutableRawSpan) -> Void in
                for x in 0..<size.width { row.storeBytes(of: ground, toByteOffset: x * 4, as: SIMD4<UInt8>.self) }
            }
        }
        var top = Self.margin
        for row in rows {
            // The frames have varying widths and are spread over the whole width.
            let space = row.rooms.reduce(Self.width) { $0 - $1.width }
            var left = Self.margin
            for (index, (picture, room)) in zip(row.pictures, row.rooms).enumerated() {
                Self.put(
                    picture, atX: left + (room.width - picture.width) / 2, y: top + (row.height - picture.height) / 2,
                    into: &builder)
                let gaps = max(1, row.rooms.count - 1)
                left += room.width + space * (index + 1) / gaps - space * index / gaps
            }
            top += row.height + Self.margin
        }
        return Image(pixels: builder.finish(isOpaque: true))
    }

    /// Draws a picture over a checkerboard, at a position within the sheet.
    private static func put(_ pixels: PixelBuffer, atX left: Int, y top: Int, into builder: inout PixelBufferBuilder) {
        for y in 0..<pixels.height {
            builder.withRow(top + y) { (row: inout MutableRawSpan) -> Void in
                for x in 0..<pixels.width {
                    let square = squares[(x / squareSide + y / squareSide) % squares.count]
                    let pixel = pixels.color(x: x, y: y).over(square).samples
                    row.storeBytes(of: pixel, toByteOffset: (left + x) * 4, as: SIMD4<UInt8>.self)
                }
            }
        }
    }
}

extension PixelColor {
    /// Returns the color composited over an opaque one.
    fileprivate func over(_ ground: PixelColor) -> PixelColor {
        func mix(_ front: Double, _ back: Double) -> Double { front * alpha + back * (1 - alpha) }
        return PixelColor(
            red: mix(red, ground.red), green: mix(green, ground.green), blue: mix(blue, ground.blue))
    }

    /// The color at 8 bits a channel.
    fileprivate var samples: SIMD4<UInt8> {
        func sample(_ channel: Double) -> UInt8 { UInt8(min(max(channel, 0), 1) * 255 + 0.5) }
        return SIMD4(sample(red), sample(green), sample(blue), sample(alpha))
    }
}
