/// The sink that a decoder writes to. It handles limits, memory, cancellation, color, resampling, orientation and
/// damaged pictures.
///
/// Rows that a decoder delivers one by one are resampled as they arrive, so that a thumbnail does not need the whole
/// picture in memory. Colors are usually converted in the thumbnail, which takes less work. Inks and linear light must
/// be converted before resampling.
struct RowPipeline: RowSink, ~Copyable {
    private let options: DecodeOptions
    /// The size of the whole picture, as stored.
    private let wholeSize: PixelSize
    /// The region of the whole picture that is made, and the size of the result, in the stored orientation.
    private let region: ResampledRegion
    /// The stored orientation of the picture if the picture is to be turned upright; otherwise `.up`.
    private let turning: Orientation
    private let makeConverter: (PixelLayout, RowChannels) throws(ImageError) -> (any RowConverter)?
    private let job: Job

    /// Whether rows or planes were announced, even if that failed. A failed announcement cannot be repeated.
    private var hasBegun = false
    /// The announced layout of the rows; for planes, the layout of their picture.
    private var source: PixelLayout?
    /// The places in memory where the decoder fills rows. Nil until rows are announced; always nil for planes.
    private var places: RowPlaces?
    private var target: RowTarget?
    /// The converter that is applied to rows as they arrive; nil if arriving rows are not converted.
    private var rowConverter: BoxedRowConverter?
    /// The converter that is applied to the rows of the finished picture; nil if the finished picture is not converted.
    private var finalConverter: BoxedRowConverter?
    private var resampler: (any RowResampler)?
    private var planes: PlanarResampler?
    /// The memory for a row that cannot be filled in its final place.
    private var scratch: RowMemory<UInt8>?
    private var rowsTaken = 0
    /// Whether every pixel is known to be opaque.
    private var isOpaque = false
    /// Whether code outside the library may have wrongly declared the pixels opaque or gray.
    private var hasUncheckedClaims = false
    /// Whether the rows contain amounts of ink (``RowChannels/cmyk``).
    private var isInk = false
    /// Whether the decoder has misused the sink.
    private var isMisused = false
    /// Whether the decoder failed before the end of the picture.
    private var isPartial = false

    /// Creates a pipeline for a file. Throws the errors of ``DecodeOptions/region(of:)``.
    /// - Parameter makeConverter: Returns the converter of the file's colors, for rows of a layout. Returns nil to
    ///   leave the rows unchanged, which is not allowed for inks. An error that it throws ends the decode.
    init(
        info: ImageInfo, options: DecodeOptions, job: Job,
        makeConverter: @escaping (PixelLayout, RowChannels) throws(ImageError) -> (any RowConverter)?
    ) throws(ImageError) {
        self.options = options
        wholeSize = info.pixelSize
        region = try options.region(of: info)
        turning = options.turning(of: info)
        self.makeConverter = makeConverter
        self.job = job
    }

    mutating func begin(_ layout: PixelLayout, channels: RowChannels) throws(ImageError) {
        try checkBegin(layout.size)
        hasBegun = true
        var layout = layout
        if channels == .cmyk {
            layout.isOpaque = true
            layout.isGray = false
        }
        isOpaque = layout.isOpaque
        isInk = channels == .cmyk
        // The library itself claims that inks are opaque, so this needs no check.
        hasUncheckedClaims = !options.trustsDecoder && !isInk
        let converter = try makeConverter(layout, channels).map(BoxedRowConverter.init)
        if region.size == layout.size, region.keepsAll(of: wholeSize) {
            try makeTarget(of: layout, converter: converter)
            rowConverter = converter
        } else {
            let isConvertedLast =
                channels == .rgba && !options.resampling.isLinear && options.thumbnailQuality != .exact
                && region.size.area < layout.size.area
            if options.allowsPartial, isOpaque {
                // Missing rows are resampled as transparent rows.
                layout.isOpaque = false
                // An average of full alpha values is exactly full in integers, but not always in floating point.
                if layout.format == .rgbaFloat { isOpaque = false }
            }
            resampler = try plan(layout, converter: converter).makeResampler()
            try fillElsewhere(layout)
            rowConverter = isConvertedLast ? nil : converter
            finalConverter = isConvertedLast ? converter : nil
        }
        source = layout
    }

    mutating func beginPlanes(_ layout: PlanarLayout) throws(ImageError) -> Bool {
        try checkBegin(layout.size)
        // Planes are faster only if both sides get smaller. Exact quality resamples the fully decoded picture. Planes
        // have no alpha, which missing rows would need.
        let part = region.inVersion(of: layout.size, of: wholeSize)
        guard layout.isConsistent, part.isReduced,
            options.resampling.filter != .nearest, !options.resampling.isLinear, options.thumbnailQuality != .exact,
            !options.allowsPartial
        else { return false }
        hasBegun = true
        let source = PixelLayout(size: layout.size, isOpaque: true, isGray: layout.chromaSize == nil)
        let converter = try makeConverter(source, .rgba).map(BoxedRowConverter.init)
        planes = try PlanarResampler(
            layout, isDivided: layout.size != wholeSize, plan(source, converter: converter), part,
            filter: options.resampling.filter)
        finalConverter = converter
        isOpaque = true
        self.source = source
        return true
    }

