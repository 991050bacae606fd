#if WEBP
import CWebP
import Calotype

/// Memory into which libwebp decodes the luma and chroma of a lossy picture without converting them to RGB.
final class WebPPlanes {
    /// A luma or chroma plane, with one byte per sample.
    struct Plane {
        let base: UnsafeMutablePointer<UInt8>
        let bytesPerRow: Int
        let height: Int

        var byteCount: Int { bytesPerRow * height }

        /// Returns the bytes of a range of rows.
        func rows(_ range: Range<Int>) -> UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(start: base + range.lowerBound * bytesPerRow, count: range.count * bytesPerRow)
        }
    }

    /// The planes Y, Cb and Cr, in this order.
    let all: [Plane]
    private let memory: RowMemory<UInt8>

    /// Allocates memory for planes with a layout from ``layout(of:)``. Throws `outOfMemory`.
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

    /// Returns the layout of the planes: 4:2:0 in the limited range of ITU-R BT.601. Source: RFC 6386, section 5.
    static func layout(of size: PixelSize) -> PlanarLayout {
        let chromaSize = PixelSize(width: size.width - size.width / 2, height: size.height - size.height / 2)
        return PlanarLayout(size: size, chromaSize: chromaSize, range: .limited)
    }
}
#endif
