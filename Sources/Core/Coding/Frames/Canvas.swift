/// The picture that the frames of an animation are drawn on, in the orientation and the colors of the file. Used by one
/// thread at a time.
final class Canvas {
    /// The size and the pixel format. The layout's `isOpaque` and `isGray` are always false.
    let layout: PixelLayout
    /// Whether red, green and blue are known to be equal everywhere.
    var isGray = true

    /// The memory of the pixels, which the pictures that ``picture(isOpaque:hasUncheckedClaims:)`` returns may share.
    private var storage: PixelStorage

    /// Creates an empty canvas: transparent everywhere.
    convenience init(size: PixelSize, format: PixelFormat) throws(ImageError) {
        self.init(try PixelBufferBuilder(layout: PixelLayout(size: size, format: format)))
    }

    /// Creates a canvas with a copy of these pixels.
    convenience init(_ pixels: PixelBuffer) throws(ImageError) {
        self.init(try PixelBufferBuilder(copying: pixels))
        isGray = pixels.isGray
    }

    private init(_ memory: consuming PixelBufferBuilder) {
        layout = memory.layout
        storage = memory.finish().storage
    }

    /// Returns the picture on the canvas. It shares the memory of the canvas, so call `detach` before drawing again.
    /// - Parameter hasUncheckedClaims: Whether external code may have wrongly declared the pixels opaque or gray.
    func picture(isOpaque: Bool, hasUncheckedClaims: Bool) -> PixelBuffer {
        let layout = PixelLayout(size: layout.size, format: layout.format, isOpaque: isOpaque, isGray: isGray)
        return PixelBuffer(
            storage: storage, layout: layout, hasUncheckedClaims: hasUncheckedClaims && (isOpaque || isGray))
    }

    /// Copies the memory if pictures share it, so that later drawing does not change them. Throws `outOfMemory`.
    func detach() throws(ImageError) {
        guard !isKnownUniquelyReferenced(&storage) else { return }
        let copy = try PixelStorage(layout: layout, pool: .shared)
        copy.base.copyMemory(from: storage.base, byteCount: storage.bytesPerRow * layout.size.height)
        storage = copy
    }

    /// Bytes from the start of one row to the start of the next.
    var bytesPerRow: Int { storage.bytesPerRow }

    /// Returns the memory from column `x` of row `y` to the end of the row. It is valid as long as the canvas exists
    /// and `detach` has not been called. Traps if pictures share the memory.
    func memory(x: Int, y: Int) -> UnsafeMutableRawPointer {
        precondition(isKnownUniquelyReferenced(&storage), "pictures share the canvas; call `detach` before drawing")
        return UnsafeMutableRawPointer(mutating: pixels(x: x, y: y))
    }

    private func pixels(x: Int, y: Int) -> UnsafeRawPointer {
        UnsafeRawPointer(storage.base + y * storage.bytesPerRow + x * layout.format.bytesPerPixel)
    }

    /// Makes a region transparent.
    func clear(_ region: PixelRegion) {
        let byteCount = region.size.width * layout.format.bytesPerPixel
        for y in region.y..<region.y + region.size.height {
            memory(x: region.x, y: y).initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
        }
    }

    /// Returns a copy of the pixels of a region.
    func pixels(in region: PixelRegion) throws(ImageError) -> PixelBuffer {
        let layout = PixelLayout(size: region.size, format: layout.format, isGray: isGray)
        var builder = try PixelBufferBuilder(uninitialized: layout)
        for y in 0..<region.size.height {
            let source = pixels(x: region.x, y: region.y + y)
            builder.withRow(y) { Self.fill(&$0, from: source) }
        }
        return builder.finish()
    }

    /// Writes all rows to a sink.
    /// - Parameter isOpaque: Whether all pixels are known to be opaque.
    func give(to sink: inout some RowSink & ~Copyable, isOpaque: Bool) throws {
        try sink.begin(
            PixelLayout(size: layout.size, format: layout.format, isOpaque: isOpaque, isGray: isGray))
        for y in 0..<layout.size.height {
            let source = pixels(x: 0, y: y)
            try sink.row(y) { Self.fill(&$0, from: source) }
        }
    }

    private static func fill(_ target: inout MutableRawSpan, from source: UnsafeRawPointer) {
        target.withUnsafeMutableBytes { target in
            target.copyMemory(from: UnsafeRawBufferPointer(start: source, count: target.count))
        }
    }

    /// Copies `pixels`, which have the region's size and the canvas's format, to a region.
    func put(_ pixels: PixelBuffer, at region: PixelRegion) {
        for y in 0..<region.size.height {
            let target = memory(x: region.x, y: region.y + y)
            pixels.withRow(y) { row in
                row.withUnsafeBytes { target.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
            }
        }
    }
}
