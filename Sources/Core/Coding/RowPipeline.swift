/// What stands behind the sink that a decoder writes to: limits, memory, cancelling, colour, resampling, orientation.
///
/// Rows are converted and resampled as they arrive, so that a thumbnail never has the whole picture in memory when the
/// decoder gives rows. Colours are converted where that is least work: in the thumbnail, except that inks and linear
/// light allow no resampling before. A thumbnail is turned upright last, being small by then.
struct RowPipeline: RowSink, ~Copyable {
    private let options: DecodeOptions
    private let info: ImageInfo
    private let makeConverter: (PixelLayout, RowChannels) throws(ImageError) -> (any RowConverter)?
    private let job: Job

    /// What was announced: the rows, or those of the first plane.
    private var source: PixelLayout?
    private var target: RowTarget?
    /// Converts rows as they come.
    private var rowConverter: (any RowConverter)?
    /// Converts the rows of the finished picture.
    private var finalConverter: (any RowConverter)?
    private var resampler: (any RowResampler)?
    private var planes: PlanarResampler?
    /// A row that cannot be filled where it is to stay.
    private var scratch: RowMemory<UInt8>?
    private var rowsTaken = 0

    /// A pipeline for a file of which `info` is known.
    /// - Parameter makeConverter: Gives what brings the file's colours to the target profile, in rows of a layout; nil
    ///   to leave them, which it must not for inks. What it throws ends the decode.
    init(
        info: ImageInfo, options: DecodeOptions, job: Job,
        makeConverter: @escaping (PixelLayout, RowChannels) throws(ImageError) -> (any RowConverter)?
    ) {
        self.info = info
        self.options = options
        self.makeConverter = makeConverter
        self.job = job
    }

    mutating func begin(_ layout: PixelLayout, channels: RowChannels) throws(ImageError) {
        try checkBegin(layout.size)
        var layout = layout
        if channels == .cmyk {
            layout.isOpaque = true
            layout.isGray = false
        }
        let converter = try makeConverter(layout, channels)
        // It follows from the file, so that a decoder which decodes less gives the same size.
        let targetSize = options.targetSize(of: info)
        if targetSize == layout.size {
            try makeTarget(of: layout, converter: converter)
            rowConverter = converter
        } else {
            let isConvertedLast =
                channels == .rgba && !options.resampling.isLinear && targetSize.area < layout.size.area
            resampler = try plan(layout, targetSize, converter: converter).makeResampler()
            scratch = try RowMemory(count: layout.rowByteCount)
            rowConverter = isConvertedLast ? nil : converter
            finalConverter = isConvertedLast ? converter : nil
        }
        source = layout
    }

    mutating func beginPlanes(_ layout: PlanarLayout) throws(ImageError) -> Bool {
        try checkBegin(layout.size)
        let targetSize = options.targetSize(of: info)
        // Only then is it faster; and what is wanted exactly is resampled as decoding in full would give it.
        guard layout.isConsistent, targetSize.width < layout.size.width, targetSize.height < layout.size.height,
            options.resampling.filter != .nearest, !options.resampling.isLinear, options.thumbnailQuality != .exact
        else { return false }
        let source = PixelLayout(size: layout.size, isOpaque: true, isGray: layout.chromaSize == nil)
        let converter = try makeConverter(source, .rgba)
        planes = try PlanarResampler(
            layout, isDivided: layout.size != info.pixelSize,
            plan(source, targetSize, converter: converter))
        finalConverter = converter
        self.source = source
        return true
    }

    mutating func row(_ y: Int, _ body: (inout MutableRawSpan) throws -> Void) throws {
        try job.check()
        guard let source, planes == nil, y == rowsTaken, y < source.size.height else {
            throw ImageError.sinkMisuse("row \(y) out of order")
        }
        if let scratch {
            let memory = UnsafeMutableRawBufferPointer(start: scratch.base, count: source.rowByteCount)
            var span = MutableRawSpan(_unsafeBytes: memory)
            try body(&span)
            try take(y, memory, source.format)
        } else {
            let rowConverter = rowConverter
            try target?.fillRow(y) { span throws in
                try body(&span)
                rowConverter?.convert(&span)
            }
        }
        rowsTaken += 1
    }

    mutating func plane(_ index: Int, rows: Range<Int>, _ bytes: RawSpan, bytesPerRow: Int) throws {
        try job.check()
        guard let planes else { throw ImageError.sinkMisuse("planes given that it did not want") }
        try planes.take(rows, ofPlane: index, bytes, bytesPerRow: bytesPerRow)
    }

