import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(3)))
struct ResamplingTests {
    /// A picture's size and the size to be made.
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
        // Smaller, by odd and by even ratios, in one direction and in both.
        Sizes(97, 61, to: 41, 23), Sizes(64, 48, to: 32, 24), Sizes(150, 100, to: 4, 3), Sizes(67, 5, to: 66, 5),
        Sizes(5, 5, to: 5, 2), Sizes(3, 3, to: 2, 2), Sizes(2, 2, to: 1, 1),
        // Larger, and both at once.
        Sizes(31, 17, to: 97, 53), Sizes(40, 30, to: 55, 19), Sizes(19, 24, to: 7, 25),
        // Sides of one pixel.
        Sizes(1, 40, to: 1, 13), Sizes(40, 1, to: 13, 1), Sizes(1, 9, to: 7, 31), Sizes(9, 1, to: 31, 7),
        // Huge ratios.
        Sizes(2000, 3, to: 1, 1), Sizes(3, 2000, to: 1, 1), Sizes(1, 1, to: 64, 64),
    ]

    /// How many levels a pixel may be away from what exact arithmetic gives.
    ///
    /// For whole numbers rounding takes half a level, and the arithmetic next to nothing on top. Colour times alpha is
    /// rounded twice. For floating point it is the arithmetic alone: a float has 24 bits, and a sum has up to 2000
    /// terms.
    private func tolerance(of format: PixelFormat) -> (level: Double, premultiplied: Double) {
        format == .rgbaFloat ? (level: 5e-6, premultiplied: 5e-6) : (level: 0.75, premultiplied: 1)
    }

    private func expectNear(
        _ made: PixelBuffer, _ expected: ReferencePicture, _ what: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        guard made.size == expected.size else {
            Issue.record("\(what): made \(made.size), not \(expected.size)", sourceLocation: sourceLocation)
            return
        }
        let difference = LevelDifference(
            made.levels, expected.levels(in: made.format), full: made.format.fullLevel)
        let allowed = tolerance(of: made.format)
        #expect(difference.alpha <= allowed.level, "alpha, \(what)", sourceLocation: sourceLocation)
        #expect(difference.color <= allowed.level, "colour, \(what)", sourceLocation: sourceLocation)
        #expect(
            difference.premultiplied <= allowed.premultiplied, "colour times alpha, \(what)",
            sourceLocation: sourceLocation)
    }

    // MARK: Against exact arithmetic

    @Test(arguments: ResamplingTests.sizes, PixelFormat.allCases)
    func `every pixel is what slow and exact arithmetic gives`(sizes: Sizes, format: PixelFormat) throws {
        for isOpaque in [true, false] {
            let pixels = try PixelBuffer.noise(sizes.source, format, isOpaque: isOpaque, seed: 7)
            let made = try pixels.resampled(to: sizes.target)
            #expect(made.layout == PixelLayout(size: sizes.target, format: format, isOpaque: isOpaque))
            let expected = ReferencePicture(pixels).resampled(to: sizes.target)
            expectNear(made, expected, isOpaque ? "opaque" : "with alpha")
        }
    }

    /// Parts of a picture of 60 by 44 pixels, and the sizes to make of them.
    private static let regions: [(x: Range<Double>, y: Range<Double>, target: PixelSize)] = [
        (10.25..<50.75, 3.5..<33.25, PixelSize(20, 15)),
        (12.5..<20.5, 7.75..<15.75, PixelSize(64, 48)),
        (0..<30, 0..<44, PixelSize(30, 44)),
        (59..<60, 43..<44, PixelSize(5, 3)),
        (0.1..<0.2, 20..<20.5, PixelSize(3, 4)),
    ]

    @Test(arguments: PixelFormat.allCases)
    func `a part can be seen alone, and may begin between two pixels`(format: PixelFormat) throws {
        for isOpaque in [true, false] {
            let pixels = try PixelBuffer.noise(PixelSize(60, 44), format, isOpaque: isOpaque, seed: 8)
            for (x, y, target) in Self.regions {
                let made = try pixels.resampled(to: target, region: (x, y))
                let expected = ReferencePicture(pixels).resampled(to: target, region: (x, y))
                expectNear(made, expected, "\(x), \(y)")
            }
        }
    }

    @Test(arguments: PixelFormat.allCases)
    func `a part of whole pixels at its own size is a copy`(format: PixelFormat) throws {
        let pixels = try PixelBuffer.noise(PixelSize(60, 44), format, isOpaque: true, seed: 9)
        let cut = try pixels.resampled(to: PixelSize(32, 24), region: (16..<48, 8..<32))
        let levels = pixels.levels
        let expected = (8..<32).flatMap { y -> ArraySlice<Double> in
            let row = y * 60
            return levels[(row + 16) * 4..<(row + 48) * 4]
        }
        let difference = LevelDifference(cut.levels, expected, full: format.fullLevel)
        #expect(difference.color <= (format == .rgbaFloat ? 1e-7 : 0))
        #expect(difference.alpha == 0)
    }

    // MARK: What everybody sees

    /// Colours with eight bits a channel.
    static let colors: [[Double]] = [
        [0, 0, 0, 255], [255, 255, 255, 255], [200, 100, 3, 255], [1, 2, 254, 128], [37, 201, 90, 5], [255, 128, 7, 4],
        [0, 0, 0, 0],
    ]

    private static let sizesForFlat = [
        Sizes(97, 61, to: 41, 23), Sizes(31, 17, to: 60, 40), Sizes(1, 40, to: 1, 13), Sizes(2000, 3, to: 1, 1),
        Sizes(3, 2000, to: 1, 1), Sizes(1, 1, to: 64, 64),
    ]

    @Test(arguments: PixelFormat.allCases, ResamplingTests.colors)
    func `a flat colour stays as it is`(format: PixelFormat, color: [Double]) throws {
        let levels = color.map { (level: Double) -> Double in
            format == .rgbaFloat ? Double(Float(level / 255)) : (level / 255 * format.fullLevel).rounded()
        }
        // Weights in floating point sum to one only nearly.
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

    @Test(arguments: [1, 2, 3] as [Double])
    func `a flat colour that can hardly be seen stays flat, and within two levels`(alpha: Double) throws {
        let levels = [250, 128, 9, alpha]
        for sizes in Self.sizesForFlat {
            let pixels = try PixelBuffer.drawn(sizes.source) { _, _ in levels }
            let made = try pixels.resampled(to: sizes.target).levels
            let isFlat = made.indices.allSatisfy { made[$0] == made[$0 % 4] }
            #expect(isFlat, "\(sizes)")
            #expect(made[3] == alpha, "\(sizes)")
            for channel in 0..<3 { #expect(abs(made[channel] - levels[channel]) <= 2, "\(sizes)") }
        }
    }

    @Test(arguments: PixelFormat.allCases, [64, 100, 255, 700])
    func `a ramp stays a ramp in both directions`(format: PixelFormat, length: Int) throws {
        let full = format.fullLevel
        func level(_ place: Int) -> Double {
            format == .rgbaFloat ? Double(place) / 255 : (Double(place) / 255 * full).rounded()
        }
        // Where windows are cut off at an end, or reach it, the ramp's end can ring.
        let margin = Int(3 * max(1, Double(length) / 256)) + 1

        let across = try PixelBuffer.drawn(PixelSize(256, 2), format, isOpaque: true) { x, _ in
            [level(x), level(x), level(x), full]
        }
        let wide = try across.resampled(to: PixelSize(length, 1)).levels
        let row = (margin..<length - margin).map { wide[$0 * 4] }
        let isRowRising = zip(row, row.dropFirst()).allSatisfy { $0 <= $1 }
        #expect(isRowRising)

        let down = try PixelBuffer.drawn(PixelSize(2, 256), format, isOpaque: true) { _, y in
            [level(y), level(y), level(y), full]
        }
        let high = try down.resampled(to: PixelSize(1, length)).levels
        let column = (margin..<length - margin).map { high[$0 * 4] }
        let isColumnRising = zip(column, column.dropFirst()).allSatisfy { $0 <= $1 }
        #expect(isColumnRising)
    }

    @Test(arguments: PixelFormat.allCases)
    func `red next to green that cannot be seen stays red wherever it can be seen`(format: PixelFormat) throws {
        let full = format.fullLevel
        let pixels = try PixelBuffer.drawn(PixelSize(20, 24), format) { x, y in
            x + y / 2 < 14 ? [full, 0, 0, full] : [0, full, 0, 0]
        }
        for target in [PixelSize(9, 11), PixelSize(41, 53), PixelSize(7, 24), PixelSize(30, 5)] {
            let made = try pixels.resampled(to: target).levels
            let visible = stride(from: 0, to: made.count, by: 4).filter { made[$0 + 3] > 0 }
            let hidden = stride(from: 0, to: made.count, by: 4).filter { made[$0 + 3] == 0 }
            #expect(!visible.isEmpty && !hidden.isEmpty, "\(target)")
            // No dark fringe and no green one.
            #expect(visible.allSatisfy { made[$0] >= full }, "\(target)")
            #expect(visible.allSatisfy { made[$0 + 1] == 0 && made[$0 + 2] == 0 }, "\(target)")
            #expect(hidden.allSatisfy { made[$0] == 0 && made[$0 + 1] == 0 && made[$0 + 2] == 0 }, "\(target)")
        }
    }

    @Test func `knowing that a picture is opaque changes no pixel of it`() throws {
        let pixels = try PixelBuffer.noise(PixelSize(45, 33), isOpaque: true, seed: 10)
        let doubted = pixels.assuming(isOpaque: false, isGray: false)
        for target in [PixelSize(20, 11), PixelSize(70, 50)] {
            let known = try pixels.resampled(to: target).levels
            let unknown = try doubted.resampled(to: target).levels
            let isEqual = known == unknown
            #expect(isEqual, "\(target)")
        }
    }

    @Test func `gray stays gray`() throws {
        let pixels = try PixelBuffer.drawn(PixelSize(40, 30), isOpaque: true, isGray: true) { x, y in
            let gray = Double((x * 37 + y * 101) % 256)
            return [gray, gray, gray, 255]
        }
        let made = try pixels.resampled(to: PixelSize(17, 50))
        #expect(made.isGray)
        let levels = made.levels
        let isGray = stride(from: 0, to: levels.count, by: 4).allSatisfy { (start: Int) -> Bool in
            let red = levels[start]
            return red == levels[start + 1] && red == levels[start + 2]
        }
        #expect(isGray)
    }

    // MARK: Ends

    @Test(arguments: PixelFormat.allCases)
    func `where there is nothing to do the pixels are not copied`(format: PixelFormat) throws {
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

    @Test func `a part that is not of the picture, or has no length, is an error`() async throws {
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

    @Test func `resampling stops when its job is cancelled`() async throws {
        let pixels = try PixelBuffer.noise(PixelSize(13, 7), seed: 13)
        let job = Job()
        job.cancel()
        let error = await imageError { try pixels.resampled(to: PixelSize(5, 5), job: job) }
        #expect(error?.code == .cancelled)
    }
}
