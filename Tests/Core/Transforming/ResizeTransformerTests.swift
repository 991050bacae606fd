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

    @Test func `fitting and stretching show all of the picture`() throws {
        let image = try halves(PixelSize(80, 40), alongWidth: true)
        let fit = try resize(image, to: PixelSize(20, 20), .fit)
        let expectedFit = try image.pixels.resampled(to: PixelSize(20, 10))
        #expect(fit.pixels.levels == expectedFit.levels)
        let stretched = try resize(image, to: PixelSize(20, 20), .stretch)
        let expectedStretched = try image.pixels.resampled(to: PixelSize(20, 20))
        #expect(stretched.pixels.levels == expectedStretched.levels)
    }

    @Test(arguments: ResamplingTests.resamplings, ResizeTransformer.Mode.allCases)
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
        (.stretch, PixelSize(0, 10)), (.stretch, PixelSize(10, -1)),
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
            // Without enlarging, the result cannot exceed a limit that the picture itself is within.
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
        #expect(shrinking.key == "resize(1x2,fill,shrink)")
        let short = ResizeTransformer.resize(width: 8, height: 9, mode: .stretch)
        #expect(short.key == "resize(8x9,stretch)")
        let box = ResizeTransformer.resize(width: 8, height: 9, filter: .box)
        #expect(box.key == "resize(8x9,fit,box)")
        let all = ResizeTransformer.resize(
            width: 8, height: 9, mode: .fill, enlarging: false, filter: .catmullRom, linear: true)
        #expect(all.key == "resize(8x9,fill,shrink,catmullRom,linear)")
    }

    @Test func `a key omits default values, so that it stays stable`() {
        let usual = ResizeTransformer(size: PixelSize(8, 9), filter: .lanczos3, linear: false)
        #expect(usual.key == "resize(8x9,fit)")
        let linear = ResizeTransformer(size: PixelSize(8, 9), linear: true)
        #expect(linear.key == "resize(8x9,fit,linear)")
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

    @Test(arguments: [
        ("resize(320x240)", "resize(320x240,fit)"),
        ("resize(320x240,shrink)", "resize(320x240,fit,shrink)"),
        ("resize(320x240,fill)", "resize(320x240,fill)"),
        ("  resize( 320x240 , stretch ,shrink )  ", "resize(320x240,stretch,shrink)"),
        ("resize(320x240,box)", "resize(320x240,fit,box)"),
        ("resize(320x240,lanczos3)", "resize(320x240,fit)"),
        ("resize(320x240,fill,lanczos3,linear)", "resize(320x240,fill,linear)"),
        ("resize(320x240, shrink, nearest)", "resize(320x240,fit,shrink,nearest)"),
    ])
    func `a recipe may omit default values`(recipe: String, key: String) throws {
        #expect(try registry.transformers(recipe: recipe).map(\.key) == [key])
    }

    @Test func `recipes are joined to chains by a bar`() throws {
        let steps = try registry.transformers(recipe: "resize(800x600) | resize(100x100,fill)|resize(0x50,shrink)")
        #expect(steps.map(\.key) == ["resize(800x600,fit)", "resize(100x100,fill)", "resize(0x50,fit,shrink)"])
    }

    /// The syntax that errors mention.
    private static let syntax =
        "resize(WIDTHxHEIGHT[,fit|fill|stretch][,shrink][,nearest|box|bilinear|mitchell|catmullRom|lanczos3][,linear])"

    @Test(arguments: [
        "resize", "resize()", "resize(320)", "resize(320x)", "resize(x240)", "resize(0x0)", "resize(-1x5)",
        "resize(320x240x3)", "resize(1.5x2)", "resize(320x240,cover)", "resize(320x240,fit,fill)",
        "resize(320x240,shrink,fit)", "resize(320x240,fit,shrink,shrink)", "resize(320x240,)", "resize(,fit)",
        "resize(99999999999999999999x1)", "resize(320x240,box,fit)", "resize(320x240,box,bilinear)",
        "resize(320x240,linear,box)", "resize(320x240,box,shrink)", "resize(320x240,linear,linear)",
        "resize(320x240,Box)", "resize(320x240,gamma)",
    ])
    func `the error for invalid arguments gives the syntax`(recipe: String) {
        for text in [recipe, "resize(8x8)|\(recipe)"] {
            let error = recipeError(text)
            #expect(error?.code == .transformFailed, "\(text)")
            #expect(error?.component == "resize", "\(text)")
            #expect(error?.message == "'\(recipe)' is not a valid recipe", "\(text)")
            #expect(error?.advice == "write \(Self.syntax)", "\(text)")
        }
    }

    @Test(arguments: ["", "|", "resize(8x8)|", "Resize(8x8)", "blur(3)", "(8x8)"])
    func `the error for an unknown name lists the known ones`(recipe: String) {
        let error = recipeError(recipe)
        #expect(error?.code == .transformFailed)
        #expect(error?.message.hasSuffix("does not name an installed transformer") == true)
        #expect(error?.advice == "use one of: resize")
    }

    @Test(arguments: ["resize(8x8", "resize(8x8,fit", "resize(8x8)x"])
    func `a missing parenthesis is reported`(recipe: String) {
        let error = recipeError(recipe)
        #expect(error?.code == .transformFailed)
        #expect(error?.message == "'\(recipe)' has no closing parenthesis")
        #expect(error?.advice == "write \(Self.syntax)")
    }
}
