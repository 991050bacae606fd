#if WEBP
import CWebP
import Calotype

/// Memory for the luma and chroma of a picture, which libwebp has before it converts them to red, green and blue.
final class WebPPlanes {
    /// A plane: its memory, and the size of a row and of all rows in bytes.
    struct Plane {
        let base: UnsafeMutablePointer<UInt8>
        let bytesPerRow: Int
        let height: Int

        var byteCount: Int { bytesPerRow * height }

        /// Returns the rows in a range.
        func rows(_ range: Range<Int>) -> UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(start: base + range.lowerBound * bytesPerRow, count: range.count * bytesPerRow)
        }
    }

    /// Y, Cb and Cr.
    let all: [Plane]
    private let memory: RowMemory<UInt8>

    /// Allocates planes for a layout from ``layout(of:)``. Throws `outOfMemory`.
    init(_ layout: PlanarLayout) throws(ImageError) {
        let sizes = [layout.size] + Array(repeating: layout.chromaSize ?? layout.size, count: 2)
        let memory = try RowMemory<UInt8>(count: sizes.reduce(0) { $0 + $1.area })
        var place = memory.base
        all = sizes.map { size in
            defer { place += size.area }
            return Plane(base: place, bytesPerRow: size.width, height: size.height)
        }
        self.memory = memory
    }

    /// Returns the planes of a lossy picture. Source: RFC 6386, section 5; the range is that of ITU-R BT.601.
    static func layout(of size: PixelSize) -> PlanarLayout {
        let chromaSize = PixelSize(width: size.width - size.width / 2, height: size.height - size.height / 2)
        return PlanarLayout(size: size, chromaSize: chromaSize, range: .limited)
    }
}
#endif
