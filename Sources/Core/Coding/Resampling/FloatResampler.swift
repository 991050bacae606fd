import CKernels

/// A resampler of 16-bit and floating-point rows, in floating point.
final class FloatResampler: RowResampler {
    private let plan: ResamplingPlan
    private let horizontal: ResamplingWindows.Floats
    private let vertical: ResamplingWindows.Floats

    private let working: RowMemory<Float>
    private let made: RowMemory<Float>
    /// The latest rows, already resampled along the row.
    private let ring: [RowMemory<Float>]
    private var pointers: [UnsafePointer<Float>]

    private var rowsTaken = 0
    private var rowsMade = 0

    init(_ plan: ResamplingPlan) throws(ImageError) {
        self.plan = plan
        horizontal = plan.columns.floats()
        vertical = plan.rows.floats()
        working = try RowMemory(count: plan.source.size.width * 4)
        made = try RowMemory(count: plan.targetSize.width * 4)
        let highest = vertical.windows.map { Int($0.taps) }.max() ?? 1
        ring = try (0...highest).map { _ throws(ImageError) in try RowMemory(count: plan.targetSize.width * 4) }
        pointers = ring.map { UnsafePointer($0.base) }
    }

    func push(_ row: UnsafeRawPointer) throws(ImageError) {
        // Rows before the next window, and after the last one, have no weight.
        if rowsMade < plan.targetSize.height, rowsTaken >= Int(vertical.windows[rowsMade].start) {
            pack(row)
            ck_resize_horizontal_f32(
                working.base, horizontal.windows, horizontal.coefficients, plan.targetSize.width,
                ring[rowsTaken % ring.count].base)
        }
        rowsTaken += 1
        try makeRows()
    }

    /// Does nothing: every row is made as soon as its last source row has arrived.
    func finish() {}

    private func makeRows() throws(ImageError) {
        let width = plan.targetSize.width
        while rowsMade < plan.targetSize.height {
            let window = vertical.windows[rowsMade]
            guard Int(window.start + window.taps) <= rowsTaken else { return }
            try plan.job.check()
            for index in 0..<Int(window.taps) {
                pointers[index] = UnsafePointer(ring[(Int(window.start) + index) % ring.count].base)
            }
            vertical.coefficients.withUnsafeBufferPointer { coefficients in
                ck_resize_vertical_f32(
                    pointers, coefficients.baseAddress! + Int(window.offset), Int(window.taps), width, made.base)
            }
            unpack(to: plan.target + rowsMade * plan.targetBytesPerRow)
            rowsMade += 1
        }
    }

    /// Converts a source row into `working`.
    private func pack(_ row: UnsafeRawPointer) {
        let (width, isOpaque) = (plan.source.size.width, plan.source.isOpaque)
        if plan.source.format == .rgba16 {
            let row = row.assumingMemoryBound(to: UInt16.self)
            if plan.isLinear {
                ck_resize_pack_rgba16_linear(row, width, isOpaque, SRGBCurve.light16, working.base)
            } else {
                ck_resize_pack_rgba16(row, width, isOpaque, working.base)
            }
        } else {
            let row = row.assumingMemoryBound(to: Float.self)
            if plan.isLinear {
                ck_resize_pack_rgbaf_linear(row, width, isOpaque, working.base)
            } else {
                ck_resize_pack_rgbaf(row, width, isOpaque, working.base)
            }
        }
    }

    /// Writes the values in `made` as a target row.
    private func unpack(to target: UnsafeMutableRawPointer) {
        let (width, isOpaque) = (plan.targetSize.width, plan.source.isOpaque)
        if plan.source.format == .rgba16 {
            let target = target.assumingMemoryBound(to: UInt16.self)
            if plan.isLinear {
                ck_resize_unpack_rgba16_linear(made.base, width, isOpaque, target)
            } else {
                ck_resize_unpack_rgba16(made.base, width, isOpaque, target)
            }
        } else {
            let target = target.assumingMemoryBound(to: Float.self)
            if plan.isLinear {
                ck_resize_unpack_rgbaf_linear(made.base, width, isOpaque, target)
            } else {
                ck_resize_unpack_rgbaf(made.base, width, isOpaque, target)
            }
        }
    }
}
