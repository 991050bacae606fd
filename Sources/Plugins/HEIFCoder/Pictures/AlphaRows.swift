#if HEIF
import Calotype

/// The alpha of a picture, row by row. Use an instance on one thread at a time.
///
/// The alpha is the luma of a second picture in the file, the alpha picture. If the two pictures differ in size, the
/// alpha picture is scaled without interpolation.
struct AlphaRows {
    private let tiles: TileRows
    /// The size of the alpha picture.
    private let size: PixelSize
    /// The size of the picture to which the alpha belongs.
    private let pictureSize: PixelSize
    /// The requested columns of the picture to which the alpha belongs.
    private let columns: Range<Int>
    /// Whether the colors of the picture are premultiplied by the alpha.
    private let isPremultiplied: Bool

    init(
        _ alpha: HEIFPicture, of pictureSize: PixelSize, columns: Range<Int>, isPremultiplied: Bool,
        in file: UnsafeRawBufferPointer
    ) {
        tiles = TileRows(alpha, in: file, columns: 0..<alpha.size.width)
        size = alpha.size
        (self.pictureSize, self.columns, self.isPremultiplied) = (pictureSize, columns, isPremultiplied)
    }

    /// Writes the alpha of row `y` into pixels that already have their colors. Converts premultiplied colors to
    /// straight alpha. Throws the errors of decoding.
    func write<Level: FixedWidthInteger & UnsignedInteger>(
        _ y: Int, to pixels: UnsafeMutablePointer<Level>, job: Job
    ) throws {
        let segments = try tiles.segments(ofRow: y * size.height / pictureSize.height, job: job)
        for segment in segments {
            if segment.tile.bitDepth == 8 {
                write(segment, as: UInt8.self, to: pixels)
            } else {
                write(segment, as: UInt16.self, to: pixels)
            }
        }
        guard isPremultiplied else { return }
        for index in 0..<columns.count { Self.makeStraight(pixels + 4 * index) }
    }

    private func write<Sample: FixedWidthInteger & UnsignedInteger, Level: FixedWidthInteger & UnsignedInteger>(
        _ segment: TileRows.Segment, as type: Sample.Type, to pixels: UnsafeMutablePointer<Level>
    ) {
        let samples = segment.tile.planes[0].row(segment.y, of: segment.tile.planes[0].size, as: type)
        let (most, full) = ((1 << segment.tile.bitDepth) - 1, Int(Level.max))
        // The columns of the picture whose samples are in the segment.
        let first = (segment.start * pictureSize.width + size.width - 1) / size.width
        let end = ((segment.start + segment.columns.count) * pictureSize.width + size.width - 1) / size.width
        for column in max(first, columns.lowerBound)..<max(first, columns.lowerBound, min(end, columns.upperBound)) {
            let sample = Int(
                samples[column * size.width / pictureSize.width - segment.start + segment.columns.lowerBound])
            let place = 4 * (column - columns.lowerBound) + 3
            pixels[place] = Level(truncatingIfNeeded: (2 * min(sample, most) * full + most) / (2 * most))
        }
    }

    /// Converts a pixel from premultiplied to straight alpha, by dividing its colors by the alpha.
    private static func makeStraight<Level: FixedWidthInteger & UnsignedInteger>(_ pixel: UnsafeMutablePointer<Level>) {
        let alpha = Int(pixel[3])
        guard alpha < Int(Level.max) else { return }
        for channel in 0..<3 {
            let level = Int(pixel[channel])
            pixel[channel] =
                alpha == 0 ? 0 : Level(min((2 * level * Int(Level.max) + alpha) / (2 * alpha), Int(Level.max)))
        }
    }
}
#endif
