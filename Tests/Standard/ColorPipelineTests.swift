#if COLOR && PNG && JPEG
import CalotypeStandard
import CalotypeTesting
import Foundation
import Testing

/// Colors from a file to pixels, with the standard plugins.
@Suite(.timeLimit(.minutes(5)))
struct ColorPipelineTests {
    /// The number of pixels in the JPEG coder's pictures.
    private static let pixelCount = 33 * 31
    /// The number of pixels in the CMYK picture.
    private static let inkCount = 48 * 40

    private let listener = RecordingListener()
    private let manager: ImageManager
    /// A manager without a plugin for colors.
    private let plain: ImageManager

    init() {
        let context: ImageContext = [.off(.imageCache), .eventListener(listener)]
        manager = ImageManager(plugins: [.standard], context: context)
        plain = ImageManager(plugins: [.png, .jpeg], context: context)
    }

    /// The failures that all events reported.
    private var failures: [ImageError] {
        get async {
            await manager.waitForEvents()
            await plain.waitForEvents()
            return listener.issues
        }
    }

    // MARK: RGB

    @Test(arguments: try ToldColors.names())
    func `a PNG is converted to sRGB as its chunks say`(_ name: String) async throws {
        let needsConversion = try ToldColors.needsConversion(name)
        let expected = try Fixture.samples16(name)
        let alpha = stride(from: 3, to: expected.count, by: 4)
        for context: ImageContext in [[], [.nativeDepth]] {
            let image = try await manager.decode(Fixture.png(name), context: context)
            #expect(image.attributes.profile == .sRGB)
            let is16Bit = image.pixels.format == .rgba16
            #expect(is16Bit == (ToldColors.has16Bits(name) && !context.isEmpty))
            // In levels of 255. For 16 bits, the tolerance covers the precision of profiles near black, where sRGB is
            // steepest. For 8 bits, it covers rounding at the end and within Little CMS.
            let tolerance = !needsConversion ? 0 : is16Bit ? 0.1 : 0.75
            let samples = image.pixels.samples16
            let distance = SampleDistance(samples, expected)
            #expect(Double(distance.largest) <= tolerance * 257)
            try #require(samples.count == expected.count)
            let alphaDistance = SampleDistance(alpha.map { samples[$0] }, alpha.map { expected[$0] })
            #expect(alphaDistance.largest <= (is16Bit ? 0 : 128))
        }
        #expect(await failures.isEmpty)
    }

    @Test(arguments: try ToldColors.names())
    func `a PNG is unchanged if its profile is kept or no converter is installed`(_ name: String) async throws {
        let data = try Fixture.png(name)
        let profile = try await plain.info(of: data).profile
        #expect(try ToldColors.needsConversion(name) == (profile != .sRGB))
        let images = [
            try await manager.decode(data, context: [.nativeDepth, .keepsProfile]),
            try await plain.decode(data, context: [.nativeDepth]),
        ]
        for image in images {
            #expect(image.attributes.profile == profile)
            #expect(image.pixels.samples16 == ToldColors.stored(name))
        }
        #expect(await failures.isEmpty)
    }

    @Test func `a JPEG is converted to sRGB by its profile, unless that is kept or no converter is installed`()
        async throws
    {
        let data = try Fixture.data("icc.jpg", of: .jpeg)
        let converted = try await manager.decode(data)
        #expect(converted.attributes.profile == .sRGB)
        let distance = SampleDistance(
            converted.pixels.samples, try Fixture.samples("icc.rgb", count: Self.pixelCount))
        #expect(distance.largest <= 1)
        #expect(distance.mean <= 0.1)

        let profile = ColorProfile.icc(try Fixture.data("icc.icc", of: .jpeg))
        let stored = try Fixture.samples("small.rgb", of: .jpeg, count: Self.pixelCount)
        for image in [try await manager.decode(data, context: [.keepsProfile]), try await plain.decode(data)] {
            #expect(image.attributes.profile == profile)
            #expect(image.pixels.samples == stored)
        }
        #expect(await failures.isEmpty)
    }

    @Test func `a picture with a gray profile is converted to sRGB gray`() async throws {
        let image = try await manager.decode(Fixture.png("gray-icc"))
        #expect(image.attributes.profile == .sRGB)
        let samples = image.pixels.samples
        let stored = try Fixture.samples16("gray8")
        try #require(samples.count == stored.count)
        var worst = 0.0
        for pixel in stride(from: 0, to: samples.count, by: 4) {
            #expect(samples[pixel] == samples[pixel + 1] && samples[pixel + 1] == samples[pixel + 2])
            #expect(samples[pixel + 3] == 255)
            // The profile has a gamma of 1.8, as precise as its eight binary places allow.
            let light = pow(Double(stored[pixel]) / 65535, 461.0 / 256)
            let level = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
            worst = max(worst, abs(Double(samples[pixel]) - level * 255))
        }
        #expect(worst <= 0.51)
        #expect(await failures.isEmpty)
    }

    // MARK: CMYK

