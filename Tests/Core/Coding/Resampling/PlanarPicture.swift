import CalotypeTesting

@testable import Calotype

/// A picture in planes, the way in which a decoder delivers it, and its reference in exact arithmetic.
struct PlanarPicture {
    /// The subsampling of chroma.
    enum Sampling: CaseIterable {
        /// No chroma.
        case gray
        /// A chroma sample for each pixel: 4:4:4.
        case full
        /// A chroma sample for two pixels of a row: 4:2:2.
        case halfWidth
        /// A chroma sample for two pixels of a column: 4:4:0.
        case halfHeight
        /// A chroma sample for four pixels: 4:2:0.
        case half

        /// Returns the layout of a picture with this subsampling.
        func layout(_ size: PixelSize) -> PlanarLayout {
            let isHalfWide = self == .halfWidth || self == .half
            let isHalfHigh = self == .halfHeight || self == .half
            let chroma = PixelSize(
                isHalfWide ? (size.width + 1) / 2 : size.width, isHalfHigh ? (size.height + 1) / 2 : size.height)
            return PlanarLayout(size: size, chromaSize: self == .gray ? nil : chroma)
        }
    }

    let layout: PlanarLayout
    /// The samples of each plane, row by row.
    let planes: [[UInt8]]

    /// Creates a picture with the samples that `sample` returns, plane by plane and row by row.
    init(_ size: PixelSize, _ sampling: Sampling, sample: (_ plane: Int) -> UInt8) {
        layout = sampling.layout(size)
        let sizes = [size] + (layout.chromaSize.map { [$0, $0] } ?? [])
        planes = sizes.enumerated().map { plane, size in (0..<size.area).map { _ in sample(plane) } }
    }

    /// Creates random samples, the same for the same seed. They are so close to the middle that neither the picture nor
    /// its filtered version exceeds the range of RGB: clipping before and after resampling would differ.
    static func noise(_ size: PixelSize, _ sampling: Sampling, seed: UInt64) -> PlanarPicture {
        var random = SplitMix64(seed: seed)
        return PlanarPicture(size, sampling) { plane in
            let bits = random.next()
            return plane == 0 ? UInt8(96 + bits % 64) : UInt8(112 + bits % 32)
        }
    }

    /// Returns the width and height of a plane.
    func size(of plane: Int) -> PixelSize { plane == 0 ? layout.size : layout.chromaSize ?? layout.size }

    // MARK: Delivery

    /// The way in which a decoder delivers a picture.
    struct Delivery {
        /// The number of rows of a plane in each call.
        var rowCount = 16
        /// The number of padding bytes after each row but the last.
        var padding = 0
        /// Whether each plane is delivered as a whole, the last one first.
        var isOneAfterAnother = false
    }

    /// Delivers all rows. Their memory is overwritten after the sink has accepted them.
    func give(to sink: inout RowPipeline, _ delivery: Delivery = Delivery()) throws {
        var taken = planes.map { _ in 0 }
        func isWhole(_ plane: Int) -> Bool { taken[plane] == size(of: plane).height }
        while !taken.indices.allSatisfy(isWhole) {
            let unfinished = taken.indices.filter { !isWhole($0) }
            for plane in delivery.isOneAfterAnother ? unfinished.suffix(1) : unfinished[...] {
                let rows = taken[plane]..<min(taken[plane] + delivery.rowCount, size(of: plane).height)
                try give(rows, of: plane, padding: delivery.padding, to: &sink)
                taken[plane] = rows.upperBound
            }
        }
    }

    /// Delivers rows of a plane.
    func give(_ rows: Range<Int>, of plane: Int, padding: Int = 0, to sink: inout RowPipeline) throws {
        let width = size(of: plane).width
        var bytes: [UInt8] = []
        for y in rows {
            bytes += planes[plane][y * width..<(y + 1) * width]
            if y + 1 < rows.upperBound { bytes += repeatElement(0xA5, count: padding) }
        }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        defer {
            memory.initializeMemory(as: UInt8.self, repeating: 0x5A)
            memory.deallocate()
        }
        memory.copyBytes(from: bytes)
        let span = RawSpan(_unsafeBytes: UnsafeRawBufferPointer(memory))
        try sink.plane(plane, rows: rows, span, bytesPerRow: width + padding)
    }

    // MARK: Reference

    /// Returns the picture decoded at full size: chroma is enlarged as in libjpeg, but not rounded, and converted to
    /// RGB by ITU-R BT.601.
    func decoded() throws -> PixelBuffer {
        let enlarged = planes.indices.map { plane in
            Self.enlarged(planes[plane].map(Double.init), size(of: plane), to: layout.size)
        }
        return try PixelBuffer.drawn(layout.size, .rgbaFloat, isOpaque: true) { x, y in
            let place = y * layout.size.width + x
            let samples = enlarged.map { $0[place] } + (enlarged.count == 1 ? [128, 128] : [])
            return Self.color(samples[0], samples[1], samples[2]).map { $0 / 255 } + [1]
        }
    }

    /// Returns a plane as a gray picture, in which 1 stands for a sample of 255.
    func gray(_ plane: Int) throws -> PixelBuffer {
        let size = size(of: plane)
        return try PixelBuffer.drawn(size, .rgbaFloat, isOpaque: true) { x, y in
            let level = Double(planes[plane][y * size.width + x]) / 255
            return [level, level, level, 1]
        }
    }

    /// Returns the red, green and blue of a pixel, in levels that may exceed the range.
    static func color(_ luma: Double, _ blueness: Double, _ redness: Double) -> [Double] {
        // The weights of red and blue in luma are 0.299 and 0.114.
        let red = luma + 2 * (1 - 0.299) * (redness - 128)
        let blue = luma + 2 * (1 - 0.114) * (blueness - 128)
        return [red, (luma - 0.299 * red - 0.114 * blue) / (1 - 0.299 - 0.114), blue]
    }

    private static func enlarged(_ samples: [Double], _ size: PixelSize, to whole: PixelSize) -> [Double] {
        var rows = (0..<size.height).map { y in
            let row = Array(samples[y * size.width..<(y + 1) * size.width])
            return size.width == whole.width ? row : doubled(row, count: whole.width)
        }
        guard size.height != whole.height else { return rows.flatMap { $0 } }
        let columns = (0..<whole.width).map { x in doubled(rows.map { $0[x] }, count: whole.height) }
        rows = (0..<whole.height).map { y in columns.map { $0[y] } }
        return rows.flatMap { $0 }
    }

    /// Returns a line with twice the samples, limited to the first `count`.
    private static func doubled(_ line: [Double], count: Int) -> [Double] {
        var made: [Double] = []
        for (index, sample) in line.enumerated() {
            made.append(0.75 * sample + 0.25 * (index > 0 ? line[index - 1] : sample))
            made.append(0.75 * sample + 0.25 * (index + 1 < line.count ? line[index + 1] : sample))
        }
        return Array(made.prefix(count))
    }
}
