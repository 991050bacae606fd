#if COLOR && PNG && JPEG
import CalotypeStandard
import Foundation
import Testing

/// Thumbnails of pictures in colors other than sRGB. Converting before or after resampling makes no visible difference.
@Suite(.timeLimit(.minutes(5)))
struct ColorThumbnailTests {
    private let manager = ImageManager(plugins: [.standard], context: [.off(.imageCache)])

    /// Returns the light of a level, both from 0 to 1, by IEC 61966-2-1.
    private func light(_ level: Double) -> Double {
        level <= 0.04045 ? level / 12.92 : pow((level + 0.055) / 1.055, 2.4)
    }

    private func level(_ light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }

    @Test(arguments: ["p3", "rgb-tables"], [false, true])
    func `a thumbnail has the colors of the converted picture`(_ profile: String, isLinear: Bool) async throws {
        let picture = try Image.ramps(in: Fixture.data(profile + ".icc", of: .color))
        let jpeg: ImageContext = [.compressionQuality(1), .jpegSubsampling(.full)]
        // For a JPEG, luma and chroma are resampled instead of RGB, which rounds at other steps.
        let files = [
            (try await manager.encode(picture, as: .png), 2),
            (try await manager.encode(picture, as: .jpeg, context: jpeg), 3),
        ]
        let common: ImageContext = isLinear ? [.linearLight] : []
        for (file, tolerance) in files {
            let whole = try await manager.decode(file)
            let unconverted = try await manager.decode(file, context: [.keepsProfile])
            let change = SampleDistance(whole.pixels.samples, unconverted.pixels.samples)
            #expect(change.mean > 2)
            for width in [100, 61] {
                let thumbnail = try await manager.decode(
                    file, context: common.merging([.thumbnailPixelSize(width, 0)]))
                #expect(thumbnail.width == width)
                #expect(thumbnail.attributes.profile == .sRGB)
                let expected = try whole.pixels.resampled(
                    to: thumbnail.size, resampling: Resampling(linear: isLinear))
                let distance = SampleDistance(thumbnail.pixels.samples, expected.samples)
                #expect(distance.largest <= tolerance, "\(width) wide")
                #expect(distance.mean <= 0.5, "\(width) wide")
            }
        }
    }

    @Test(arguments: ["color-gama-100000", "color-chrm-p3", "color-gama-100000-chrm-aces", "color-cicp-9-15"])
    func `in linear light a thumbnail averages the light of the profile`(_ name: String) async throws {
        let image = try await manager.decode(
            Fixture.png(name), context: [.thumbnailPixelSize(8, 2), .resamplingFilter(.box), .linearLight])
        try #require(image.size == PixelSize(8, 2))
        let samples = image.pixels.samples
        let lights = try Fixture.samples16(name).map { light(Double($0) / 65535) }
        try #require(lights.count == 16 * 4 * 4)
        var worst = 0.0
        for (index, sample) in samples.enumerated() where index % 4 != 3 {
            // The first of four pixels in 16 columns; the others are beside and below it.
            let (y, x, channel) = (index / 32, index / 4 % 8, index % 4)
            let first = 2 * y * 64 + 2 * x * 4 + channel
            let sum = lights[first] + lights[first + 4] + lights[first + 64] + lights[first + 68]
            worst = max(worst, abs(level(sum / 4) * 255 - Double(sample)))
        }
        // If they were averaged before the conversion, or as levels, the difference would be at least 13.
        #expect(worst < 1.5)
    }

    @Test func `a thumbnail of a CMYK picture is made from its converted colors`() async throws {
        let whole = try PixelBuffer.of(Fixture.samples("cmyk.rgb", count: 48 * 40), PixelSize(48, 40))
        for width in [40, 24, 7] {
            let thumbnail = try await manager.decode(
                Fixture.data("cmyk.jpg"), context: [.thumbnailPixelSize(width, 0), .thumbnailQuality(.exact)])
            let expected = try whole.resampled(to: thumbnail.size)
            let distance = SampleDistance(thumbnail.pixels.samples, expected.samples)
            #expect(thumbnail.width == width)
            #expect(distance.largest <= 2, "\(width) wide")
        }
    }
}
#endif