    @Test func `CMYK is converted to sRGB by its profile, even with keepsProfile`() async throws {
        let expected = try Fixture.samples("cmyk.rgb", count: Self.inkCount)
        for context: ImageContext in [[], [.keepsProfile]] {
            let image = try await manager.decode(Fixture.data("cmyk.jpg"), context: context)
            #expect(image.attributes.profile == .sRGB)
            #expect(image.pixels.isOpaque)
            let distance = SampleDistance(image.pixels.samples, expected)
            #expect(distance.largest <= 1)
            #expect(distance.mean <= 0.1)
        }
        #expect(await failures.isEmpty)
    }

    @Test(arguments: [false, true])
    func `CMYK is converted without its profile if no converter supports it, which is reported`(
        keepsProfile: Bool
    ) async throws {
        let context: ImageContext = keepsProfile ? [.keepsProfile] : []
        let image = try await plain.decode(Fixture.data("cmyk.jpg"), context: context)
        let expected = try Fixture.samples("cmyk-naive.rgb", count: Self.inkCount)
        #expect(image.attributes.profile == .sRGB)
        #expect(image.pixels.isOpaque)
        #expect(image.pixels.samples == expected)
        #expect(await failures.map(\.code) == [.noColorConverter])
        #expect(await failures.map(\.stage) == [.decode])
    }

    @Test func `CMYK without a profile is not reported`() async throws {
        let data = try Fixture.data("cmyk.jpg", of: .jpeg)
        let expected = try Fixture.samples("cmyk-separate-scans.rgb", of: .jpeg, count: Self.pixelCount)
        for image in [try await manager.decode(data), try await plain.decode(data)] {
            #expect(image.attributes.profile == .sRGB)
            #expect(image.pixels.samples == expected)
        }
        #expect(await failures.isEmpty)
    }

    // MARK: Unusable profiles

    /// Returns data whose first occurrence of a text is replaced by another one of equal length.
    private func damaged(_ data: Data, _ part: String, _ damage: String) throws -> Data {
        var data = data
        let place = try #require(data.range(of: Data(part.utf8)))
        data.replaceSubrange(place, with: Data(damage.utf8))
        return data
    }

    /// Checks that a picture was treated as sRGB, with these samples, and that this was reported once.
    private func expectUnconverted(_ image: Image, _ samples: [Int]) async throws {
        #expect(image.attributes.profile == .sRGB)
        #expect(image.pixels.samples == samples)
        #expect(await failures.map(\.code) == [.badData])
        let failure = try #require(await failures.first)
        #expect(failure.stage == .decode)
        #expect(failure.component == "LittleCMSColorConverter")
        #expect(failure.message.contains("profile"))
    }

    @Test(arguments: [("acsp", "none"), ("curv", "none"), ("RGB XYZ ", "GRAYXYZ "), ("RGB XYZ ", "CMYKXYZ ")])
    func `a JPEG with an unusable profile is treated as sRGB, and that is reported`(
        _ part: String, _ damage: String
    ) async throws {
        let data = try damaged(Fixture.data("icc.jpg", of: .jpeg), part, damage)
        let samples = try Fixture.samples("small.rgb", of: .jpeg, count: Self.pixelCount)
        try await expectUnconverted(manager.decode(data), samples)
    }

    @Test func `a PNG with an unusable profile is treated as sRGB, and that is reported`() async throws {
        // The curves are damaged. libpng would not return a profile that is damaged at its beginning.
        let profile = try damaged(Fixture.data("p3.icc", of: .color), "para", "none")
        let stored = try Fixture.samples("small.rgb", of: .jpeg, count: Self.pixelCount)
        let picture = Image(
            pixels: try .of(stored, PixelSize(33, 31)), attributes: Image.Attributes(profile: .icc(profile)))
        let data = try await manager.encode(picture, as: .png)
        #expect(try await manager.info(of: data).profile == .icc(profile))
        try await expectUnconverted(manager.decode(data), stored)
    }

    @Test(arguments: [("acsp", "none"), ("mft2", "none"), ("CMYKLab ", "RGB Lab ")])
    func `CMYK with an unusable profile is converted without it, and that is reported`(
        _ part: String, _ damage: String
    ) async throws {
        let data = try damaged(Fixture.data("cmyk.jpg"), part, damage)
        let samples = try Fixture.samples("cmyk-naive.rgb", count: Self.inkCount)
        try await expectUnconverted(manager.decode(data), samples)
    }

    @Test func `a profile over the limit is refused, one at the limit is used`() async throws {
        let files = [
            (try Fixture.png("icc"), try Fixture.data("icc.icc", of: .png)),
            (try Fixture.data("icc.jpg", of: .jpeg), try Fixture.data("icc.icc", of: .jpeg)),
            (try Fixture.data("cmyk.jpg"), try Fixture.data("cmyk.icc", of: .color)),
        ]
        for (file, profile) in files {
            let error = await #expect(throws: ImageError.self) {
                try await manager.decode(file, context: [.maxProfileBytes(profile.count - 1)])
            }
            #expect(error?.code == .limitExceeded)
            let image = try await manager.decode(file, context: [.maxProfileBytes(profile.count)])
            #expect(image.attributes.profile == .sRGB)
        }
        #expect(await failures.isEmpty)
    }
}
#endif
