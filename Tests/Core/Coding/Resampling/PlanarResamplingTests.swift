import Testing

@testable import Calotype

/// Thumbnails made from planes, compared with decoding at full size and resampling in exact arithmetic.
@Suite(.timeLimit(.minutes(5)))
struct PlanarResamplingTests {
    /// Returns the options for a thumbnail of exactly this size.
    private func options(_ target: PixelSize, filter: ResamplingFilter = .lanczos3) -> DecodeOptions {
        var options = DecodeOptions()
        options.thumbnailPixelSize = target
        options.preservesAspectRatio = false
        options.resampling.filter = filter
        return options
    }

    /// Returns the pipeline for a picture's decoder.
    /// - Parameter whole: The size of the file's picture; nil for that of the planes.
    private func sink(
        _ picture: PlanarPicture, _ options: DecodeOptions, whole: PixelSize? = nil, orientation: Orientation = .up,
        job: Job = Job(), converter: (any RowConverter)? = nil
    ) throws -> RowPipeline {
        let info = ImageInfo(
            format: ScriptedCoder.format, pixelSize: whole ?? picture.layout.size, orientation: orientation,
            hasAlpha: false, colorModel: .yCbCr)
        return try RowPipeline(info: info, options: options, job: job) { _, _ in converter }
    }

    /// Returns the thumbnail of a picture in planes.
    private func thumbnail(
        _ picture: PlanarPicture, _ options: DecodeOptions, whole: PixelSize? = nil, orientation: Orientation = .up,
        delivery: PlanarPicture.Delivery = .init(), converter: (any RowConverter)? = nil
    ) throws -> PixelBuffer {
        var sink = try sink(picture, options, whole: whole, orientation: orientation, converter: converter)
        let isWanted = try sink.beginPlanes(picture.layout)
        try #require(isWanted)
        try picture.give(to: &sink, delivery)
        return try sink.finish()
    }

    // MARK: Comparison with exact arithmetic

    /// The largest allowed difference. Rounding to a level takes half a level. The contribution of Cb and Cr to Y takes
    /// another half, since it is rounded as in libjpeg, but not in the reference. The rest is the error of the
    /// arithmetic.
    private static func tolerance(_ sampling: PlanarPicture.Sampling) -> Double { sampling == .gray ? 0.75 : 1.25 }

    static let sizes: [(source: PixelSize, target: PixelSize)] = [
        (PixelSize(64, 48), PixelSize(32, 24)), (PixelSize(64, 48), PixelSize(16, 12)),
        (PixelSize(61, 47), PixelSize(20, 15)), (PixelSize(97, 62), PixelSize(7, 5)),
        (PixelSize(34, 33), PixelSize(33, 32)), (PixelSize(130, 9), PixelSize(41, 8)),
        (PixelSize(9, 131), PixelSize(5, 40)), (PixelSize(3, 3), PixelSize(2, 2)), (PixelSize(2, 5), PixelSize(1, 1)),
        (PixelSize(500, 260), PixelSize(1, 1)), (PixelSize(16, 16), PixelSize(1, 15)),
    ]

    @Test(arguments: PlanarResamplingTests.sizes, PlanarPicture.Sampling.allCases)
    func `a thumbnail is that of the picture decoded in full`(
        sizes: (source: PixelSize, target: PixelSize), sampling: PlanarPicture.Sampling
    ) throws {
        let picture = PlanarPicture.noise(sizes.source, sampling, seed: 3)
        let decoded = ReferencePicture(try picture.decoded())
        for filter in ResamplingFilter.allCases where filter != .nearest {
            let made = try thumbnail(picture, options(sizes.target, filter: filter))
            #expect(made.layout == PixelLayout(size: sizes.target, isOpaque: true, isGray: sampling == .gray))
            let expected = decoded.resampled(to: sizes.target, filter: filter).levels(in: .rgba8)
            let difference = LevelDifference(made.levels, expected, full: 255)
            #expect(difference.alpha <= 1e-9)
            #expect(difference.color <= Self.tolerance(sampling), "\(filter)")
        }
    }

