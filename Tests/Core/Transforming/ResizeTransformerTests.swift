import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct ResizeTransformerTests {
    private func makeImage(_ size: PixelSize) throws -> Image {
        Image(pixels: try PixelBuffer.noise(size, isOpaque: true, seed: 1))
    }

    private func resize(
        _ image: Image, to size: PixelSize, _ mode: ResizeTransformer.Mode, enlarging: Bool = true, job: Job = Job()
    ) throws -> Image {
        let transformer = ResizeTransformer(size: size, mode: mode, enlarging: enlarging)
        return try transformer.transform(image, context: TransformContext(job: job))
    }

    // MARK: Sizes

    /// A picture's size, the requested size, and the results without and with enlarging.
    struct Sample: Sendable, CustomStringConvertible {
        let mode: ResizeTransformer.Mode
        let size: PixelSize
        let wanted: PixelSize
        let kept: PixelSize
        let enlarged: PixelSize

        init(
            _ mode: ResizeTransformer.Mode, _ size: PixelSize, to wanted: PixelSize, _ kept: PixelSize,
            enlarged: PixelSize
        ) {
            self.mode = mode
            self.size = size
            self.wanted = wanted
            self.kept = kept
            self.enlarged = enlarged
        }

        var description: String { "\(mode) \(size) to \(wanted)" }
    }

    static let samples: [Sample] = [
        Sample(.fit, PixelSize(40, 30), to: PixelSize(20, 20), PixelSize(20, 15), enlarged: PixelSize(20, 15)),
        Sample(.fit, PixelSize(40, 30), to: PixelSize(100, 100), PixelSize(40, 30), enlarged: PixelSize(100, 75)),
        Sample(.fit, PixelSize(40, 30), to: PixelSize(20, 0), PixelSize(20, 15), enlarged: PixelSize(20, 15)),
        Sample(.fit, PixelSize(40, 30), to: PixelSize(0, 60), PixelSize(40, 30), enlarged: PixelSize(80, 60)),
        Sample(.fit, PixelSize(500, 1), to: PixelSize(10, 10), PixelSize(10, 1), enlarged: PixelSize(10, 1)),
        Sample(.fill, PixelSize(40, 30), to: PixelSize(20, 20), PixelSize(20, 20), enlarged: PixelSize(20, 20)),
        Sample(.fill, PixelSize(40, 30), to: PixelSize(100, 100), PixelSize(40, 30), enlarged: PixelSize(100, 100)),
        Sample(.fill, PixelSize(40, 30), to: PixelSize(100, 20), PixelSize(40, 20), enlarged: PixelSize(100, 20)),
        Sample(.fill, PixelSize(40, 30), to: PixelSize(30, 100), PixelSize(30, 30), enlarged: PixelSize(30, 100)),
        Sample(.fill, PixelSize(500, 1), to: PixelSize(10, 10), PixelSize(10, 1), enlarged: PixelSize(10, 10)),
        Sample(.pad, PixelSize(40, 30), to: PixelSize(20, 20), PixelSize(20, 20), enlarged: PixelSize(20, 20)),
        Sample(.pad, PixelSize(40, 30), to: PixelSize(99, 90), PixelSize(99, 90), enlarged: PixelSize(99, 90)),
        Sample(.pad, PixelSize(40, 30), to: PixelSize(10, 90), PixelSize(10, 90), enlarged: PixelSize(10, 90)),
        Sample(.stretch, PixelSize(40, 30), to: PixelSize(10, 20), PixelSize(10, 20), enlarged: PixelSize(10, 20)),
        Sample(.stretch, PixelSize(40, 30), to: PixelSize(100, 20), PixelSize(40, 20), enlarged: PixelSize(100, 20)),
        // The test cases of other libraries' thumbnails.
        Sample(.fit, PixelSize(100, 200), to: PixelSize(150, 150), PixelSize(75, 150), enlarged: PixelSize(75, 150)),
        Sample(.fit, PixelSize(100, 200), to: PixelSize(300, 300), PixelSize(100, 200), enlarged: PixelSize(150, 300)),
        Sample(
            .stretch, PixelSize(100, 200), to: PixelSize(150, 150), PixelSize(100, 150), enlarged: PixelSize(150, 150)),
    ]

    @Test(arguments: ResizeTransformerTests.samples)
    func `a picture is resized to the given size`(_ sample: Sample) throws {
        let image = try makeImage(sample.size)
        for isEnlarging in [false, true] {
            let made = try resize(image, to: sample.wanted, sample.mode, enlarging: isEnlarging)
            #expect(made.size == (isEnlarging ? sample.enlarged : sample.kept), "enlarging \(isEnlarging)")
        }
    }

    @Test func `a picture that has the size already is not copied`() throws {
        let image = try makeImage(PixelSize(40, 30))
        for mode in ResizeTransformer.Mode.allCases {
            let same = try resize(image, to: PixelSize(40, 30), mode)
            let isShared = same.pixels.storage === image.pixels.storage
            #expect(isShared, "\(mode)")
        }
    }

    // MARK: Pixels

    /// Returns a picture whose first half is red and whose second half is green.
    private func halves(_ size: PixelSize, alongWidth: Bool) throws -> Image {
        let pixels = try PixelBuffer.drawn(size, isOpaque: true) { x, y in
            let isFirst = alongWidth ? x < size.width / 2 : y < size.height / 2
            return isFirst ? [255, 0, 0, 255] : [0, 255, 0, 255]
        }
        return Image(pixels: pixels)
    }

    @Test(arguments: [true, false])
    func `filling crops both ends equally`(alongWidth: Bool) throws {
        let size = alongWidth ? PixelSize(100, 50) : PixelSize(50, 100)
        let image = try halves(size, alongWidth: alongWidth)
        // At the original scale it is cropped, and exact.
        let cut = try resize(image, to: PixelSize(50, 50), .fill)
        let expected = try halves(PixelSize(50, 50), alongWidth: alongWidth)
        #expect(cut.pixels.levels == expected.pixels.levels)

        for side in [20, 31, 90] {
            let made = try resize(image, to: PixelSize(side, side), .fill)
            #expect(made.size == PixelSize(side, side))
            let levels = made.pixels.levels
            for place in 0..<side {
                let (near, far) = (place, side - 1 - place)
                let nearPixel = alongWidth ? (side / 2 * side + near) * 4 : (near * side + side / 2) * 4
                let farPixel = alongWidth ? (side / 2 * side + far) * 4 : (far * side + side / 2) * 4
                // The red here equals the green at the mirrored position.
                #expect(abs(levels[nearPixel] - levels[farPixel + 1]) <= 1, "\(place) of \(side)")
            }
        }
    }

    @Test(arguments: [true, false])
    func `filling shows the anchor, as far as the edges allow`(alongWidth: Bool) throws {
        // The level of a pixel is its place along the longer side.
        let size = alongWidth ? PixelSize(100, 10) : PixelSize(10, 100)
        let pixels = try PixelBuffer.drawn(size, isOpaque: true) { x, y in
            let place = Double(alongWidth ? x : y)
            return [place, place, place, 255]
        }
        let starts: [(anchor: Double, first: Double)] = [(0, 0), (0.05, 0), (0.3, 25), (0.5, 45), (0.96, 90), (1, 90)]
        for (fraction, first) in starts {
            let anchor = alongWidth ? Anchor(x: fraction, y: 0.9) : Anchor(x: 0.1, y: fraction)
            let transformer = ResizeTransformer(size: PixelSize(10, 10), mode: .fill, anchor: anchor)
            let made = try transformer.transform(Image(pixels: pixels), context: TransformContext())
            #expect(made.pixels.levels.first == first, "\(fraction)")
            #expect(made.pixels.levels[4 * 99] == first + 9, "\(fraction)")
        }
    }

    @Test(arguments: PixelFormat.allCases)
    func `padding surrounds the picture with the background`(format: PixelFormat) throws {
        let full = format.fullLevel
        let pixels = try PixelBuffer.drawn(PixelSize(4, 2), format, isOpaque: true) { _, _ in [full, 0, 0, full] }
        let places: [(Anchor, rows: Range<Int>)] = [(.center, 1..<3), (.top, 0..<2), (.bottomRight, 2..<4)]
        for (anchor, rows) in places {
            for background in [PixelColor.clear, PixelColor(red: 0, green: 1, blue: 0)] {
                let transformer = ResizeTransformer(
                    size: PixelSize(4, 4), mode: .pad, anchor: anchor, background: background)
                let made = try transformer.transform(Image(pixels: pixels), context: TransformContext()).pixels
                #expect(made.format == format)
                #expect(made.isOpaque == (background.alpha == 1))
                for y in 0..<4 {
                    for x in 0..<4 {
                        let expected = rows.contains(y) ? PixelColor(red: 1, green: 0, blue: 0) : background
                        #expect(made.color(x: x, y: y) == expected, "\(x), \(y) of \(anchor)")
                    }
                }
            }
        }
    }

    @Test(arguments: PixelFormat.allCases)
    func `padding leaves translucent and transparent pixels unchanged`(format: PixelFormat) throws {
        let pixels = try PixelBuffer.noise(PixelSize(6, 3), format, seed: 4)
        let transformer = ResizeTransformer(size: PixelSize(6, 6), mode: .pad, anchor: .top, background: .white)
        let made = try transformer.transform(Image(pixels: pixels), context: TransformContext()).pixels
        #expect(Array(made.levels.prefix(6 * 3 * 4)) == pixels.levels)
        #expect(made.levels.dropFirst(6 * 3 * 4).allSatisfy { $0 == format.fullLevel })
        #expect(!made.isOpaque)
    }

    @Test func `padding keeps gray if the background is gray`() throws {
        let pixels = try PixelBuffer.drawn(PixelSize(4, 2), isOpaque: true, isGray: true) { x, _ in
            [Double(x), Double(x), Double(x), 255]
        }
        let red = PixelColor(red: 1, green: 0, blue: 0)
        for (background, isGray) in [(PixelColor.white, true), (.clear, true), (red, false)] {
            let transformer = ResizeTransformer(size: PixelSize(4, 4), mode: .pad, background: background)
            let made = try transformer.transform(Image(pixels: pixels), context: TransformContext()).pixels
            #expect(made.isGray == isGray)
        }
    }

    @Test func `fitting and stretching show all of the picture`() throws {
        let image = try halves(PixelSize(80, 40), alongWidth: true)
        let fit = try resize(image, to: PixelSize(20, 20), .fit)
        let expectedFit = try image.pixels.resampled(to: PixelSize(20, 10))
        #expect(fit.pixels.levels == expectedFit.levels)
        let stretched = try resize(image, to: PixelSize(20, 20), .stretch)
        let expectedStretched = try image.pixels.resampled(to: PixelSize(20, 20))
        #expect(stretched.pixels.levels == expectedStretched.levels)
    }

    @Test(arguments: ResamplingTests.resamplings, [ResizeTransformer.Mode.fit, .fill, .stretch])
    func `pixels are resampled with the transformer's own filter, not with the request's thumbnail filter`(
        resampling: Resampling, mode: ResizeTransformer.Mode
    ) throws {
        let image = try makeImage(PixelSize(40, 20))
        let transformer = ResizeTransformer(
            size: PixelSize(16, 16), mode: mode, filter: resampling.filter, linear: resampling.isLinear)
        let values = ResolvedContext([.resamplingFilter(.mitchell), .linearLight])
        let made = try transformer.transform(image, context: TransformContext(values: values))
        let target = mode == .fit ? PixelSize(16, 8) : PixelSize(16, 16)
        let region: Range<Double> = mode == .fill ? 10..<30 : 0..<40
        let expected = ReferencePicture(image.pixels, isLinear: resampling.isLinear)
            .resampled(to: target, region: (region, 0..<20), filter: resampling.filter)
        #expect(made.size == target)
        let difference = LevelDifference(made.pixels.levels, expected.levels(in: .rgba8), full: 255)
        #expect(difference.color <= 1)
    }

    @Test func `attributes, scale and opacity are kept`() throws {
        let attributes = Image.Attributes(format: .png, originalSize: PixelSize(400, 300))
        let pixels = try PixelBuffer.noise(PixelSize(40, 30), isOpaque: true, seed: 2)
        var image = Image(pixels: pixels, attributes: attributes)
        image.scale = 2
        let made = try resize(image, to: PixelSize(20, 20), .fill)
        #expect(made.attributes == attributes)
        #expect(made.scale == 2)
        #expect(made.pixels.isOpaque)
    }

    // MARK: Errors

    static let wrongSizes: [(ResizeTransformer.Mode, PixelSize)] = [
        (.fit, PixelSize(0, 0)), (.fit, PixelSize(-1, 10)), (.fill, PixelSize(10, 0)), (.fill, PixelSize(0, 10)),
        (.stretch, PixelSize(0, 10)), (.stretch, PixelSize(10, -1)), (.pad, PixelSize(0, 10)), (.pad, PixelSize(9, 0)),
    ]

    @Test(arguments: ResizeTransformerTests.wrongSizes)
    func `an invalid size is an error that says which sizes are valid`(
        mode: ResizeTransformer.Mode, size: PixelSize
    ) async throws {
        let image = try makeImage(PixelSize(4, 3))
        let error = await imageError { try resize(image, to: size, mode) }
        #expect(error?.code == .transformFailed)
        #expect(error?.message == "cannot resize to \(size): the size is invalid")
        #expect(error?.advice == "pass sides of at least 1; only the mode `fit` accepts 0 for one of them")
    }

    @Test(arguments: ResizeTransformer.Mode.allCases)
    func `a size over the request's limits is refused before memory is taken for it`(
        mode: ResizeTransformer.Mode
    ) async throws {
        let image = try makeImage(PixelSize(4, 3))
        let huge = PixelSize(9_000_000_000_000_000_000, 9_000_000_000_000_000_000)
        let limits: [(PixelSize, ImageContext)] = [
            (PixelSize(40, 30), [.maxPixels(1199)]), (PixelSize(40, 30), [.maxSidePixels(39)]),
            (huge, []), (huge, [.maxSidePixels(.max)]),
        ]
        for (size, values) in limits {
            let context = TransformContext(values: ResolvedContext(values))
            let transformer = ResizeTransformer(size: size, mode: mode)
            let error = await imageError { try transformer.transform(image, context: context) }
            #expect(error?.code == .limitExceeded, "\(size)")
            #expect(error?.stage == .transform, "\(size)")
            // Without enlarging, the result cannot exceed a limit that the picture itself is within, except for
            // margins.
            guard mode != .pad else { continue }
            let shrinking = ResizeTransformer(size: size, mode: mode, enlarging: false)
            let made = try shrinking.transform(image, context: context)
            #expect(made.size == image.size)
        }
    }

    @Test(arguments: ResizeTransformer.Mode.allCases)
    func `resizing stops when its job is cancelled`(mode: ResizeTransformer.Mode) async throws {
        let image = try makeImage(PixelSize(40, 30))
        let job = Job()
        job.cancel()
        let error = await imageError {
            try resize(image, to: PixelSize(7, 5), mode, job: job)
        }
        #expect(error?.code == .cancelled)
    }

    // MARK: Keys and recipes

    private let registry = ImageManager(context: [.off(.imageCache)]).registry

    private func recipeError(_ text: String) -> ImageError? {
        do {
            _ = try registry.transformers(recipe: text)
            return nil
        } catch {
            return error
        }
    }

    @Test func `the key contains all parameters`() {
        #expect(ResizeTransformer(size: PixelSize(320, 240)).key == "resize(320x240,fit)")
        #expect(ResizeTransformer(size: PixelSize(320, 0), mode: .fit).key == "resize(320x0,fit)")
        let shrinking = ResizeTransformer(size: PixelSize(1, 2), mode: .fill, enlarging: false)
        #expect(shrinking.key == "resize(1x2,fill,enlarging=false)")
        let short = ResizeTransformer.resize(width: 8, height: 9, mode: .stretch)
        #expect(short.key == "resize(8x9,stretch)")
        let box = ResizeTransformer.resize(width: 8, height: 9, filter: .box)
        #expect(box.key == "resize(8x9,fit,filter=box)")
        let all = ResizeTransformer.resize(
            width: 8, height: 9, mode: .pad, enlarging: false, anchor: .topLeft, background: .white,
            filter: .catmullRom, linear: true)
        #expect(
            all.key
                == "resize(8x9,pad,enlarging=false,anchor=topLeft,background=#ffffff,filter=catmullRom,linear=true)")
    }

    @Test func `a key omits default values, so that it stays stable`() {
        let usual = ResizeTransformer(size: PixelSize(8, 9), filter: .lanczos3, linear: false)
        #expect(usual.key == "resize(8x9,fit)")
        let linear = ResizeTransformer(size: PixelSize(8, 9), linear: true)
        #expect(linear.key == "resize(8x9,fit,linear=true)")
    }

    @Test(arguments: ResizeTransformer.Mode.allCases, [true, false])
    func `a key is a recipe that restores its transformer`(mode: ResizeTransformer.Mode, isEnlarging: Bool) throws {
        for size in [PixelSize(320, 240), PixelSize(1, 1), PixelSize(0, 7), PixelSize(65_535, 0)] {
            let transformer = ResizeTransformer(size: size, mode: mode, enlarging: isEnlarging)
            let steps = try registry.transformers(recipe: transformer.key)
            #expect(steps.map(\.key) == [transformer.key])
            let made = try #require(steps.first as? ResizeTransformer)
            #expect(made.size == size)
            #expect(made.mode == mode)
            #expect(made.isEnlarging == isEnlarging)
        }
    }

    @Test(arguments: ResamplingTests.resamplings, [true, false])
    func `a key restores the filter, too`(resampling: Resampling, isEnlarging: Bool) throws {
        let transformer = ResizeTransformer(
            size: PixelSize(320, 240), enlarging: isEnlarging, filter: resampling.filter, linear: resampling.isLinear)
        let made = try #require(try registry.transformers(recipe: transformer.key).first as? ResizeTransformer)
        #expect(made.key == transformer.key)
        #expect(made.resampling == resampling)
        #expect(made.isEnlarging == isEnlarging)
    }

    @Test func `a key restores anchor and background, too`() throws {
        let transformer = ResizeTransformer(
            size: PixelSize(3, 4), mode: .pad, anchor: Anchor(x: 0.25, y: 1),
            background: PixelColor(red: 0.123, green: 1, blue: 0, alpha: 0.5))
        #expect(transformer.key == "resize(3x4,pad,anchor=0.25:1,background=\"0.123,1,0,0.5\")")
        let made = try #require(try registry.transformers(recipe: transformer.key).first as? ResizeTransformer)
        #expect(made.key == transformer.key)
        #expect(made.anchor == transformer.anchor)
        #expect(made.background == transformer.background)
    }

    @Test(arguments: [
        ("resize(320x240)", "resize(320x240,fit)"),
        ("resize(320x240,enlarging=false)", "resize(320x240,fit,enlarging=false)"),
        ("resize(320x240,fill)", "resize(320x240,fill)"),
        ("  resize( 320x240 , stretch , enlarging = no )  ", "resize(320x240,stretch,enlarging=false)"),
        ("resize(size=320x240,mode=fill)", "resize(320x240,fill)"),
        ("resize(320x240,filter=lanczos3,linear=yes)", "resize(320x240,fit,linear=true)"),
        ("resize(linear=true,size=320x240)", "resize(320x240,fit,linear=true)"),
        (#"resize("320x240","fill")"#, "resize(320x240,fill)"),
    ])
    func `a recipe may omit default values`(recipe: String, key: String) throws {
        #expect(try registry.transformers(recipe: recipe).map(\.key) == [key])
    }

    @Test func `the syntax shows which arguments can be omitted`() {
        #expect(
            ResizeTransformer.recipe.syntax
                == "resize(size[,mode][,enlarging=...][,anchor=...][,background=...][,filter=...]"
                + "[,linear=...])")
    }

    @Test func `recipes are joined to chains by a bar`() throws {
        let steps = try registry.transformers(
            recipe: "resize(800x600) | resize(100x100,fill)|resize(0x50,enlarging=false)")
        #expect(
            steps.map(\.key) == ["resize(800x600,fit)", "resize(100x100,fill)", "resize(0x50,fit,enlarging=false)"])
    }

    @Test(arguments: [
        ("resize", 7, "size is missing"), ("resize()", 8, "size is missing"),
        ("resize(320)", 8, "size must be WIDTHxHEIGHT, not '320'"),
        ("resize(320x)", 8, "size must be WIDTHxHEIGHT, not '320x'"),
        ("resize(x240)", 8, "size must be WIDTHxHEIGHT, not 'x240'"),
        ("resize(0x0)", 8, "size must be WIDTHxHEIGHT, not '0x0'"),
        ("resize(-1x5)", 8, "size must be WIDTHxHEIGHT, not '-1x5'"),
        ("resize(320x240x3)", 8, "size must be WIDTHxHEIGHT, not '320x240x3'"),
        ("resize(1.5x2)", 8, "size must be WIDTHxHEIGHT, not '1.5x2'"),
        ("resize(99999999999999999999x1)", 8, "size must be WIDTHxHEIGHT, not '99999999999999999999x1'"),
        ("resize(320x240,cover)", 16, "mode must be fit, fill, stretch, pad, not 'cover'"),
        ("resize(320x240,fit,fill)", 20, "there are too many unlabeled arguments; further arguments need a label"),
        ("resize(320x240, mode = fit, mode=fill)", 29, "mode is given twice"),
        ("resize(320x240,fit,size=1x1)", 20, "size is given twice"),
        ("resize(linear=true,320x240)", 20, "an unlabeled argument must come before labeled ones"),
        ("resize(320x240,shade=1)", 16, "there is no parameter 'shade'"),
        ("resize(320x240,linear = perhaps)", 25, "linear must be true or false, not 'perhaps'"),
        (
            "resize(320x240,filter=Box)", 23,
            "filter must be nearest, box, bilinear, mitchell, catmullRom, lanczos3, not 'Box'"
        ),
    ])
    func `the error for invalid arguments points at them and gives the syntax`(
        recipe: String, position: Int, problem: String
    ) {
        for (text, offset) in [(recipe, 0), ("resize(8x8)|\(recipe)", 12), ("\(recipe)|resize(8x8)", 0)] {
            let error = recipeError(text)
            #expect(error?.code == .transformFailed, "\(text)")
            #expect(error?.component == "resize", "\(text)")
            #expect(error?.message == "the recipe is invalid at character \(position + offset): \(problem)")
            #expect(error?.advice == "write \(ResizeTransformer.recipe.syntax)", "\(text)")
        }
    }
}
