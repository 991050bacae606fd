#if HEIF
import Calotype

/// The rows of the visible part of a picture, with colors and alpha, before rotation and mirroring. Use an instance on
/// one thread at a time, and only while the memory of the file exists.
struct ViewRows {
    let view: HEIFView
    private let colors: ColorRows
    private let alpha: AlphaRows?

    init(_ view: HEIFView, in file: UnsafeRawBufferPointer) {
        let region = view.placement.region
        let columns = region.x..<region.x + region.size.width
        self.view = view
        colors = ColorRows(TileRows(view.picture, in: file, columns: columns), view.matrix)
        alpha = view.alpha.map {
            AlphaRows($0, of: view.picture.size, columns: columns, isPremultiplied: view.isPremultiplied, in: file)
        }
    }

    /// Decodes the color tiles of the first visible row, but no alpha tiles. Throws the errors of decoding.
    func begin(job: Job) throws { try colors.begin(view.placement.region.y, job: job) }

    /// Writes row `y` of the visible part. `Level` must be `UInt8` for samples of 8 bits and `UInt16` for longer ones.
    /// Throws the errors of decoding.
    func write<Level: FixedWidthInteger & UnsignedInteger>(
        _ y: Int, to pixels: UnsafeMutablePointer<Level>, job: Job
    ) throws {
        try colors.write(view.placement.region.y + y, to: pixels, job: job)
        try alpha?.write(view.placement.region.y + y, to: pixels, job: job)
    }

    /// Writes row `y` of the visible part, always with 16 bits per channel. Throws the errors of decoding.
    func writeDeep(_ y: Int, to pixels: UnsafeMutablePointer<UInt16>, job: Job) throws {
        guard view.picture.header.bitDepth == 8 else { return try write(y, to: pixels, job: job) }
        var levels = [UInt8](repeating: 0, count: 4 * view.size.width)
        try levels.withUnsafeMutableBufferPointer { (levels: inout UnsafeMutableBufferPointer<UInt8>) in
            try write(y, to: levels.baseAddress!, job: job)
        }
        for index in levels.indices { pixels[index] = UInt16(levels[index]) * 257 }
    }
}
#endif
