import Calotype
import CalotypeTesting
import Testing

/// The pipeline behind every decoder's sink, tested through a manager without cache and loader.
@Suite(.timeLimit(.minutes(5)))
struct RowPipelineTests {
    private func makeManager(_ coder: any ImageCoder) -> ImageManager {
        let manager = ImageManager(context: [.off(.imageCache)])
        manager.registry.coders.add(coder)
        return manager
    }

    // MARK: Thumbnails

    /// Returns a file of random pixels, 31 by 22 as stored.
    private func makeFile(_ orientation: Orientation, isOpaque: Bool) -> Data {
        var header = RawImageCoder.Header(width: 31, height: 22)
        header.orientation = orientation.rawValue
        header.isOpaque = isOpaque
        var random = SplitMix64(seed: 5)
        return RawImageCoder.file(header) { _, _, _ in
            let bits = random.next()
            func part(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: bits >> UInt64(index * 8)) }
            return SIMD4(part(0), part(1), part(2), isOpaque ? 255 : part(3))
        }
    }

    /// Compares pictures that were rotated before or after the reduction, which may differ by a level due to rounding.
    private func expectAlike(_ one: PixelBuffer, _ other: PixelBuffer) throws {
        try #require(one.size == other.size)
        let difference = LevelDifference(one.levels, other.levels, full: 255)
        #expect(difference.alpha <= 1)
        #expect(difference.color <= 1)
    }

    @Test(arguments: Orientation.allCases, [true, false])
    func `a thumbnail is the upright picture scaled down, whatever its stored orientation`(
        orientation: Orientation, isOpaque: Bool
    ) async throws {
        let manager = makeManager(RawImageCoder())
        let file = makeFile(orientation, isOpaque: isOpaque)
        let whole = try await manager.decode(file)
        #expect(whole.size == (orientation.isTransposed ? PixelSize(22, 31) : PixelSize(31, 22)))
        let thumbnail = try await manager.decode(file, context: [.thumbnailPixelSize(13, 13)])
        #expect(thumbnail.size == (orientation.isTransposed ? PixelSize(10, 13) : PixelSize(13, 10)))
        #expect(thumbnail.attributes.originalSize == whole.size)
        #expect(thumbnail.attributes.orientation == .up)
        #expect(thumbnail.pixels.isOpaque == isOpaque)
        try expectAlike(thumbnail.pixels, whole.pixels.resampled(to: thumbnail.size))
    }

    @Test(arguments: Orientation.allCases)
    func `the size of a thumbnail is that of the upright picture, even if only one side is given`(
        orientation: Orientation
    ) async throws {
        let manager = makeManager(RawImageCoder())
        let file = makeFile(orientation, isOpaque: true)
        let isTransposed = orientation.isTransposed
        let byWidth = try await manager.decode(file, context: [.thumbnailPixelSize(11, 0)])
        #expect(byWidth.size == (isTransposed ? PixelSize(11, 16) : PixelSize(11, 8)))
        let byHeight = try await manager.decode(file, context: [.thumbnailPixelSize(0, 11)])
        #expect(byHeight.size == (isTransposed ? PixelSize(8, 11) : PixelSize(16, 11)))
    }

    @Test(arguments: Orientation.allCases)
    func `a thumbnail may ignore the aspect ratio`(orientation: Orientation) async throws {
        let manager = makeManager(RawImageCoder())
        let file = makeFile(orientation, isOpaque: true)
        let whole = try await manager.decode(file)
        let context: ImageContext = [.thumbnailPixelSize(9, 17), .preservesAspectRatio(false)]
        let thumbnail = try await manager.decode(file, context: context)
        #expect(thumbnail.size == PixelSize(9, 17))
        try expectAlike(thumbnail.pixels, whole.pixels.resampled(to: PixelSize(9, 17)))

        let larger: ImageContext = [.thumbnailPixelSize(1000, 17), .preservesAspectRatio(false)]
        let wide = try await manager.decode(file, context: larger)
        #expect(wide.size == PixelSize(whole.width, 17))
    }

    @Test(arguments: Orientation.allCases)
    func `a thumbnail that keeps its orientation is sized as stored`(orientation: Orientation) async throws {
        let manager = makeManager(RawImageCoder())
        let file = makeFile(orientation, isOpaque: true)
        let thumbnail = try await manager.decode(file, context: [.thumbnailPixelSize(13, 13), .keepsOrientation])
        #expect(thumbnail.size == PixelSize(13, 10))
        #expect(thumbnail.attributes.orientation == orientation)
        let stored = try await manager.decode(file, context: [.keepsOrientation])
        try expectAlike(thumbnail.pixels, stored.pixels.resampled(to: PixelSize(13, 10)))
    }

    @Test func `a thumbnail is never larger than the picture`() async throws {
        let file = makeFile(.right, isOpaque: true)
        let thumbnail = try await makeManager(RawImageCoder()).decode(file, context: [.thumbnailPixelSize(500, 400)])
        #expect(thumbnail.size == PixelSize(22, 31))
    }

    // MARK: Rows and whole pictures

    @Test(arguments: PixelFormat.allCases, Orientation.allCases)
    func `all rows at once give the same picture as one after another`(
        format: PixelFormat, orientation: Orientation
    ) async throws {
        let pixels = try PixelBuffer.noise(PixelSize(23, 18), format, seed: 6)
        for context: ImageContext in [[.nativeDepth], [.nativeDepth, .thumbnailPixelSize(9, 9)]] {
            let rows = ScriptedCoder(conduct: .rows, pixels: pixels, orientation: orientation)
            let whole = ScriptedCoder(conduct: .whole, pixels: pixels, orientation: orientation)
            let one = try await makeManager(rows).decode(ScriptedCoder.file, context: context)
            let other = try await makeManager(whole).decode(ScriptedCoder.file, context: context)
            #expect(one.pixels.layout == other.pixels.layout)
            let isEqual = one.pixels.levels == other.pixels.levels
            #expect(isEqual)
            guard one.size == orientation.displaySize(of: pixels.size) else { continue }
            let upright = try pixels.upright(from: orientation).levels
            let isUpright = one.pixels.levels == upright
            #expect(isUpright)
        }
    }

    @Test(arguments: PixelFormat.allCases, [ScriptedCoder.Conduct.rows, .whole])
    func `a picture has eight bits unless more are asked for`(
        format: PixelFormat, conduct: ScriptedCoder.Conduct
    ) async throws {
        let pixels = try PixelBuffer.noise(PixelSize(23, 18), format, seed: 9)
        let scale = 255 / format.fullLevel
        for orientation in Orientation.allCases {
            let manager = makeManager(ScriptedCoder(conduct: conduct, pixels: pixels, orientation: orientation))
            let upright = try pixels.upright(from: orientation)
            let native = try await manager.decode(ScriptedCoder.file, context: [.nativeDepth])
            #expect(native.pixels.layout == upright.layout)
            let usual = try await manager.decode(ScriptedCoder.file)
            #expect(usual.pixels.format == .rgba8)
            #expect(usual.size == upright.size)
            let isNearest = zip(usual.pixels.levels, upright.levels).allSatisfy { abs($0 - $1 * scale) <= 0.501 }
            #expect(isNearest, "\(orientation)")
        }
    }

    // MARK: Colors

    /// A color converter that inverts all colors, counts the rows, and records the requested conversions.
    private final class Inverter: ColorConverter {
        private let formats: Set<PixelFormat>
        /// The requested conversions.
        let conversions = Lock<[ColorConversion]>([])
        /// The number of converted rows.
        let rowCount = Lock(0)

        /// - Parameter formats: The supported pixel formats. They must be integers, whose bitwise complement is the
        ///   inverse.
        init(formats: Set<PixelFormat> = [.rgba8]) { self.formats = formats }

        func rowConverter(for conversion: ColorConversion) throws -> (any RowConverter)? {
            conversions.withLock { $0.append(conversion) }
            guard formats.contains(conversion.format) else { return nil }
            return Rows(inverter: self, isInk: conversion.channels == .cmyk, format: conversion.format)
        }

        private struct Rows: RowConverter {
            let inverter: Inverter
            let isInk: Bool
            let format: PixelFormat

            func convert(_ row: inout MutableRawSpan) {
                inverter.rowCount.withLock { $0 += 1 }
                let (pixel, colors) = (format.bytesPerPixel, format.bytesPerPixel / 4 * 3)
                row.withUnsafeMutableBytes { bytes in
                    for index in bytes.indices {
                        if index % pixel < colors { bytes[index] = ~bytes[index] } else if isInk { bytes[index] = 255 }
                    }
                }
            }
        }
    }

    /// Returns a manager with a coder and an inverter.
    private func makeManager(_ coder: any ImageCoder, _ inverter: Inverter) -> ImageManager {
        let manager = makeManager(coder)
        manager.registry.colorConverters.add(inverter)
        return manager
    }

    /// Returns gray pixels, and their inverse.
    private func drawGrays() throws -> (pixels: PixelBuffer, inverted: PixelBuffer) {
        func draw(isInverted: Bool) throws -> PixelBuffer {
            try PixelBuffer.drawn(PixelSize(23, 18), isOpaque: true, isGray: !isInverted) { x, y in
                let gray = Double((x * 11 + y * 29) % 256)
                return Array(repeating: isInverted ? 255 - gray : gray, count: 3) + [255]
            }
        }
        return (try draw(isInverted: false), try draw(isInverted: true))
    }

    @Test(arguments: [ScriptedCoder.Conduct.rows, .whole])
    func `colors are converted once, in the thumbnail if there is one`(
        conduct: ScriptedCoder.Conduct
    ) async throws {
        let (pixels, inverted) = try drawGrays()
        let coder = ScriptedCoder(conduct: conduct, pixels: pixels, profile: .icc(Data([1, 2, 3])))
        func decode(_ context: ImageContext) async throws -> (image: Image, rowCount: Int) {
            let inverter = Inverter()
            let image = try await makeManager(coder, inverter).decode(ScriptedCoder.file, context: context)
            return (image, inverter.rowCount.withLock { $0 })
        }
        let whole = try await decode([])
        #expect(whole.image.pixels.levels == inverted.levels)
        #expect(whole.rowCount == 18)
        #expect(whole.image.attributes.profile == .sRGB)
        #expect(!whole.image.pixels.isGray, "a converter may turn gray into color")

        let thumbnail = try await decode([.thumbnailPixelSize(10, 10)])
        let unconverted = try pixels.resampled(to: thumbnail.image.size).levels
        let expected = unconverted.enumerated().map { index, level in index % 4 == 3 ? level : 255 - level }
        #expect(thumbnail.image.pixels.levels == expected)
        #expect(thumbnail.rowCount == thumbnail.image.height)
        #expect(!thumbnail.image.pixels.isGray)

        // Linear light is that of sRGB, so averaging must follow the conversion.
        let linear = try await decode([.thumbnailPixelSize(10, 10), .linearLight])
        let averaged = try inverted.resampled(to: linear.image.size, resampling: Resampling(linear: true))
        #expect(linear.image.pixels.levels == averaged.levels)
        #expect(linear.rowCount == 18)

        let kept = try await decode([.keepsProfile])
        #expect(kept.image.pixels.levels == pixels.levels)
        #expect(kept.image.pixels.isGray)
        #expect(kept.rowCount == 0)
        #expect(kept.image.attributes.profile == .icc(Data([1, 2, 3])))
    }

    @Test(arguments: Orientation.allCases, [ScriptedCoder.Conduct.rows, .whole])
    func `colors are converted in every orientation`(
        orientation: Orientation, conduct: ScriptedCoder.Conduct
    ) async throws {
        let (pixels, inverted) = try drawGrays()
        let coder = ScriptedCoder(
            conduct: conduct, pixels: pixels, orientation: orientation, profile: .icc(Data([1, 2, 3])))
        let inverter = Inverter()
        let made = try await makeManager(coder, inverter).decode(ScriptedCoder.file)
        #expect(made.pixels.levels == (try inverted.upright(from: orientation).levels))
        #expect(inverter.rowCount.withLock { $0 } == 18)
    }

    /// Returns whether a picture is the 8-bit version of another, with each level rounded to the nearest.
    private func isNarrowed(_ pixels: PixelBuffer, from levels: [Double], _ format: PixelFormat) -> Bool {
        let scale = 255 / format.fullLevel
        return pixels.format == .rgba8 && pixels.levels.count == levels.count
            && zip(pixels.levels, levels).allSatisfy { abs($0 - $1 * scale) <= 0.501 }
    }

    @Test(arguments: Orientation.allCases, [ScriptedCoder.Conduct.rows, .whole])
    func `16-bit colors are converted before they are reduced to eight, in every orientation`(
        orientation: Orientation, conduct: ScriptedCoder.Conduct
    ) async throws {
        let pixels = try PixelBuffer.noise(PixelSize(23, 18), .rgba16, seed: 14)
        let coder = ScriptedCoder(
            conduct: conduct, pixels: pixels, orientation: orientation, profile: .icc(Data([1, 2, 3])))
        let inverter = Inverter(formats: [.rgba16])
        let made = try await makeManager(coder, inverter).decode(ScriptedCoder.file)
        let expected = try pixels.upright(from: orientation).levels.enumerated().map { index, level in
            index % 4 == 3 ? level : 65_535 - level
        }
        let isConverted = isNarrowed(made.pixels, from: expected, .rgba16)
        #expect(isConverted)
        #expect(inverter.rowCount.withLock { $0 } == 18)
    }

    @Test(arguments: [PixelFormat.rgba8, .rgba16], [Orientation.up, .upMirrored, .down, .right])
    func `a row is converted and turned as a whole, whatever its decoder leaves of the span`(
        format: PixelFormat, orientation: Orientation
    ) async throws {
        let pixels = try PixelBuffer.noise(PixelSize(23, 18), format, seed: 15)
        for conduct in [ScriptedCoder.Conduct.rows, .whole] {
            for profile in [ColorProfile.sRGB, .icc(Data([1, 2, 3]))] {
                for context: ImageContext in [[], [.nativeDepth], [.thumbnailPixelSize(9, 9)]] {
                    var coder = ScriptedCoder(
                        conduct: conduct, pixels: pixels, orientation: orientation, profile: profile)
                    func decode() async throws -> PixelBuffer {
                        let manager = makeManager(coder, Inverter(formats: [.rgba8, .rgba16]))
                        return try await manager.decode(ScriptedCoder.file, context: context).pixels
                    }
                    let usual = try await decode()
                    coder.emptiesSpans = true
                    let made = try await decode()
                    #expect(made.layout == usual.layout)
                    let isEqual = made.levels == usual.levels
                    #expect(isEqual)
                }
            }
        }
    }

    @Test func `a converter knows whether picture and profile are gray`() async throws {
        let (gray, colored) = try drawGrays()
        // The header of a profile, up to its color space.
        func header(_ colors: String) -> ColorProfile { .icc(Data(repeating: 0, count: 16) + Data(colors.utf8)) }
        for (pixels, profile, isGray) in [
            (gray, header("GRAY"), true), (gray, header("RGB "), false), (colored, header("GRAY"), false),
            (gray, .icc(Data([1, 2, 3])), false),
        ] {
            let inverter = Inverter()
            let coder = ScriptedCoder(conduct: .rows, pixels: pixels, profile: profile)
            _ = try await makeManager(coder, inverter).decode(ScriptedCoder.file)
            let conversions = inverter.conversions.withLock { $0 }
            #expect(conversions.map(\.isGray) == [isGray])
            #expect(conversions.map(\.source) == [profile])
            #expect(conversions.map(\.target) == [.sRGB])
            #expect(conversions.map(\.channels) == [.rgba])
        }
    }

    // MARK: CMYK

    /// Returns inks, and the visible colors if each ink lets the rest of the light through.
    private func drawInks(_ format: PixelFormat) throws -> (inks: PixelBuffer, seen: PixelBuffer) {
        let inks = try PixelBuffer.noise(PixelSize(23, 18), format, seed: 12)
        let (levels, full) = (inks.levels, format.fullLevel)
        let seen = try PixelBuffer.drawn(inks.size, format, isOpaque: true) { x, y in
            let pixel = (y * inks.width + x) * 4
            let colors = levels[pixel..<pixel + 3].map { (full - $0) * (full - levels[pixel + 3]) / full }
            return (format == .rgbaFloat ? colors : colors.map { $0.rounded() }) + [full]
        }
        return (inks, seen)
    }

    @Test(arguments: PixelFormat.allCases, [ScriptedCoder.Conduct.rows, .whole])
    func `CMYK without a profile is converted by the simple formula`(
        format: PixelFormat, conduct: ScriptedCoder.Conduct
    ) async throws {
        let (inks, seen) = try drawInks(format)
        let listener = RecordingListener()
        for orientation in [Orientation.up, .down, .right] {
            var coder = ScriptedCoder(conduct: conduct, pixels: inks, orientation: orientation)
            coder.channels = .cmyk
            for size in [inks.size, PixelSize(10, 8)] {
                let box = orientation.displaySize(of: size)
                let context: ImageContext = [
                    .nativeDepth, .thumbnailPixelSize(box.width, box.height), .preservesAspectRatio(false),
                    .eventListener(listener),
                ]
                let manager = makeManager(coder)
                let made = try await manager.decode(ScriptedCoder.file, context: context)
                await manager.waitForEvents()
                let expected = try seen.resampled(to: size).upright(from: orientation)
                #expect(made.pixels.layout == expected.layout)
                #expect(made.attributes.profile == .sRGB)
                let difference = LevelDifference(
                    made.pixels.levels, expected.levels, full: format.fullLevel)
                #expect(difference.alpha == 0)
                #expect(difference.color <= (format == .rgbaFloat ? 1e-6 : 0), "\(size), \(orientation)")
            }
        }
        #expect(listener.issues.isEmpty, "there was no profile to apply")
    }

    @Test(arguments: [PixelFormat.rgba16, .rgbaFloat], [ScriptedCoder.Conduct.rows, .whole])
    func `CMYK of more than eight bits becomes color before it is reduced to eight`(
        format: PixelFormat, conduct: ScriptedCoder.Conduct
    ) async throws {
        let (inks, seen) = try drawInks(format)
        for orientation in [Orientation.up, .down] {
            var coder = ScriptedCoder(conduct: conduct, pixels: inks, orientation: orientation)
            coder.channels = .cmyk
            let made = try await makeManager(coder).decode(ScriptedCoder.file)
            #expect(made.pixels.isOpaque)
            let isSeen = try isNarrowed(made.pixels, from: seen.upright(from: orientation).levels, format)
            #expect(isSeen, "\(orientation)")
        }
    }

    @Test(arguments: [false, true])
    func `a CMYK profile that no converter supports is reported, not silently dropped`(keepsProfile: Bool)
        async throws
    {
        let (inks, seen) = try drawInks(.rgba16)
        var coder = ScriptedCoder(conduct: .rows, pixels: inks, profile: .icc(Data([1, 2, 3])))
        coder.channels = .cmyk
        let listener = RecordingListener()
        var context: ImageContext = [.nativeDepth, .eventListener(listener)]
        if keepsProfile { context = context.merging([.keepsProfile]) }
        // This converter supports only 8 bits.
        let manager = makeManager(coder, Inverter())
        let made = try await manager.decode(ScriptedCoder.file, context: context)
        #expect(made.pixels.levels == seen.levels)
        #expect(made.attributes.profile == .sRGB)
        await manager.waitForEvents()
        #expect(listener.issues.map(\.code) == [.noColorConverter])
        #expect(listener.issues.first?.message.hasPrefix("the CMYK color profile was not applied") == true)
    }

    @Test(arguments: [ImageContext(), [.keepsProfile], [.thumbnailPixelSize(10, 10)]])
    func `CMYK is converted by its profile before anything else`(context: ImageContext) async throws {
        let (inks, _) = try drawInks(.rgba8)
        let levels = inks.levels
        let converted = try PixelBuffer.drawn(inks.size, isOpaque: true) { x, y in
            let pixel = (y * inks.width + x) * 4
            return levels[pixel..<pixel + 3].map { 255 - $0 } + [255]
        }
        var coder = ScriptedCoder(conduct: .rows, pixels: inks, profile: .icc(Data([1, 2, 3])))
        coder.channels = .cmyk
        let inverter = Inverter()
        let listener = RecordingListener()
        let manager = makeManager(coder, inverter)
        let made = try await manager.decode(
            ScriptedCoder.file, context: context.merging([.eventListener(listener)]))
        #expect(made.pixels.isOpaque)
        #expect(made.pixels.levels == (try converted.resampled(to: made.size).levels))
        #expect(made.attributes.profile == .sRGB)
        #expect(inverter.rowCount.withLock { $0 } == 18)
        #expect(inverter.conversions.withLock { $0 }.map(\.channels) == [.cmyk])
        await manager.waitForEvents()
        #expect(listener.issues.isEmpty)
    }

    // MARK: Misuse

    /// The message of the sink for each misuse.
    static let misuses: [(ScriptedCoder.Conduct, String)] = [
        (.lastRowMissing, "the decoder returned only 5 of 6 rows"),
        (.nothing, "the decoder returned only 0 of 6 rows"),
        (.silence, "the decoder returned only 0 of 6 rows"),
        (.rowTwice, "row 0 was passed out of order"),
        (.rowSkipped, "row 2 was passed out of order"),
        (.rowTooMany, "row 6 was passed out of order"),
        (.rowBeforeBegin, "row 0 was passed out of order"),
        (.rowAfterWhole, "row 0 was passed out of order"),
        (.wholeBeforeBegin, "`whole` was called out of order"),
        (.wholeAfterRow, "`whole` was called out of order"),
        (.wholeTwice, "`whole` was called out of order"),
        (.secondBegin, "`begin` was called twice"),
    ]

    @Test(arguments: RowPipelineTests.misuses)
    func `a decoder that misuses its sink makes no picture`(
        conduct: ScriptedCoder.Conduct, message: String
    ) async throws {
        for format in [PixelFormat.rgba8, .rgba16] {
            let pixels = try PixelBuffer.noise(PixelSize(8, 6), format, seed: 7)
            for orientation in [Orientation.right, .down] {
                let manager = makeManager(ScriptedCoder(conduct: conduct, pixels: pixels, orientation: orientation))
                for context: ImageContext in [[], [.thumbnailPixelSize(3, 3)], [.allowPartial]] {
                    let error = await imageError { try await manager.decode(ScriptedCoder.file, context: context) }
                    #expect(error?.code == .badData)
                    #expect(error?.component == "ScriptedCoder")
                    #expect(error?.message.hasSuffix(message) == true, "\(error?.message ?? "")")
                }
            }
        }
    }

    @Test func `every way to misuse the sink is tried`() {
        let tried = Self.misuses.map { $0.0 } + [.rows, .whole]
        #expect(Set(tried) == Set(ScriptedCoder.Conduct.allCases))
        #expect(tried.count == ScriptedCoder.Conduct.allCases.count)
    }

    @Test func `the limits apply to a decoder that delivers more than its header says`() async throws {
        let pixels = try PixelBuffer.noise(PixelSize(8, 6), seed: 8)
        var coder = ScriptedCoder(conduct: .rows, pixels: pixels)
        coder.announcedSize = PixelSize(100, 100)
        let manager = makeManager(coder)
        for context: ImageContext in [[.maxPixels(5000)], [.maxSidePixels(99)]] {
            let error = await imageError { try await manager.decode(ScriptedCoder.file, context: context) }
            #expect(error?.code == .limitExceeded)
        }
        coder.announcedSize = PixelSize(0, 6)
        let empty = makeManager(coder)
        let error = await imageError { try await empty.decode(ScriptedCoder.file) }
        #expect(error?.code == .badData)
    }

    @Test func `a decoder that delivers a reduced picture does not change the target size`() async throws {
        // A quarter of it, with both sides rounded up as in JPEG decoders.
        let pixels = try PixelBuffer.noise(PixelSize(21, 17), isOpaque: true, seed: 10)
        let quarter = try pixels.resampled(to: PixelSize(6, 5))
        let whole = ScriptedCoder(conduct: .rows, pixels: pixels, orientation: .left)
        let reduced = ScriptedCoder(conduct: .rows, pixels: quarter, orientation: .left, statedSize: pixels.size)
        for context: ImageContext in [[.thumbnailPixelSize(4, 4)], [.thumbnailPixelSize(0, 6)]] {
            let expected = try await makeManager(whole).decode(ScriptedCoder.file, context: context)
            let made = try await makeManager(reduced).decode(ScriptedCoder.file, context: context)
            #expect(made.size == expected.size)
            #expect(made.attributes.originalSize == PixelSize(17, 21))
        }
    }

    @Test(arguments: [ContextSetting.timeout(.seconds(5)), .decodeTimeout(.seconds(5))])
    func `a decode that takes too long ends between two rows`(limit: ContextSetting) async throws {
        let time = ManualTime()
        let gate = BlockingGate()
        let manager = ImageManager(context: [.off(.imageCache), limit], time: time)
        let coder = RawImageCoder(gate: gate)
        manager.registry.coders.add(coder)
        let decode = Task { try await manager.decode(RawImageCoder.file(width: 10, height: 10)) }
        await gate.waitForArrivals(1)
        time.advance(by: .seconds(6))
        gate.open()
        let error = await imageError { try await decode.value }
        #expect(error?.code == .timedOut)
        #expect(error?.advice == "raise the context value `\(limit.declaration.name)`")
        #expect(coder.rowCount == 1)
    }
}
