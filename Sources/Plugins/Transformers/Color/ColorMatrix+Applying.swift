import CKernels
import Calotype

extension [ColorMatrix] {
    /// Returns the pixels mapped by one matrix after the other, in the same format. Each row is read and written once.
    func applied(to pixels: PixelBuffer, job: Job) throws(ImageError) -> PixelBuffer {
        var layout = pixels.layout
        var passes: [[Float]] = []
        for matrix in self where matrix != .identity {
            let matrix = layout.isGray ? matrix.keepingGray : matrix
            layout.isOpaque = layout.isOpaque && matrix.keepsAlpha
            layout.isGray = matrix.makesGray
            passes.append(matrix.columns)
        }
        guard !passes.isEmpty else { return pixels }
        return try pixels.mappingRows(to: layout, job: job) { _, source, target in
            var row = source.baseAddress!
            for columns in passes {
                pixels.format.map(row, to: target.baseAddress!, columns, pixels.width)
                row = UnsafeRawPointer(target.baseAddress!)
            }
        }
    }
}

extension ColorMatrix {
    /// The coefficients by column, limited to those that the kernels take. NaN becomes 0.
    fileprivate var columns: [Float] {
        let largest = Double(CK_MATRIX_LARGEST_COEFFICIENT)
        return (0..<5).flatMap { column in
            (0..<4).map { row in
                let coefficient = coefficients[row * 5 + column]
                return coefficient.isNaN ? 0 : Float(min(max(coefficient, -largest), largest))
            }
        }
    }

    /// A matrix with the same results for gray pixels, up to rounding, that is exactly gray if these results are gray.
    fileprivate var keepingGray: ColorMatrix {
        let rows = (0..<3).map { Array(coefficients[$0 * 5..<$0 * 5 + 5]) }
        let sums = rows.map { row in [row[0] + row[1] + row[2], 0, 0, row[3], row[4]] }
        let isGray = sums.allSatisfy { sum in zip(sum, sums[0]).allSatisfy { abs($0 - $1) < 1e-9 } }
        guard isGray else { return self }
        return ColorMatrix(sums[0] + sums[0] + sums[0] + coefficients[15...])
    }
}

extension PixelFormat {
    fileprivate func map(
        _ row: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ columns: [Float], _ pixelCount: Int
    ) {
        switch self {
        case .rgba8:
            ck_matrix_rgba8(
                columns, row.assumingMemoryBound(to: UInt8.self), target.assumingMemoryBound(to: UInt8.self), pixelCount
            )
        case .rgba16:
            ck_matrix_rgba16(
                columns, row.assumingMemoryBound(to: UInt16.self), target.assumingMemoryBound(to: UInt16.self),
                pixelCount)
        case .rgbaFloat:
            ck_matrix_rgba_float(
                columns, row.assumingMemoryBound(to: Float.self), target.assumingMemoryBound(to: Float.self), pixelCount
            )
        }
    }
}
