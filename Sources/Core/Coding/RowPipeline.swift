/// What stands behind the sink that a decoder writes to: limits, memory, cancelling, colour, resampling, orientation.
///
/// Rows are converted and resampled as they arrive, so that a thumbnail never has the whole picture in memory when the
/// decoder gives rows. Turning upright comes last, on what is then the small picture.
struct RowPipeline: RowSink, ~Copyable {
    private let options: DecodeOptions
    private let info: ImageInfo
    private let makeConverter: (PixelFormat) -> (any RowConverter)?
    private let job: Job

    private var converter: (any RowConverter)?
    private var source: PixelLayout?
    private var builder: PixelBufferBuilder?
    private var resampler: (any RowResampler)?
    private var scratch: RowMemory<UInt8>?
    private var rowsTaken = 0

    /// A pipeline for a file of which `info` is known.
    /// - Parameter makeConverter: Gives what brings the file's colours to the target profile, in rows of a format; nil
    ///   to leave them.
    init(
        info: ImageInfo, options: DecodeOptions, job: Job,
        makeConverter: @escaping (PixelFormat) -> (any RowConverter)?
    ) {
        self.info = info
        self.options = options
        self.makeConverter = makeConverter
        self.job = job
    }

    mutating func begin(_ layout: PixelLayout) throws(ImageError) {
        guard source == nil else { throw Self.misuse("began twice") }
        try DecodeLimits(options.context).check(layout.size)
        try job.check()
        converter = makeConverter(layout.format)
        // It follows from the file, so that a decoder which decodes less gives the same size.
        let targetSize = options.targetSize(of: info)
        var targetLayout = layout
        targetLayout.size = targetSize
        if converter != nil { targetLayout.isGray = false }
        var builder = try PixelBufferBuilder(uninitialized: targetLayout)
        if targetSize != layout.size {
            let rowBytes = builder.bytesPerRow
            let plan = ResamplingPlan(
                source: layout,
                region: Self.region(of: layout.size, in: info.pixelSize),
                targetSize: targetSize, target: builder.withUnsafeMutableBytes { $0.baseAddress! },
                targetBytesPerRow: rowBytes, job: job)
            resampler = plan.makeResampler()
            scratch = RowMemory(count: layout.rowByteCount)
        }
        self.builder = consume builder
        source = layout
    }

    mutating func row(_ y: Int, _ body: (inout MutableRawSpan) throws -> Void) throws {
        try job.check()
        guard let source, y == rowsTaken, y < source.size.height else { throw Self.misuse("row \(y) out of order") }
        if let resampler, let scratch {
            let memory = UnsafeMutableRawBufferPointer(start: scratch.base, count: source.rowByteCount)
            var span = MutableRawSpan(_unsafeBytes: memory)
            try body(&span)
            converter?.convert(&span)
            try resampler.push(scratch.base)
        } else {
            let converter = converter
            try builder?.withRow(y) { span throws in
                try body(&span)
                converter?.convert(&span)
            }
        }
        rowsTaken += 1
    }

    mutating func whole(_ body: (inout MutableRawSpan, Int) throws -> Void) throws {
        guard let source, rowsTaken == 0 else { throw Self.misuse("all rows given besides single ones") }
        guard resampler != nil || converter != nil else {
            guard let rowBytes = builder?.bytesPerRow else { return }
            try builder?.withUnsafeMutableBytes { memory throws in
                // The memory may have been another picture's, of which nothing may be seen where the decoder leaves
                // gaps.
                memory.initializeMemory(as: UInt8.self, repeating: 0)
                var span = MutableRawSpan(_unsafeBytes: memory)
                try body(&span, rowBytes)
            }
            rowsTaken = source.size.height
            return
        }
        var complete = try PixelBufferBuilder(layout: source)
        let rowBytes = complete.bytesPerRow
        try complete.withUnsafeMutableBytes { memory throws in
            var span = MutableRawSpan(_unsafeBytes: memory)
            try body(&span, rowBytes)
        }
        let pixels = complete.finish()
        for y in 0..<source.size.height {
            try pixels.withRow(y) { given throws in
                try row(y) { taken in
                    taken.withUnsafeMutableBytes { taken in
                        given.withUnsafeBytes { taken.copyMemory(from: $0) }
                    }
                }
            }
        }
    }

    /// The pixels, upright unless the request keeps them as stored.
    consuming func finish() throws(ImageError) -> PixelBuffer {
        guard let source, rowsTaken == source.size.height else {
            throw ImageError(
                .badData, stage: .decode, message: "the decoder gave \(rowsTaken) of \(info.pixelSize.height) rows")
        }
        try resampler?.finish()
        guard let builder = consume builder else { throw Self.misuse("finished twice") }
        var pixels = builder.finish()
        if !options.nativeDepth { pixels = try pixels.eightBit(job: job) }
        return options.context[.keepsOrientation] ? pixels : try pixels.upright(from: info.orientation, job: job)
    }

    /// How far the picture goes in what a decoder gave of it: where that is fewer rows and columns, by a whole number and
    /// rounded up, the last ones lie partly outside.
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

    private static func misuse(_ message: String) -> ImageError {
        ImageError(
            .badData, stage: .decode, message: "the coder misused its sink: \(message)",
            advice: "report it to the coder's author")
    }
}
