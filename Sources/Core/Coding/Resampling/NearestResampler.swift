/// A resampler that copies pixels unchanged, so that the levels of translucent pixels stay exact too.
final class NearestResampler: RowResampler {
    private let plan: ResamplingPlan
    /// For each column of the target, the index of the source column that is copied to it.
    private let columns: [Int]
    /// For each target row, the index of the source row that is copied to it.
    private let rows: [Int]

    private var rowsTaken = 0
    private var rowsMade = 0

    /// Creates a resampler for a plan whose windows have one pixel each.
    init(_ plan: ResamplingPlan) {
        self.plan = plan
        columns = plan.columns.windows.map(\.start)
        rows = plan.rows.windows.map(\.start)
    }

    func push(_ row: UnsafeRawPointer) throws(ImageError) {
        while rowsMade < rows.count, rows[rowsMade] <= rowsTaken {
            try plan.job.check()
            let target = plan.target + rowsMade * plan.targetBytesPerRow
            if rowsMade > 0, rows[rowsMade - 1] == rows[rowsMade] {
                let byteCount = plan.targetSize.width * plan.source.format.bytesPerPixel
                target.copyMemory(from: target - plan.targetBytesPerRow, byteCount: byteCount)
            } else {
                makeRow(of: row, at: target)
            }
            rowsMade += 1
        }
        rowsTaken += 1
    }

    /// Does nothing: every row is made when its source row arrives.
    func finish() {}

    private func makeRow(of row: UnsafeRawPointer, at target: UnsafeMutableRawPointer) {
        switch plan.source.format {
        case .rgba8: pick(UInt32.self, from: row, to: target)
        case .rgba16: pick(UInt64.self, from: row, to: target)
        case .rgbaFloat: pick(SIMD4<Float>.self, from: row, to: target)
        }
    }

    private func pick<Pixel: BitwiseCopyable>(
        _ type: Pixel.Type, from row: UnsafeRawPointer, to target: UnsafeMutableRawPointer
    ) {
        let size = MemoryLayout<Pixel>.size
        for (index, column) in columns.enumerated() {
            let pixel = row.load(fromByteOffset: column * size, as: type)
            target.storeBytes(of: pixel, toByteOffset: index * size, as: type)
        }
    }
}
