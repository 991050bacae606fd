#if HEIF
import Calotype

/// The decoded tiles of a picture. One row of tiles is in memory at a time. Use an instance on one thread at a time,
/// and only while the memory of the file exists.
final class TileRows {
    private let picture: HEIFPicture
    private let file: UnsafeRawBufferPointer
    /// The requested columns of the picture, in pixels.
    private let columns: Range<Int>
    /// The index of the row of tiles that is in memory; nil if there is none.
    private var current: Int?
    private var tiles: [DecodedPicture] = []

    /// Creates the rows of tiles without decoding a tile.
    /// - Parameter columns: The requested columns, in pixels. Tiles without any of these columns are never decoded.
    init(_ picture: HEIFPicture, in file: UnsafeRawBufferPointer, columns: Range<Int>) {
        (self.picture, self.file, self.columns) = (picture, file, columns)
    }

    /// The part of a requested row that is in one tile.
    struct Segment {
        let tile: DecodedPicture
        /// The number of the row within the tile.
        let y: Int
        /// The requested columns that are in the tile, relative to the tile's first column.
        let columns: Range<Int>
        /// The index of the segment's first column among the requested columns.
        let start: Int
    }

    /// Returns the segments of row `y` of the picture, from left to right. Decodes their tiles unless these are in
    /// memory. Throws the errors of decoding.
    func segments(ofRow y: Int, job: Job) throws -> [Segment] {
        let tileSize = picture.header.size
        let row = y / tileSize.height
        let first = columns.lowerBound / tileSize.width
        let last = (columns.upperBound - 1) / tileSize.width
        if row != current {
            tiles = []
            for column in first...last {
                try job.check()
                let stream = try picture.tiles[row * picture.columnCount + column].stream(in: file)
                guard stream.header == picture.header else {
                    throw ImageError.damagedHEIF("the tiles of its grid have different stream headers")
                }
                tiles.append(try DecodedPicture(stream, job: job))
            }
            current = row
        }
        return (first...last).map { column in
            let left = column * tileSize.width
            let range = max(columns.lowerBound, left)..<min(columns.upperBound, left + tileSize.width)
            return Segment(
                tile: tiles[column - first], y: y % tileSize.height,
                columns: range.lowerBound - left..<range.upperBound - left,
                start: range.lowerBound - columns.lowerBound)
        }
    }
}
#endif