    mutating func row(_ y: Int, _ body: (inout MutableRawSpan) throws -> Void) throws {
        try job.check()
        guard let source, let places, y == rowsTaken, y < places.count else {
            throw misuse("row \(y) was passed out of order")
        }
        let place = places[y]
        var lent = MutableRawSpan(_unsafeBytes: place)
        try body(&lent)
        // The whole row, whatever the decoder has done with the span that it was lent.
        var row = MutableRawSpan(_unsafeBytes: place)
        rowConverter?.convert(&row)
        if scratch != nil {
            try move(y, from: place, source.format)
        } else if places.isMirrored {
            row.mirror(source.format)
        }
        rowsTaken += 1
    }

    mutating func plane(_ index: Int, rows: Range<Int>, _ bytes: RawSpan, bytesPerRow: Int) throws {
        try job.check()
        guard let planes else { throw misuse("planes were passed that the sink did not request") }
        try planes.take(rows, ofPlane: index, bytes, bytesPerRow: bytesPerRow)
    }

    mutating func whole(_ body: (inout MutableRawSpan, Int) throws -> Void) throws {
        try job.check()
        guard let source, planes == nil, rowsTaken == 0 else {
            throw misuse("`whole` was called out of order")
        }
        // If the memory is zeroed, pixels that are not written stay transparent. Unwritten inks are an exception: they
        // become opaque.
        let keepsPart = options.allowsPartial && !isInk
        let isZeroed = options.allowsPartial || !options.trustsDecoder
        var interruption: (any Error)?
        func fill(_ rows: inout MutableRawSpan, _ bytesPerRow: Int) throws {
            do {
                try body(&rows, bytesPerRow)
            } catch {
                // If nothing was written, there is nothing to show.
                guard keepsPart, Self.isDamage(error), rows.withUnsafeBytes({ !$0.allSatisfy { $0 == 0 } }) else {
                    throw error
                }
                interruption = error
            }
        }
        if scratch == nil {
            try target?.fillAll(isZeroed: isZeroed, converter: rowConverter, job: job) { rows, bytesPerRow throws in
                try fill(&rows, bytesPerRow)
            }
        } else {
            var complete = try PixelBufferBuilder(source, isZeroed: isZeroed)
            let rowBytes = complete.bytesPerRow
            try complete.withUnsafeMutableBytes { memory throws in
                var span = MutableRawSpan(_unsafeBytes: memory)
                try fill(&span, rowBytes)
            }
            for y in 0..<source.size.height {
                try job.check()
                try complete.withUnsafeMutableBytes { memory throws in
                    let start = y * rowBytes
                    let row = UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + source.rowByteCount])
                    var span = MutableRawSpan(_unsafeBytes: row)
                    rowConverter?.convert(&span)
                    try move(y, from: row, source.format)
                }
            }
        }
        rowsTaken = source.size.height
        guard let interruption else { return }
        isPartial = true
        isOpaque = false
        throw interruption
    }

    /// Returns the finished pixels. They are upright unless the request keeps the stored orientation.
    consuming func finish() throws(ImageError) -> PixelBuffer {
        if let planes {
            try planes.finish()
        } else {
            let height = source?.size.height ?? wholeSize.height
            guard source != nil, rowsTaken == height else { throw .rowsMissing(rowsTaken, of: height) }
            try resampler?.finish()
        }
        guard let target = consume target else { throw .sinkMisuse("`begin` was not called") }
        return try target.finish(
            converter: finalConverter, isOpaque: isOpaque, hasUncheckedClaims: hasUncheckedClaims,
            keepsDepth: options.nativeDepth, job: job)
    }

    private mutating func misuse(_ message: String) -> ImageError {
        isMisused = true
        return .sinkMisuse(message)
    }

    private mutating func checkBegin(_ size: PixelSize) throws(ImageError) {
        guard !hasBegun else { throw misuse("`begin` was called twice") }
        try DecodeLimits(options.context).check(size)
        try job.check()
    }

    /// Allocates memory for a picture that is not resampled.
    private mutating func makeTarget(of layout: PixelLayout, converter: BoxedRowConverter?) throws(ImageError) {
        var targetLayout = layout
        if let converter, !converter.keepsGray { targetLayout.isGray = false }
        let isNarrowed = !options.nativeDepth && layout.format != .rgba8
        if isNarrowed { targetLayout.format = .rgba8 }
        let target = try RowTarget(targetLayout, orientation: turning, isResampled: false)
        if isNarrowed { try fillElsewhere(layout) } else { places = target.rows }
        self.target = consume target
    }

    /// Makes the decoder fill one row at a time, always in the same memory.
    private mutating func fillElsewhere(_ layout: PixelLayout) throws(ImageError) {
        let memory = try RowMemory<UInt8>(count: layout.rowByteCount)
        places = RowPlaces(layout, at: memory.base, bytesPerRow: 0)
        scratch = memory
    }

    /// Allocates memory for a resampled picture. Returns the plan for resampling rows or planes into this memory.
    private mutating func plan(
        _ source: PixelLayout, converter: BoxedRowConverter?
    ) throws(ImageError) -> ResamplingPlan {
        var targetLayout = source
        targetLayout.size = region.size
        if let converter, !converter.keepsGray { targetLayout.isGray = false }
        let target = try RowTarget(targetLayout, orientation: turning, isResampled: true)
        let memory = target.memory
        self.target = consume target
        let part = region.inVersion(of: source.size, of: wholeSize)
        let filter = options.resampling.filter
        return ResamplingPlan(
            source: source,
            columns: part.columnWindows(filter: filter), rows: part.rowWindows(filter: filter),
            isLinear: options.resampling.isLinear, target: memory.base, targetBytesPerRow: memory.bytesPerRow, job: job)
    }

    /// Moves the converted row `y` from temporary memory to the resampler, or to its final place.
    private mutating func move(
        _ y: Int, from row: UnsafeMutableRawBufferPointer, _ format: PixelFormat
    ) throws(ImageError) {
        if let resampler {
            try resampler.push(row.baseAddress!)
        } else {
            target?.fillRow(y) { target in
                target.withUnsafeMutableBytes { target in
                    PixelFormat.rgba8.convert(
                        row.baseAddress!, from: format, to: target.baseAddress!, pixelCount: target.count / 4)
                }
            }
        }
    }

    /// Returns whether the rows received so far may be shown after the decoder threw `error`.
    private func canShowPart(after error: any Error) -> Bool {
        options.allowsPartial && rowsTaken > 0 && !isMisused && Self.isDamage(error)
    }

    /// Returns whether an error is about the bytes of the picture (`badData` or `incomplete`). An error of unknown type
    /// counts as `badData`.
    private static func isDamage(_ error: any Error) -> Bool {
        ImageError.wrapping(error, as: .badData, stage: .decode, message: "could not be decoded").isDamage
    }

    /// Makes missing rows transparent.
    private mutating func fillMissingRows() throws(ImageError) {
        guard let source, rowsTaken < source.size.height else { return }
        isOpaque = false
        scratch?.base.update(repeating: 0, count: source.rowByteCount)
        for y in rowsTaken..<source.size.height {
            try job.check()
            if let resampler, let scratch {
                try resampler.push(UnsafeRawPointer(scratch.base))
            } else {
                target?.fillRow(y) { row in
                    row.withUnsafeMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 0) }
                }
            }
        }
        rowsTaken = source.size.height
    }
}

