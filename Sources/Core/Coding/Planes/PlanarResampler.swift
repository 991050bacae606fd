import CKernels

/// A resampler that makes a smaller picture from planes while they arrive. Only the small picture is converted to red,
/// green and blue. Used by one thread at a time.
///
/// If one plane is ahead of the others, its target rows are kept until the others have caught up.
final class PlanarResampler {
    private let range: PlanarLayout.Range
    private let width: Int
    private let target: UnsafeMutableRawPointer
    private let targetBytesPerRow: Int
    private let job: Job
    private let planes: [PlaneResampler]
    private var rowsMade = 0

    /// Creates a resampler of planes.
    /// - Parameters:
    ///   - isDivided: Whether the decoder delivers a smaller version of the picture. If false, chroma of half the
    ///     resolution is resampled as if it had been enlarged first, as in a full decode.
    ///   - plan: The resampling plan. Its source has the size of the Y plane, and its target has the format `.rgba8`.
    ///   - region: The region of the Y plane that is resampled.
    ///   - filter: The filter.
    init(
        _ layout: PlanarLayout, isDivided: Bool, _ plan: ResamplingPlan, _ region: ResampledRegion,
        filter: ResamplingFilter
    ) throws(ImageError) {
        range = layout.range
        width = plan.targetSize.width
        target = plan.target
        targetBytesPerRow = plan.targetBytesPerRow
        job = plan.job
        let (columns, rows) = (plan.columns, plan.rows)
        let luma = try PlaneResampler(
            layout.size, targetSize: plan.targetSize, horizontal: columns.horizontal8(), vertical: rows.octets(),
            job: plan.job)
        guard let chromaSize = layout.chromaSize else {
            planes = [luma]
            return
        }
        let half = region.halved(within: chromaSize)
        func windows(_ whole: ResamplingWindows, _ count: Int, of fullCount: Int, _ half: () -> ResamplingWindows)
            -> ResamplingWindows
        {
            guard count != fullCount else { return whole }
            return isDivided ? half() : whole.overHalf(count)
        }
        let horizontal = windows(columns, chromaSize.width, of: layout.size.width) {
            half.columnWindows(filter: filter)
        }.horizontal8()
        let vertical = windows(rows, chromaSize.height, of: layout.size.height) {
            half.rowWindows(filter: filter)
        }.octets()
        func makePlane() throws(ImageError) -> PlaneResampler {
            try PlaneResampler(
                chromaSize, targetSize: plan.targetSize, horizontal: horizontal, vertical: vertical, job: plan.job)
        }
        planes = [luma, try makePlane(), try makePlane()]
    }

    /// Takes the next rows of a plane, and writes every target row that can be made now. Throws `badData` for rows that
    /// are out of order or have too few bytes. Throws `outOfMemory`, and `cancelled` or `timedOut` if the job ends.
    func take(_ rows: Range<Int>, ofPlane index: Int, _ bytes: RawSpan, bytesPerRow: Int) throws(ImageError) {
        guard planes.indices.contains(index) else {
            throw .sinkMisuse("plane \(index) was passed, but there are \(planes.count) planes")
        }
        let plane = planes[index]
        guard rows.lowerBound == plane.rowsTaken, rows.upperBound <= plane.size.height else {
            throw .sinkMisuse("rows \(rows) of plane \(index) were passed out of order")
        }
        guard !rows.isEmpty else { return }
        let (lastRow, overflow) = (rows.count - 1).multipliedReportingOverflow(by: bytesPerRow)
        guard bytesPerRow >= plane.size.width, !overflow, lastRow <= bytes.byteCount - plane.size.width else {
            throw .sinkMisuse("too few bytes were passed for rows \(rows) of plane \(index)")
        }
        try bytes.withUnsafeBytes { bytes throws(ImageError) in
            let samples = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
            try plane.take(rows.count, samples, bytesPerRow: bytesPerRow)
        }
        try makeRows()
    }

    /// Checks that all rows of all planes have been taken. Throws `badData` if some are missing.
    func finish() throws(ImageError) {
        for (index, plane) in planes.enumerated() where plane.rowsTaken < plane.size.height {
            throw .rowsMissing(plane.rowsTaken, of: plane.size.height, in: "plane \(index)")
        }
    }

    private func makeRows() throws(ImageError) {
        // Computed once: going through the planes for each row would take longer than some rows do.
        var end = Int.max
        for plane in planes { end = min(end, plane.rowsMade) }
        while rowsMade < end {
            try job.check()
            let row = (target + rowsMade * targetBytesPerRow).assumingMemoryBound(to: UInt8.self)
            let luma = planes[0].fetch(rowsMade)
            if planes.count == 1 {
                ck_planes_gray_rgba8(luma, width, row)
            } else if range == .limited {
                ck_planes_limited_rgba8(luma, planes[1].fetch(rowsMade), planes[2].fetch(rowsMade), width, row)
            } else {
                ck_planes_ycc_rgba8(luma, planes[1].fetch(rowsMade), planes[2].fetch(rowsMade), width, row)
            }
            rowsMade += 1
        }
    }
}
