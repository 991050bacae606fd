#if PNG
import BenchmarkFloors
import CalotypeStandard

/// Pixels as PNG stores them, prepared for the peers in C, so that these only filter and compress them.
struct PNGRows: Sendable {
    /// A color type and a bit depth. Source: W3C PNG, third edition, section 11.2.1.
    enum Form {
        /// RGB of 8 bits.
        case color
        /// RGBA of 8 bits.
        case alpha
        /// RGB of 16 bits.
        case deep
        /// Indices of 4 bits into a palette of at most 16 colors.
        case palette

        fileprivate var colorType: Int32 {
            switch self {
            case .color, .deep: 2
            case .palette: 3
            case .alpha: 6
            }
        }

        /// The kind of the pixels for the Python peers.
        var kind: ResizingKind {
            switch self {
            case .color, .palette: .opaque
            case .alpha: .alpha
            case .deep: .deep
            }
        }

        fileprivate var bitDepth: Int32 {
            switch self {
            case .color, .alpha: 8
            case .deep: 16
            case .palette: 4
            }
        }
    }

    let form: Form
    private let size: PixelSize
    private var bytes = Data()
    private var palette = Data()

    /// Creates the rows of a picture.
    /// - Parameter form: Nil for RGB or RGBA of 8 bits, depending on whether the pixels are opaque.
    init(_ pixels: PixelBuffer, as form: Form?) {
        let form = form ?? (pixels.isOpaque ? .color : .alpha)
        self.form = form
        size = pixels.size
        let given = [UInt8](pixels.tightBytes)
        var rows: [UInt8] = []
        switch form {
        case .alpha: rows = given
        case .color: rows = given.indices.filter { $0 % 4 != 3 }.map { given[$0] }
        // The bytes of a channel are exchanged.
        case .deep: rows = given.indices.filter { $0 % 8 < 6 }.map { given[$0 ^ 1] }
        case .palette:
            var indices: [[UInt8]: UInt8] = [:]
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let place = (y * size.width + x) * 4
                    let color = Array(given[place..<place + 3])
                    let index = indices[color] ?? UInt8(indices.count)
                    if index == indices.count {
                        indices[color] = index
                        palette.append(contentsOf: color)
                    }
                    if x % 2 == 0 { rows.append(index << 4) } else { rows[rows.count - 1] |= index }
                }
            }
        }
        bytes = Data(rows)
    }

    /// Encodes the rows by a library in C.
    func encoded(
        by name: String, _ encode: (UnsafePointer<benchmark_png_rows>, inout Int) -> UnsafeMutablePointer<UInt8>?
    ) throws(BenchmarkError) -> Data {
        var count = 0
        let file = bytes.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
            palette.withUnsafeBytes { (palette: UnsafeRawBufferPointer) -> UnsafeMutablePointer<UInt8>? in
                var rows = benchmark_png_rows(
                    bytes: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), count: bytes.count,
                    size: benchmark_size(width: UInt32(size.width), height: UInt32(size.height)),
                    color_type: form.colorType, bit_depth: form.bitDepth,
                    palette: palette.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    palette_count: Int32(palette.count / 3))
                return encode(&rows, &count)
            }
        }
        guard let file else { throw BenchmarkError("\(name) could not encode the picture") }
        return Data(bytesNoCopy: file, count: count, deallocator: .free)
    }
}
#endif