extension RowPipeline {
    /// The outcome of decoding a frame.
    struct Outcome {
        let pixels: PixelBuffer
        /// Whether the decoder failed before the end of the picture.
        let isPartial: Bool
        /// The size and format of the rows that the decoder delivered; for planes, those of their picture.
        let source: PixelLayout
        /// Whether the result has all pixels of the picture, without resampling.
        let isWhole: Bool
        /// Whether colors were converted.
        let isConverted: Bool
    }

    /// Decodes a frame to the size, depth, colors and orientation that the options require. Blocks.
    ///
    /// Throws the decoder's error. If the options allow partial pictures, `badData` and `incomplete` after the first
    /// row are not thrown: missing rows become transparent. Throws `cancelled` or `timedOut` if the job ends.
    /// - Parameters:
    ///   - info: The properties of the picture that the decoder delivers.
    ///   - makeConverter: Returns the converter of the colors, as in `init`.
    static func decode(
        _ frame: Int, of info: ImageInfo, by decoder: any ImageDecoder, options: DecodeOptions, job: Job,
        makeConverter: @escaping (PixelLayout, RowChannels) throws(ImageError) -> (any RowConverter)?
    ) throws -> Outcome {
        var rows = try RowPipeline(info: info, options: options, job: job, makeConverter: makeConverter)
        do {
            try decoder.decode(frame: frame, into: &rows, job: job)
        } catch {
            guard rows.canShowPart(after: error) else { throw error }
            rows.isPartial = true
            try rows.fillMissingRows()
        }
        let (source, isPartial) = (rows.source, rows.isPartial)
        let isConverted = rows.rowConverter != nil || rows.finalConverter != nil
        let isWhole = source?.size == info.pixelSize && rows.region.isAll(of: info.pixelSize)
        let pixels = try rows.finish()
        // If nothing was announced, `finish` has thrown.
        return Outcome(
            pixels: pixels, isPartial: isPartial, source: source!, isWhole: isWhole, isConverted: isConverted)
    }
}
