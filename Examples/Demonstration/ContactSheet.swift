import CalotypeStandard

/// A sheet of pictures on a light background, with a row for each picture and a column for each variant. The row of an
/// animation is followed by a row of its frames.
struct ContactSheet: Sendable {
    /// The maximum number of pictures. More would make the sheet unreadable.
    private static let pictureLimit = 40
    /// The space between neighboring pictures, and between the pictures and the edges of the sheet, in pixels.
    private static let margin = 20
    private static let ground = PixelColor(red: 0.957, green: 0.949, blue: 0.929)
    /// The colors of the checkerboard that is visible through transparent pixels.
    private static let squares = [
        PixelColor(red: 1, green: 1, blue: 1), PixelColor(red: 0.87, green: 0.87, blue: 0.87),
    ]
    /// The side of a square of the checkerboard, in pixels.
    private static let squareSide = 12

    /// A row of pictures, each centered in its space.
    private struct Row {
        var pictures: [PixelBuffer]
        var rooms: [PixelSize]

        var height: Int { rooms.map(\.height).max() ?? 0 }
    }

    private var rows: [Row] = []
    /// The number of pictures on the sheet. The rows of frames do not count.
    private(set) var pictureCount = 0

    /// Creates a sheet without pictures.
    init() {}

    /// Adds a row with the variants of a picture. If the picture is animated, also adds a row of frames. Does nothing
    /// if the sheet is full.
    /// - Parameter images: An image for each variant. The frames are those of the first image.
    mutating func add(_ images: [Image]) throws {
        guard pictureCount < Self.pictureLimit else { return }
        let frames = try images.first.map { try FilmStrip.frames(of: $0, within: Self.width) } ?? []
        pictureCount += 1
        rows.append(Row(pictures: images.map(\.pixels), rooms: Variant.all.map(\.room)))
        if !frames.isEmpty { rows.append(Row(pictures: frames, rooms: frames.map(\.size))) }
    }

    /// The distance from the left edge of the first column to the right edge of the last column, in pixels.
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

    /// Draws a picture over a checkerboard. `left` and `top` are the position of its upper left corner on the sheet, in
    /// pixels.
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
    /// Returns the color composited over an opaque background color.
    fileprivate func over(_ ground: PixelColor) -> PixelColor {
        func mix(_ front: Double, _ back: Double) -> Double { front * alpha + back * (1 - alpha) }
        return PixelColor(
            red: mix(red, ground.red), green: mix(green, ground.green), blue: mix(blue, ground.blue))
    }

    /// The red, green, blue and alpha of the color, with 8 bits each.
    fileprivate var samples: SIMD4<UInt8> {
        func sample(_ channel: Double) -> UInt8 { UInt8(min(max(channel, 0), 1) * 255 + 0.5) }
        return SIMD4(sample(red), sample(green), sample(blue), sample(alpha))
    }
}