    @Test(arguments: PlanarPicture.Sampling.allCases)
    func `reduced planes are cropped at the edge of the picture, and not enlarged`(
        sampling: PlanarPicture.Sampling
    ) throws {
        // A quarter of 123 by 86 pixels, with both sides rounded up as in JPEG decoders.
        let picture = PlanarPicture.noise(PixelSize(31, 22), sampling, seed: 4)
        let target = PixelSize(12, 9)
        let made = try thumbnail(picture, options(target), whole: PixelSize(123, 86))
        let planes = try picture.planes.indices.map { plane in
            let size = picture.size(of: plane)
            let (width, height) = (size.width == 31 ? 30.75 : 30.75 / 2, size.height == 22 ? 21.5 : 21.5 / 2)
            return try ReferencePicture(picture.gray(plane))
                .resampled(to: target, region: (x: 0..<width, y: 0..<height)).levels(in: .rgbaFloat)
        }
        let expected = stride(from: 0, to: target.area * 4, by: 4).flatMap { place -> [Double] in
            let samples = planes.map { $0[place] * 255 } + (planes.count == 1 ? [128, 128] : [])
            return PlanarPicture.color(samples[0], samples[1], samples[2]) + [255]
        }
        #expect(LevelDifference(made.levels, expected, full: 255).color <= Self.tolerance(sampling))
    }

    @Test(arguments: PlanarPicture.Sampling.allCases, ResamplingFilter.allCases.filter { $0 != .nearest })
    func `a flat color equals libjpeg's result to the bit`(
        sampling: PlanarPicture.Sampling, filter: ResamplingFilter
    ) throws {
        // The last two are outside the range of RGB.
        let samples: [[UInt8]] = [
            [0, 128, 128], [255, 128, 128], [77, 128, 128], [200, 90, 160], [50, 140, 120], [235, 255, 0],
            [16, 3, 250],
        ]
        for sample in samples {
            let picture = PlanarPicture(PixelSize(61, 47), sampling) { sample[$0] }
            let made = try thumbnail(picture, options(PixelSize(23, 16), filter: filter))
            let chroma = sampling == .gray ? [128, 128] : sample[1...].map(Int.init)
            let color = LibJPEGColor.color(Int(sample[0]), chroma[0], chroma[1]).map(Double.init)
            let expected = repeatElement(color + [255], count: made.size.area).flatMap { $0 }
            #expect(made.levels == expected, "\(sample)")
        }
    }

    // MARK: Delivery of rows

    @Test(arguments: PlanarPicture.Sampling.allCases)
    func `the picture does not depend on the order of its rows`(sampling: PlanarPicture.Sampling) throws {
        let picture = PlanarPicture.noise(PixelSize(61, 47), sampling, seed: 5)
        let options = options(PixelSize(20, 15))
        let expected = try thumbnail(picture, options, delivery: .init(rowCount: .max / 2)).levels
        for rowCount in [1, 3, 7, 8, 9, 16, 46] {
            for isOneAfterAnother in [false, true] {
                let delivery = PlanarPicture.Delivery(
                    rowCount: rowCount, padding: rowCount % 4, isOneAfterAnother: isOneAfterAnother)
                let made = try thumbnail(picture, options, delivery: delivery)
                let isEqual = made.levels == expected
                #expect(isEqual, "\(rowCount) rows at a time, planes one after another: \(isOneAfterAnother)")
            }
        }
    }

    @Test(arguments: Orientation.allCases)
    func `the thumbnail stands upright`(orientation: Orientation) throws {
        let picture = PlanarPicture.noise(PixelSize(61, 47), .half, seed: 6)
        let stored = PixelSize(20, 15)
        let upright = options(orientation.displaySize(of: stored))
        let made = try thumbnail(picture, upright, orientation: orientation)
        let expected = try thumbnail(picture, options(stored)).upright(from: orientation)
        #expect(made.size == expected.size)
        #expect(made.levels == expected.levels)
    }

    /// A row converter that inverts all colors.
    private struct Inverter: RowConverter {
        func convert(_ row: inout MutableRawSpan) {
            row.withUnsafeMutableBytes { bytes in
                for index in bytes.indices where index % 4 != 3 { bytes[index] = 255 - bytes[index] }
            }
        }
    }

