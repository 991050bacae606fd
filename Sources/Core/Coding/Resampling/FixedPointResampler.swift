import CKernels

/// A resampler of 8-bit rows. It resamples along the row first, so that the rows it keeps are as narrow as the target.
final class FixedPointResampler: RowResampler {
    private let plan: ResamplingPlan
    private let horizontal: ResamplingWindows.Horizontal8
    private let vertical: ResamplingWindows.Vertical8

    /// The first row of a pair, which waits for the second.
    private let waitingRow: RowMemory<UInt8>
    private let packed: (RowMemory<Int16>, RowMemory<Int16>)
    /// The latest pairs of rows, already resampled along the row.
    private let ring: [RowMemory<Int16>]
    private var pointers: [UnsafePointer<Int16>]

    private var rowsTaken = 0
    private var rowsMade = 0

    init(_ plan: ResamplingPlan) throws(ImageError) {
        self.plan = plan
        horizontal = plan.columns.horizontal8()
        vertical = plan.rows.vertical8()
        waitingRow = try RowMemory(count: plan.source.rowByteCount)
        let packedCount = ck_resize_packed_pixels(plan.source.size.width) * 4
        packed = (try RowMemory(count: packedCount), try RowMemory(count: packedCount))
        let highest = vertical.windows.map(\.count).max() ?? 1
        ring = try (0...highest).map { _ throws(ImageError) in try RowMemory(count: plan.targetSize.width * 8) }
        pointers = ring.map { UnsafePointer($0.base) }
    }

    func push(_ row: UnsafeRawPointer) throws(ImageError) {
        let bytes = row.assumingMemoryBound(to: UInt8.self)
        if rowsTaken.isMultiple(of: 2) {
            waitingRow.base.update(from: bytes, count: plan.source.rowByteCount)
        } else {
            takePair(second: bytes)
        }
        rowsTaken += 1
        try makeRows(availablePairs: rowsTaken / 2)
    }

    func finish() throws(ImageError) {
        guard !rowsTaken.isMultiple(of: 2) else { return }
        takePair(second: nil)
        try makeRows(availablePairs: rowsTaken / 2 + 1)
    }

    private func takePair(second: UnsafePointer<UInt8>?) {
        // Rows before the next window, and after the last one, have no weight.
        guard rowsMade < plan.targetSize.height, rowsTaken / 2 >= vertical.windows[rowsMade].pair else { return }
        let (width, isOpaque) = (plan.source.size.width, plan.source.isOpaque)
        if plan.isLinear {
            ck_resize_pack8_linear(
                waitingRow.base, second, width, isOpaque, SRGBCurve.light8, packed.0.base, packed.1.base)
        } else {
            ck_resize_pack8(waitingRow.base, second, width, isOpaque, packed.0.base, packed.1.base)
        }
        ck_resize_horizontal8(
            packed.0.base, packed.1.base, horizontal.windows, horizontal.coefficients, horizontal.precision,
            plan.targetSize.width, ring[rowsTaken / 2 % ring.count].base)
    }

    private func makeRows(availablePairs: Int) throws(ImageError) {
        while rowsMade < plan.targetSize.height {
            let window = vertical.windows[rowsMade]
            guard window.pair + window.count <= availablePairs else { return }
            try plan.job.check()
            for index in 0..<window.count {
                pointers[index] = UnsafePointer(ring[(window.pair + index) % ring.count].base)
            }
            makeRow(of: window, at: plan.target + rowsMade * plan.targetBytesPerRow)
            rowsMade += 1
        }
    }

    /// Makes a target row from the pairs of source rows in `pointers`.
    private func makeRow(of window: (pair: Int, count: Int, offset: Int), at target: UnsafeMutableRawPointer) {
        let (width, isOpaque) = (plan.targetSize.width, plan.source.isOpaque)
        let output = target.assumingMemoryBound(to: UInt8.self)
        vertical.coefficients.withUnsafeBufferPointer { table in
            let coefficients = table.baseAddress! + window.offset
            if plan.isLinear {
                ck_resize_vertical8_linear(
                    pointers, coefficients, window.count, vertical.precision, width, isOpaque, SRGBCurve.level8,
                    output)
            } else {
                ck_resize_vertical8(
                    pointers, coefficients, window.count, vertical.precision, width, isOpaque, output)
            }
        }
    }
}
