import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct ResamplingTests {
    /// The sizes before and after resampling.
    struct Sizes: Sendable, CustomStringConvertible {
        let source: PixelSize
        let target: PixelSize

        init(_ width: Int, _ height: Int, to targetWidth: Int, _ targetHeight: Int) {
            source = PixelSize(width, height)
            target = PixelSize(targetWidth, targetHeight)
        }

        var description: String { "\(source) to \(target)" }
    }

    static let sizes = [
        // Reductions by odd and by even ratios, in one direction and in both.
        Sizes(97, 61, to: 41, 23), Sizes(64, 48, to: 32, 24), Sizes(150, 100, to: 4, 3), Sizes(67, 5, to: 66, 5),
        Sizes(5, 5, to: 5, 2), Sizes(3, 3, to: 2, 2), Sizes(2, 2, to: 1, 1),
        // Enlargements, and enlargements combined with reductions.
        Sizes(31, 17, to: 97, 53), Sizes(40, 24, to: 120, 36), Sizes(40, 30, to: 55, 19), Sizes(19, 24, to: 7, 25),
        // Sides of one pixel.
        Sizes(1, 40, to: 1, 13), Sizes(40, 1, to: 13, 1), Sizes(1, 9, to: 7, 31), Sizes(9, 1, to: 31, 7),
        // Extreme ratios.
        Sizes(2000, 3, to: 1, 1), Sizes(3, 2000, to: 1, 1), Sizes(1, 1, to: 64, 64),
    ]

    /// All filters, in levels and in linear light.
    static let resamplings = ResamplingFilter.allCases.flatMap { filter in
        [false, true].map { Resampling(filter: filter, linear: $0) }
    }

    /// Small pictures, for tests with all combinations.
    private static let smallSizes = [
        // Reductions by an odd ratio and by two, where pixels lie at both ends of a support.
        Sizes(23, 17, to: 9, 7), Sizes(16, 12, to: 8, 6), Sizes(6, 9, to: 4, 2),
        // Enlargements, and enlargements combined with reductions.
        Sizes(13, 9, to: 31, 20), Sizes(4, 2, to: 8, 3), Sizes(8, 8, to: 20, 3),
        // Sides that do not change, and sides of one pixel.
        Sizes(7, 6, to: 7, 3), Sizes(7, 6, to: 11, 6), Sizes(1, 9, to: 5, 4), Sizes(9, 1, to: 4, 1),
        Sizes(1, 1, to: 6, 5), Sizes(300, 2, to: 1, 1),
    ]

    /// The largest allowed difference from exact arithmetic, in levels.
    private struct Tolerance {
        let level: Double
        let premultiplied: Double
        /// The part of full alpha from which on `level` applies.
        var visible = 0.25

        /// Creates the tolerance of a format. In integers, rounding takes half a level, and the arithmetic next to
        /// nothing. Color times alpha is rounded twice. In floating point only the arithmetic counts: a float has 24
        /// bits, and a sum has up to 2000 terms.
        ///
        /// 8-bit linear light is stored in 16,320ths, in which dark levels are five apart. So the rounding in both
        /// directions is visible there, increasingly so for low alpha.
        init(_ format: PixelFormat, isLinear: Bool) {
            switch format {
            case .rgba8 where isLinear: (level, premultiplied, visible) = (1, 1, 0.5)
            case .rgba8, .rgba16: (level, premultiplied) = (0.75, 1)
            case .rgbaFloat: (level, premultiplied) = (5e-6, 5e-6)
            }
        }
    }

    private func expectNear(
        _ made: PixelBuffer, _ expected: ReferencePicture, isLinear: Bool = false, slack: Double = 1, _ what: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        guard made.size == expected.size else {
            Issue.record("\(what): made \(made.size), not \(expected.size)", sourceLocation: sourceLocation)
            return
        }
        let allowed = Tolerance(made.format, isLinear: isLinear)
        let difference = LevelDifference(
            made.levels, expected.levels(in: made.format), full: made.format.fullLevel, visible: allowed.visible)
        #expect(difference.alpha <= allowed.level * slack, "alpha, \(what)", sourceLocation: sourceLocation)
        #expect(difference.color <= allowed.level * slack, "color, \(what)", sourceLocation: sourceLocation)
        #expect(
            difference.premultiplied <= allowed.premultiplied * slack, "color times alpha, \(what)",
            sourceLocation: sourceLocation)
    }

    // MARK: Comparison with exact arithmetic

    @Test(arguments: ResamplingTests.sizes, PixelFormat.allCases)
    func `every pixel equals the result of slow, exact arithmetic`(sizes: Sizes, format: PixelFormat) throws {
        for isOpaque in [true, false] {
            let pixels = try PixelBuffer.noise(sizes.source, format, isOpaque: isOpaque, seed: 7)
            let made = try pixels.resampled(to: sizes.target)
            #expect(made.layout == PixelLayout(size: sizes.target, format: format, isOpaque: isOpaque))
            let expected = ReferencePicture(pixels).resampled(to: sizes.target)
            expectNear(made, expected, isOpaque ? "opaque" : "with alpha")
        }
    }

    @Test(arguments: ResamplingTests.resamplings, PixelFormat.allCases)
    func `every filter matches its textbook definition, on levels and on light`(
        resampling: Resampling, format: PixelFormat
    ) throws {
        for sizes in Self.smallSizes {
            for isOpaque in [true, false] {
                let pixels = try PixelBuffer.noise(sizes.source, format, isOpaque: isOpaque, seed: 17)
                let made = try pixels.resampled(to: sizes.target, resampling: resampling)
                #expect(made.layout == PixelLayout(size: sizes.target, format: format, isOpaque: isOpaque))
                let expected = ReferencePicture(pixels, isLinear: resampling.isLinear)
                    .resampled(to: sizes.target, filter: resampling.filter)
                expectNear(
                    made, expected, isLinear: resampling.isLinear, "\(sizes), \(isOpaque ? "opaque" : "with alpha")")
            }
        }
    }

    @Test(arguments: ResamplingTests.resamplings, PixelFormat.allCases)
    func `ten thousand pixels are reduced to one`(resampling: Resampling, format: PixelFormat) throws {
        for size in [PixelSize(10_000, 1), PixelSize(1, 10_000)] {
            let pixels = try PixelBuffer.noise(size, format, seed: 18)
            let made = try pixels.resampled(to: PixelSize(1, 1), resampling: resampling)
            let expected = ReferencePicture(pixels, isLinear: resampling.isLinear)
                .resampled(to: PixelSize(1, 1), filter: resampling.filter)
            // Sums of ten thousand small floats lose a bit or two more than short ones.
            expectNear(made, expected, isLinear: resampling.isLinear, slack: format == .rgba8 ? 1 : 4, "\(size)")
        }
    }

    @Test(arguments: ResamplingTests.resamplings)
    func `one pixel is enlarged to a million equal ones`(resampling: Resampling) throws {
        let pixel: [UInt8] = [200, 100, 3, 128]
        let pixels = try PixelBuffer.drawn(PixelSize(1, 1)) { _, _ in pixel.map(Double.init) }
        let made = try pixels.resampled(to: PixelSize(1000, 1000), resampling: resampling)
        let expected = Array(repeatElement(pixel, count: 1000).joined())
        let areAlike = (0..<1000).allSatisfy { y in
            made.withRow(y) { row in row.withUnsafeBytes { Array($0) == expected } }
        }
        #expect(areAlike)
    }

    @Test(arguments: PixelFormat.allCases, [false, true])
    func `nearest copies the pixel under each center, whatever its alpha`(
        format: PixelFormat, isLinear: Bool
    ) throws {
        for sizes in Self.smallSizes + [Sizes(97, 61, to: 41, 23), Sizes(31, 17, to: 97, 53)] {
            let (source, target) = (sizes.source, sizes.target)
            let pixels = try PixelBuffer.noise(source, format, seed: 19)
            let made = try pixels.resampled(
                to: target, resampling: Resampling(filter: .nearest, linear: isLinear))
            let levels = pixels.levels
            let expected = (0..<target.height).flatMap { (y: Int) -> [Double] in
                (0..<target.width).flatMap { (x: Int) -> ArraySlice<Double> in
                    let column = (2 * x + 1) * source.width / (2 * target.width)
                    let row = (2 * y + 1) * source.height / (2 * target.height)
                    let start = (row * source.width + column) * 4
                    return levels[start..<start + 4]
                }
            }
            let isEqual = made.levels == expected
            #expect(isEqual, "\(sizes)")
        }
    }

    /// Parts of a picture of 60 by 44 pixels, and the target sizes.
    private static let regions: [(x: Range<Double>, y: Range<Double>, target: PixelSize)] = [
        (10.25..<50.75, 3.5..<33.25, PixelSize(20, 15)),
        (12.5..<20.5, 7.75..<15.75, PixelSize(64, 48)),
        (0..<30, 0..<44, PixelSize(30, 44)),
        (59..<60, 43..<44, PixelSize(5, 3)),
        (0.1..<0.2, 20..<20.5, PixelSize(3, 4)),
    ]

    @Test(arguments: ResamplingFilter.allCases, PixelFormat.allCases)
    func `a region can be resampled alone, and may begin between two pixels`(
        filter: ResamplingFilter, format: PixelFormat
    ) throws {
        for isOpaque in [true, false] {
            let pixels = try PixelBuffer.noise(PixelSize(60, 44), format, isOpaque: isOpaque, seed: 8)
            for (x, y, target) in Self.regions {
                let made = try pixels.resampled(
                    to: target, region: (x, y), resampling: Resampling(filter: filter))
                let expected = ReferencePicture(pixels).resampled(to: target, region: (x, y), filter: filter)
                expectNear(made, expected, "\(x), \(y)")
            }
        }
    }

    @Test(arguments: ResamplingTests.resamplings, PixelFormat.allCases)
    func `a region of whole pixels at its own size is a copy`(resampling: Resampling, format: PixelFormat) throws {
        let pixels = try PixelBuffer.noise(PixelSize(60, 44), format, seed: 9)
        let cut = try pixels.resampled(to: PixelSize(32, 24), region: (16..<48, 8..<32), resampling: resampling)
        let levels = pixels.levels
        let expected = (8..<32).flatMap { y -> ArraySlice<Double> in
            let row = y * 60
            return levels[(row + 16) * 4..<(row + 48) * 4]
        }
        let isEqual = cut.levels == expected
        #expect(isEqual)
    }

    // MARK: Visible properties

    /// Colors with eight bits a channel.
    static let colors: [[Double]] = [
        [0, 0, 0, 255], [255, 255, 255, 255], [200, 100, 3, 255], [1, 2, 254, 128], [37, 201, 90, 5], [255, 128, 7, 4],
        [0, 0, 0, 0],
    ]

    private static let sizesForFlat = [
        Sizes(97, 61, to: 41, 23), Sizes(31, 17, to: 60, 40), Sizes(1, 40, to: 1, 13), Sizes(2000, 3, to: 1, 1),
        Sizes(3, 2000, to: 1, 1), Sizes(1, 1, to: 64, 64),
    ]

    @Test(arguments: PixelFormat.allCases, ResamplingTests.colors)
    func `a flat color is unchanged`(format: PixelFormat, color: [Double]) throws {
        let levels = color.map { (level: Double) -> Double in
            format == .rgbaFloat ? Double(Float(level / 255)) : (level / 255 * format.fullLevel).rounded()
        }
        // Floating-point weights sum to one only approximately.
        let allowed: Double = format == .rgbaFloat ? 2e-6 : 0
        for sizes in Self.sizesForFlat {
            for isOpaque in color[3] == 255 ? [false, true] : [false] {
                let pixels = try PixelBuffer.drawn(sizes.source, format, isOpaque: isOpaque) { _, _ in levels }
                let made = try pixels.resampled(to: sizes.target).levels
                let farthest = made.indices.map { abs(made[$0] - levels[$0 % 4]) }.max() ?? .infinity
                #expect(farthest <= allowed, "\(sizes)")
            }
        }
    }

    @Test(arguments: ResamplingTests.resamplings, PixelFormat.allCases)
    func `every level is unchanged along a flat line`(resampling: Resampling, format: PixelFormat) throws {
        func levels(_ line: Int, alpha: Int) -> [Double] {
            [line, 255 - line, line ^ 0x55, alpha].map { (level: Int) -> Double in
                let level = Double(level) / 255
                return format == .rgbaFloat ? Double(Float(level)) : (level * format.fullLevel).rounded()
            }
        }
        let allowed: Double = format == .rgbaFloat ? 2e-6 : 0
        for (alpha, isOpaque) in [(255, true), (255, false), (128, false)] {
            let lines = (0...255).map { levels($0, alpha: alpha) }
            let rows = try PixelBuffer.drawn(PixelSize(5, 256), format, isOpaque: isOpaque) { _, y in lines[y] }
            let columns = try PixelBuffer.drawn(PixelSize(256, 5), format, isOpaque: isOpaque) { x, _ in lines[x] }
            for length in [3, 8] {
                let across = try rows.resampled(to: PixelSize(length, 256), resampling: resampling).levels
                let down = try columns.resampled(to: PixelSize(256, length), resampling: resampling).levels
                let areRowsFlat = across.indices.allSatisfy {
                    abs(across[$0] - lines[$0 / 4 / length][$0 % 4]) <= allowed
                }
                let areColumnsFlat = down.indices.allSatisfy { abs(down[$0] - lines[$0 / 4 % 256][$0 % 4]) <= allowed }
                #expect(areRowsFlat, "to \(length), alpha \(alpha), opaque \(isOpaque)")
                #expect(areColumnsFlat, "to \(length), alpha \(alpha), opaque \(isOpaque)")
            }
        }
    }

    @Test(arguments: [1, 2, 3] as [Double], [false, true])
    func `a nearly transparent flat color stays flat and close to its value`(
        alpha: Double, isLinear: Bool
    ) throws {
        let levels = [250, 128, 9, alpha]
        for sizes in Self.sizesForFlat {
            let pixels = try PixelBuffer.drawn(sizes.source) { _, _ in levels }
            let made = try pixels.resampled(to: sizes.target, resampling: Resampling(linear: isLinear)).levels
            let isFlat = made.indices.allSatisfy { made[$0] == made[$0 % 4] }
            #expect(isFlat, "\(sizes)")
            #expect(made[3] == alpha, "\(sizes)")
            for channel in 0..<3 {
                let difference = abs(made[channel] - levels[channel])
                // In linear light dark levels cannot be distinguished at low alpha, but the brightness is preserved.
                #expect(isLinear ? difference * alpha / 255 <= 0.1 : difference <= 2, "\(sizes)")
            }
        }
    }

    @Test(arguments: ResamplingFilter.allCases.filter { $0 != .nearest }, PixelFormat.allCases)
    func `a black and white checkerboard keeps its brightness in linear light`(
        filter: ResamplingFilter, format: PixelFormat
    ) throws {
        let full = format.fullLevel
        let checker = try PixelBuffer.drawn(PixelSize(24, 24), format, isOpaque: true) { x, y in
            let level = (x + y).isMultiple(of: 2) ? full : 0
            return [level, level, level, full]
        }
        func grays(isLinear: Bool) throws -> [Double] {
            let resampling = Resampling(filter: filter, linear: isLinear)
            let levels = try checker.resampled(to: PixelSize(12, 12), resampling: resampling).levels
            // Windows that are cut off at the edges may contain more of one color than of the other.
            return (3..<9).flatMap { y in (3..<9).map { x in levels[(y * 12 + x) * 4] } }
        }
        let rounding = format == .rgbaFloat ? 1e-6 : 0.75
        let light = try grays(isLinear: true)
        #expect(light.allSatisfy { abs($0 - ReferencePicture.level(0.5) * full) <= rounding })
        if format == .rgba8 { #expect(light.allSatisfy { $0 == 188 }) }
        let levels = try grays(isLinear: false)
        #expect(levels.allSatisfy { abs($0 - full / 2) <= rounding })
    }

    @Test(arguments: ResamplingTests.resamplings, PixelFormat.allCases)
    func `a ramp stays a ramp in both directions`(resampling: Resampling, format: PixelFormat) throws {
        for length in [64, 100, 255, 700] { try expectRamp(resampling, format, length: length) }
    }

    private func expectRamp(_ resampling: Resampling, _ format: PixelFormat, length: Int) throws {
        let full = format.fullLevel
        func level(_ place: Int) -> Double {
            format == .rgbaFloat ? Double(place) / 255 : (Double(place) / 255 * full).rounded()
        }
        // The ends of the ramp can ring where windows reach them or are cut off.
        let margin = Int(3 * max(1, Double(length) / 256)) + 1

        let across = try PixelBuffer.drawn(PixelSize(256, 2), format, isOpaque: true) { x, _ in
            [level(x), level(x), level(x), full]
        }
        let wide = try across.resampled(to: PixelSize(length, 1), resampling: resampling).levels
        let row = (margin..<length - margin).map { wide[$0 * 4] }
        let isRowRising = zip(row, row.dropFirst()).allSatisfy { $0 <= $1 }
        #expect(isRowRising, "\(length)")

        let down = try PixelBuffer.drawn(PixelSize(2, 256), format, isOpaque: true) { _, y in
            [level(y), level(y), level(y), full]
        }
        let high = try down.resampled(to: PixelSize(1, length), resampling: resampling).levels
        let column = (margin..<length - margin).map { high[$0 * 4] }
        let isColumnRising = zip(column, column.dropFirst()).allSatisfy { $0 <= $1 }
        #expect(isColumnRising, "\(length)")
    }

    @Test(arguments: ResamplingTests.resamplings, PixelFormat.allCases)
    func `red next to transparent green stays red wherever it is visible`(
        resampling: Resampling, format: PixelFormat
    ) throws {
        let full = format.fullLevel
        // A linear float has been raised to the power of 2.4 and back.
        let least = format == .rgbaFloat && resampling.isLinear ? 1 - 1e-6 : full
        let pixels = try PixelBuffer.drawn(PixelSize(20, 24), format) { x, y in
            x + y / 2 < 14 ? [full, 0, 0, full] : [0, full, 0, 0]
        }
        for target in [PixelSize(9, 11), PixelSize(41, 53), PixelSize(7, 24), PixelSize(30, 5)] {
            let made = try pixels.resampled(to: target, resampling: resampling).levels
            let visible = stride(from: 0, to: made.count, by: 4).filter { made[$0 + 3] > 0 }
            let hidden = stride(from: 0, to: made.count, by: 4).filter { made[$0 + 3] == 0 }
            #expect(!visible.isEmpty && !hidden.isEmpty, "\(target)")
            // There is no dark and no green fringe.
            #expect(visible.allSatisfy { made[$0] >= least }, "\(target)")
            #expect(visible.allSatisfy { made[$0 + 1] == 0 && made[$0 + 2] == 0 }, "\(target)")
            guard resampling.filter != .nearest else { continue }
            #expect(hidden.allSatisfy { made[$0] == 0 && made[$0 + 1] == 0 && made[$0 + 2] == 0 }, "\(target)")
        }
    }

    @Test(arguments: ResamplingTests.resamplings)
    func `the opaque flag changes no pixel`(resampling: Resampling) throws {
        let pixels = try PixelBuffer.noise(PixelSize(45, 33), isOpaque: true, seed: 10)
        let doubted = pixels.assuming(isOpaque: false, isGray: false)
        for target in [PixelSize(20, 11), PixelSize(70, 50)] {
            let known = try pixels.resampled(to: target, resampling: resampling).levels
            let unknown = try doubted.resampled(to: target, resampling: resampling).levels
            let isEqual = known == unknown
            #expect(isEqual, "\(target)")
        }
    }

    @Test(arguments: ResamplingTests.resamplings)
    func `gray stays gray`(resampling: Resampling) throws {
        let pixels = try PixelBuffer.drawn(PixelSize(40, 30), isOpaque: true, isGray: true) { x, y in
            let gray = Double((x * 37 + y * 101) % 256)
            return [gray, gray, gray, 255]
        }
        let made = try pixels.resampled(to: PixelSize(17, 50), resampling: resampling)
        #expect(made.isGray)
        let levels = made.levels
        let isGray = stride(from: 0, to: levels.count, by: 4).allSatisfy { (start: Int) -> Bool in
            let red = levels[start]
            return red == levels[start + 1] && red == levels[start + 2]
        }
        #expect(isGray)
    }

    @Test(arguments: ResamplingTests.resamplings)
    func `a decoded picture is scaled down as the options say`(resampling: Resampling) throws {
        let image = Image(pixels: try PixelBuffer.noise(PixelSize(40, 30), isOpaque: true, seed: 15))
        var context: ImageContext = [.thumbnailPixelSize(16, 16), .resamplingFilter(resampling.filter)]
        if resampling.isLinear { context.set(.linearLight) }
        let cut = try image.cut(to: DecodeOptions(ResolvedContext(context)), job: Job())
        let isAsAsked =
            try cut.pixels.levels == image.pixels.resampled(to: PixelSize(16, 12), resampling: resampling).levels
        #expect(isAsAsked)
    }

    // MARK: Edge cases

    @Test(arguments: PixelFormat.allCases)
    func `pixels are not copied if there is nothing to do`(format: PixelFormat) throws {
        let pixels = try PixelBuffer.noise(PixelSize(13, 7), format, seed: 11)
        let same = try pixels.resampled(to: PixelSize(13, 7))
        let isSame = same.storage === pixels.storage
        #expect(isSame)
        let whole = try pixels.resampled(to: PixelSize(13, 7), region: (0..<13, 0..<7))
        let isWholeSame = whole.storage === pixels.storage
        #expect(isWholeSame)
    }

    @Test func `a size without pixels is an error`() async throws {
        let pixels = try PixelBuffer.noise(PixelSize(13, 7), seed: 12)
        for size in [PixelSize(0, 5), PixelSize(5, 0), PixelSize(-3, 5), PixelSize(5, .min)] {
            let error = await imageError { try pixels.resampled(to: size) }
            #expect(error?.code == .transformFailed, "\(size)")
        }
    }

    @Test func `a region outside the picture or without length is an error`() async throws {
        let pixels = try PixelBuffer.noise(PixelSize(13, 7), seed: 14)
        let wrong: [Range<Double>] = [
            20..<30, (-10)..<(-5), (-1)..<5, 5..<14, 4..<4, 0..<Double.infinity, -Double.infinity..<5,
        ]
        for part in wrong {
            let error = await imageError { try pixels.resampled(to: PixelSize(5, 5), region: (part, 0..<7)) }
            #expect(error?.code == .transformFailed, "\(part)")
        }
        let below = await imageError { try pixels.resampled(to: PixelSize(5, 5), region: (0..<13, 6..<8)) }
        #expect(below?.code == .transformFailed)
    }

    @Test(arguments: ResamplingFilter.allCases)
    func `resampling stops when its job is cancelled`(filter: ResamplingFilter) async throws {
        let pixels = try PixelBuffer.noise(PixelSize(13, 7), seed: 13)
        let job = Job()
        job.cancel()
        let error = await imageError {
            try pixels.resampled(to: PixelSize(5, 5), resampling: Resampling(filter: filter), job: job)
        }
        #expect(error?.code == .cancelled)
    }
}
