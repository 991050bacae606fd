import CalotypeStandard

/// Pictures side by side: a row for each, a column for each variant, on a light ground.
struct ContactSheet: Sendable {
    /// More rows would make a sheet that nobody can look at.
    static let rowLimit = 40
    /// Between any two pictures, and around them all, in pixels.
    private static let margin = 20
    private static let ground = PixelColor(red: 0.957, green: 0.949, blue: 0.929)
    /// The squares of the board, which is seen through what is transparent.
    private static let squares = [
        PixelColor(red: 1, green: 1, blue: 1), PixelColor(red: 0.87, green: 0.87, blue: 0.87),
    ]
    private static let squareSide = 12

    private var rows: [[Image]] = []

    /// A sheet without pictures.
    init() {}

    /// How many rows there are.
    var rowCount: Int { rows.count }

    /// Adds a row of images, one for each variant, unless the sheet is full.
    mutating func add(_ images: [Image]) {
        if rows.count < Self.rowLimit { rows.append(images) }
    }

    /// The sheet as an image.
    func image() throws(ImageError) -> Image {
        let rooms = Variant.all.map(\.room)
        let rowHeight = rooms.map(\.height).max() ?? 0
        let size = PixelSize(
            width: Self.margin + rooms.reduce(0) { $0 + $1.width + Self.margin },
            height: Self.margin + rows.count * (rowHeight + Self.margin))
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: size, isOpaque: true))
        let ground = Self.ground.samples
        for y in 0..<size.height {
            builder.withRow(y) { (row: inout MutableRawSpan) -> Void in
                for x in 0..<size.width { row.storeBytes(of: ground, toByteOffset: x * 4, as: SIMD4<UInt8>.self) }
            }
        }
        for (index, images) in rows.enumerated() {
            var left = Self.margin
            let top = Self.margin + index * (rowHeight + Self.margin)
            for (image, room) in zip(images, rooms) {
                Self.put(
                    image.pixels, atX: left + (room.width - image.width) / 2, y: top + (rowHeight - image.height) / 2,
                    into: &builder)
                left += room.width + Self.margin
            }
        }
        return Image(pixels: builder.finish())
    }

    /// Draws a picture in its place, which has to be on the sheet, over a chequered board.
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
    /// The colour in front of an opaque one.
    fileprivate func over(_ ground: PixelColor) -> PixelColor {
        func mix(_ front: Double, _ back: Double) -> Double { front * alpha + back * (1 - alpha) }
        return PixelColor(
            red: mix(red, ground.red), green: mix(green, ground.green), blue: mix(blue, ground.blue))
    }

    /// The colour at 8 bits a channel.
    fileprivate var samples: SIMD4<UInt8> {
        func sample(_ channel: Double) -> UInt8 { UInt8(min(max(channel, 0), 1) * 255 + 0.5) }
        return SIMD4(sample(red), sample(green), sample(blue), sample(alpha))
    }
}
