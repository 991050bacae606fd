#if HEIF
import Calotype

/// The rows of a picture in red, green and blue. Use an instance on one thread at a time.
struct ColorRows {
    private let tiles: TileRows
    private let matrix: ColorMatrix

    init(_ tiles: TileRows, _ matrix: ColorMatrix) {
        (self.tiles, self.matrix) = (tiles, matrix)
    }

    /// Decodes the tiles that contain row `y`. Throws the errors of decoding.
    func begin(_ y: Int, job: Job) throws { _ = try tiles.segments(ofRow: y, job: job) }

    /// Writes the pixels of row `y` with full alpha. `Sample` must be `UInt8` for samples of 8 bits and `UInt16` for
    /// longer ones. Throws the errors of decoding.
    func write<Sample: FixedWidthInteger & UnsignedInteger>(
        _ y: Int, to pixels: UnsafeMutablePointer<Sample>, job: Job
    ) throws {
        for segment in try tiles.segments(ofRow: y, job: job) {
            let planes = segment.tile.planes
            func row(_ index: Int) -> UnsafePointer<Sample> {
                planes[index].row(segment.y, of: planes[0].size, as: Sample.self)
            }
            let target = pixels + 4 * segment.start
            if planes.count == 3 {
                matrix.write(
                    (row(0), row(1), row(2)), segment.columns,
                    hasHalfColors: planes[1].size.width < planes[0].size.width,
                    to: target)
            } else {
                matrix.writeGray(row(0), segment.columns, to: target)
            }
        }
    }
}
#endif