    @Test(arguments: PlanarPicture.Sampling.allCases)
    func `the thumbnail's colors are converted`(sampling: PlanarPicture.Sampling) throws {
        let picture = PlanarPicture.noise(PixelSize(61, 47), sampling, seed: 7)
        let options = options(PixelSize(20, 15))
        let plain = try thumbnail(picture, options)
        let made = try thumbnail(picture, options, converter: Inverter())
        #expect(!made.isGray, "a converter may turn gray into color")
        let expected = plain.levels.enumerated().map { index, level in index % 4 == 3 ? level : 255 - level }
        #expect(made.levels == expected)
    }

    // MARK: Unwanted planes

    @Test func `planes are used only if both sides shrink and the layout is supported`() throws {
        let size = PixelSize(40, 30)
        let smaller = options(PixelSize(20, 15))
        func isWanted(_ options: DecodeOptions, chroma: PixelSize? = PixelSize(20, 15)) throws -> Bool {
            let picture = PlanarPicture.noise(size, .half, seed: 8)
            var sink = try sink(picture, options)
            let isWanted = try sink.beginPlanes(PlanarLayout(size: size, chromaSize: chroma))
            guard !isWanted else { return true }
            // Nothing has begun, so rows may follow.
            try sink.begin(PixelLayout(size: size, isOpaque: true))
            for y in 0..<size.height {
                try sink.row(y) { row in
                    row.withUnsafeMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 255) }
                }
            }
            let pixels = try sink.finish()
            #expect(pixels.levels.allSatisfy { $0 == 255 })
            return false
        }
        #expect(try isWanted(smaller))
        #expect(try isWanted(smaller, chroma: nil))
        #expect(try isWanted(smaller, chroma: PixelSize(40, 15)))
        for chroma in [PixelSize(10, 15), PixelSize(20, 16), PixelSize(80, 30), PixelSize(0, 0), PixelSize(-20, 15)] {
            #expect(try !isWanted(smaller, chroma: chroma), "\(chroma)")
        }
        for target in [size, PixelSize(40, 15), PixelSize(20, 30), PixelSize(80, 60)] {
            #expect(try !isWanted(options(target)), "\(target)")
        }
        #expect(try !isWanted(DecodeOptions()))
        #expect(try !isWanted(options(PixelSize(20, 15), filter: .nearest)))
        var changed = smaller
        changed.resampling.isLinear = true
        #expect(try !isWanted(changed))
        changed = smaller
        changed.thumbnailQuality = .exact
        #expect(try !isWanted(changed))
        changed.thumbnailQuality = .fast
        #expect(try isWanted(changed))
    }

    // MARK: Misuse

    /// A decoder that violates the contract for planes.
    private struct Misuse: Sendable {
        let message: String
        let act: @Sendable (PlanarPicture, inout RowPipeline) throws -> Void

        init(_ message: String, _ act: @escaping @Sendable (PlanarPicture, inout RowPipeline) throws -> Void) {
            self.message = message
            self.act = act
        }
    }

    private static let misuses = [
        Misuse("`begin` was called twice") { picture, sink in _ = try sink.beginPlanes(picture.layout) },
        Misuse("`begin` was called twice") { picture, sink in try sink.begin(PixelLayout(size: picture.layout.size)) },
        Misuse("row 0 was passed out of order") { _, sink in try sink.row(0) { _ in } },
        Misuse("`whole` was called out of order") { _, sink in try sink.whole { _, _ in } },
        Misuse("plane 3 was passed, but there are 3 planes") { _, sink in
            try sink.plane(3, rows: 0..<1, [1, 2, 3].span.bytes, bytesPerRow: 20)
        },
        Misuse("plane -1 was passed, but there are 3 planes") { _, sink in
            try sink.plane(-1, rows: 0..<1, [1, 2, 3].span.bytes, bytesPerRow: 20)
        },
        Misuse("rows 1..<3 of plane 1 were passed out of order") { picture, sink in
            try picture.give(1..<3, of: 1, to: &sink)
        },
        Misuse("rows 2..<5 of plane 0 were passed out of order") { picture, sink in
            try picture.give(0..<3, of: 0, to: &sink)
            try picture.give(2..<5, of: 0, to: &sink)
        },
        Misuse("rows -1..<1 of plane 0 were passed out of order") { _, sink in
            try sink.plane(0, rows: -1..<1, [1, 2, 3].span.bytes, bytesPerRow: 61)
        },
        Misuse("rows 24..<25 of plane 2 were passed out of order") { picture, sink in
            try picture.give(0..<24, of: 2, to: &sink)
            try sink.plane(2, rows: 24..<25, [UInt8](repeating: 0, count: 31).span.bytes, bytesPerRow: 31)
        },
        Misuse("too few bytes were passed for rows 0..<2 of plane 0") { _, sink in
            try sink.plane(0, rows: 0..<2, [UInt8](repeating: 0, count: 121).span.bytes, bytesPerRow: 61)
        },
        Misuse("too few bytes were passed for rows 0..<2 of plane 0") { _, sink in
            try sink.plane(0, rows: 0..<2, [UInt8](repeating: 0, count: 200).span.bytes, bytesPerRow: 60)
        },
        Misuse("too few bytes were passed for rows 0..<2 of plane 0") { _, sink in
            try sink.plane(0, rows: 0..<2, [UInt8](repeating: 0, count: 200).span.bytes, bytesPerRow: -61)
        },
        Misuse("too few bytes were passed for rows 0..<3 of plane 0") { _, sink in
            try sink.plane(0, rows: 0..<3, [UInt8](repeating: 0, count: 200).span.bytes, bytesPerRow: .max)
        },
        Misuse("the decoder returned only 0 of 24 rows of plane 2") { picture, sink in
            try picture.give(0..<47, of: 0, to: &sink)
            try picture.give(0..<24, of: 1, to: &sink)
        },
        Misuse("the decoder returned only 46 of 47 rows of plane 0") { picture, sink in
            try picture.give(0..<46, of: 0, to: &sink)
            try picture.give(0..<24, of: 1, to: &sink)
            try picture.give(0..<24, of: 2, to: &sink)
        },
    ]

    @Test func `a decoder that misuses its sink makes no picture`() throws {
        let picture = PlanarPicture.noise(PixelSize(61, 47), .half, seed: 9)
        for misuse in Self.misuses {
            var sink = try sink(picture, options(PixelSize(20, 15)))
            let isWanted = try sink.beginPlanes(picture.layout)
            try #require(isWanted)
            do {
                try misuse.act(picture, &sink)
                _ = try sink.finish()
                Issue.record("expected an error: \(misuse.message)")
            } catch let error as ImageError {
                #expect(error.code == .badData)
                #expect(error.message.hasSuffix(misuse.message), "\(error.message)")
            }
        }
    }

    @Test func `planes that were not asked for are refused`() throws {
        let picture = PlanarPicture.noise(PixelSize(61, 47), .half, seed: 9)
        for hasBegun in [false, true] {
            var sink = try sink(picture, DecodeOptions())
            if hasBegun { try sink.begin(PixelLayout(size: picture.layout.size)) }
            do {
                try picture.give(0..<1, of: 0, to: &sink)
                Issue.record("expected an error for the plane")
            } catch let error as ImageError {
                #expect(error.code == .badData)
                #expect(error.message.hasSuffix("planes were passed that the sink did not request"), "\(error.message)")
            }
        }
    }

    // MARK: Limits

    @Test func `planes are subject to the limits`() throws {
        let picture = PlanarPicture.noise(PixelSize(61, 47), .half, seed: 10)
        var limited = DecodeOptions(ResolvedContext([.maxPixels(61 * 47 - 1), .preservesAspectRatio(false)]))
        limited.thumbnailPixelSize = PixelSize(20, 15)
        var sink = try sink(picture, limited)
        do {
            _ = try sink.beginPlanes(picture.layout)
            Issue.record("expected an error for a picture that is too large")
        } catch {
            #expect(error.code == .limitExceeded)
        }
    }

    @Test func `a cancelled decode ends before the next rows`() throws {
        let picture = PlanarPicture.noise(PixelSize(61, 47), .half, seed: 11)
        let job = Job()
        var sink = try sink(picture, options(PixelSize(20, 15)), job: job)
        let isWanted = try sink.beginPlanes(picture.layout)
        try #require(isWanted)
        try picture.give(0..<8, of: 0, to: &sink)
        job.cancel()
        do {
            try picture.give(8..<16, of: 0, to: &sink)
            Issue.record("expected an error for rows of a cancelled job")
        } catch let error as ImageError {
            #expect(error.code == .cancelled)
        }
    }
}