    mutating func whole(_ body: (inout MutableRawSpan, Int) throws -> Void) throws {
        try job.check()
        guard let source, planes == nil, rowsTaken == 0 else {
            throw ImageError.sinkMisuse("all rows given besides single ones")
        }
        if scratch == nil {
            try target?.fillAll(converter: rowConverter, job: job, body)
        } else {
            var complete = try PixelBufferBuilder(layout: source)
            let rowBytes = complete.bytesPerRow
            try complete.withUnsafeMutableBytes { memory throws in
                var span = MutableRawSpan(_unsafeBytes: memory)
                try body(&span, rowBytes)
            }
            for y in 0..<source.size.height {
                try job.check()
                try complete.withUnsafeMutableBytes { memory throws in
                    let start = y * rowBytes
                    let row = UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + source.rowByteCount])
                    try take(y, row, source.format)
                }
            }
        }
        rowsTaken = source.size.height
    }

    /// The pixels, upright unless the request keeps them as stored.
    consuming func finish() throws(ImageError) -> PixelBuffer {
        if let planes {
            try planes.finish()
        } else {
            let height = source?.size.height ?? info.pixelSize.height
            guard source != nil, rowsTaken == height else { throw .rowsMissing(rowsTaken, of: height) }
            try resampler?.finish()
        }
        guard let target = consume target else { throw .sinkMisuse("finished without a beginning") }
        return try target.finish(converter: finalConverter, keepsDepth: options.nativeDepth, job: job)
    }

    private func checkBegin(_ size: PixelSize) throws(ImageError) {
        guard source == nil else { throw .sinkMisuse("began twice") }
        try DecodeLimits(options.context).check(size)
        try job.check()
    }

    /// Takes memory for rows that stay as large as they come.
    private mutating func makeTarget(of layout: PixelLayout, converter: (any RowConverter)?) throws(ImageError) {
        var targetLayout = layout
        if let converter, !converter.keepsGray { targetLayout.isGray = false }
        if !options.nativeDepth, layout.format != .rgba8 {
            targetLayout.format = .rgba8
            scratch = try RowMemory(count: layout.rowByteCount)
        }
        target = try RowTarget(targetLayout, orientation: turning, isResampled: false)
    }

    /// Takes memory for rows of another size, and says how they are made.
    private mutating func plan(
        _ source: PixelLayout, _ targetSize: PixelSize, converter: (any RowConverter)?
    ) throws(ImageError) -> ResamplingPlan {
        var targetLayout = source
        targetLayout.size = targetSize
        if let converter, !converter.keepsGray { targetLayout.isGray = false }
        var target = try RowTarget(targetLayout, orientation: turning, isResampled: true)
        let memory = target.memory
        self.target = consume target
        return ResamplingPlan(
            source: source, region: Self.region(of: source.size, in: info.pixelSize), targetSize: targetSize,
            resampling: options.resampling, target: memory.base, targetBytesPerRow: memory.bytesPerRow, job: job)
    }

    /// Takes row `y` from memory that is not its place.
    private mutating func take(
        _ y: Int, _ row: UnsafeMutableRawBufferPointer, _ format: PixelFormat
    ) throws(ImageError) {
        var span = MutableRawSpan(_unsafeBytes: row)
        rowConverter?.convert(&span)
        if let resampler {
            try resampler.push(row.baseAddress!)
        } else {
            target?.fillRow(y) { format.narrow(row.baseAddress!, into: &$0) }
        }
    }

    private var turning: Orientation { options.context[.keepsOrientation] ? .up : info.orientation }

    /// How far the picture goes in what a decoder gave of it: where that is fewer rows and columns, by a whole number
    /// and rounded up, the last ones lie partly outside.
    private static func region(of size: PixelSize, in whole: PixelSize) -> (Range<Double>, Range<Double>) {
        // The longer side tells the number more surely than the shorter one.
        let ratio =
            whole.width > whole.height
            ? Double(whole.width) / Double(size.width) : Double(whole.height) / Double(size.height)
        let divisor = max(1, ratio.rounded())
        func range(_ length: Int, of whole: Int) -> Range<Double> {
            let exact = Double(whole) / divisor
            return 0..<(exact.rounded(.up) == Double(length) ? exact : Double(length))
        }
        return (range(size.width, of: whole.width), range(size.height, of: whole.height))
    }
}
