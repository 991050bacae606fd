#if HEIF
import Calotype
import CalotypeHEIF
import CoderKit
import Foundation
import Testing

/// Pictures in PQ and HLG.
@Suite(.timeLimit(.minutes(5)))
struct HEIFLightTests {
    private let manager = ImageManager(plugins: [.heif], context: [.off(.imageCache)])

    static func fixtures() throws -> [HEIFFixture] {
        try HEIFFixture.various().filter { $0.hasLightBeyondWhite && !$0.hasAlpha }
    }

    @Test(arguments: try HEIFLightTests.fixtures())
    func `highlights are kept on request, with the levels of the file`(
        _ fixture: HEIFFixture
    ) async throws {
        let image = try await manager.decode(fixture.data(), context: [.highDynamicRange])
        #expect(image.pixels.format == .rgbaFloat)
        #expect(image.attributes.profile.name == "CICP \(fixture.primaries)/\(fixture.transfer) as light")
        let expected =
            fixture.bitDepth > 8
            ? try fixture.deepSamples().map { Double($0) / 65_535 }
            : try fixture.samples().map { Double($0) / 255 }
        var largest = 0.0
        for y in 0..<image.size.height {
            let row = image.pixels.floats(y)
            for x in 0..<image.size.width {
                let place = (y * image.size.width + x) * 4
                let light = (0..<3).map { Double(row[4 * x + $0]) }
                let levels = fixture.transfer == 16 ? light.map(Self.pqLevel) : Self.hlgLevels(light, fixture)
                for channel in 0..<3 { largest = max(largest, abs(levels[channel] - expected[place + channel])) }
            }
        }
        #expect(largest < 0.01)
    }

    @Test(arguments: try HEIFLightTests.fixtures())
    func `highlights are mapped to white by default`(_ fixture: HEIFFixture) async throws {
        let image = try await manager.decode(fixture.data())
        #expect(image.pixels.format == .rgba8)
        let deep = try await manager.decode(fixture.data(), context: [.nativeDepth])
        #expect(deep.pixels.format == .rgba16)
        let light = try await manager.decode(fixture.data(), context: [.highDynamicRange])
        var largest = 0.0
        for y in 0..<image.size.height {
            let (levels, lights) = (deep.pixels.row16(y), light.pixels.floats(y))
            for x in 0..<image.size.width {
                let expected = Self.toneMapped((0..<3).map { Double(lights[4 * x + $0]) })
                for channel in 0..<3 {
                    largest = max(largest, abs(Double(levels[4 * x + channel]) / 65_535 - expected[channel]))
                }
            }
        }
        #expect(largest < 0.005)
    }

    /// Returns the sRGB levels of light, tone-mapped from a picture with 1,000 candelas per square meter to a display
    /// that shows no more than white. Source: ITU-R BT.2390-10, section 5.4.1; IEC 61966-2-1.
    private static func toneMapped(_ light: [Double]) -> [Double] {
        let most = pqLevel(1_000.0 / 203)
        let white = pqLevel(1) / most
        let knee = 1.5 * white - 0.5
        let largest = light.max() ?? 0
        let level = min(pqLevel(largest) / most, 1)
        var factor = 1.0
        if level > knee {
            let t = (level - knee) / (1 - knee)
            let spline =
                (2 * t * t * t - 3 * t * t + 1) * knee + (t * t * t - 2 * t * t + t) * (1 - knee)
                + (3 * t * t - 2 * t * t * t) * white
            factor = pqLight(spline * most) / largest
        }
        return light.map { channel in
            let light = min(max(channel * factor, 0), 1)
            return light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
        }
    }

    /// Returns the light of a PQ level. Source: ITU-R BT.2100-2, table 4.
    private static func pqLight(_ level: Double) -> Double {
        let root = pow(level, 1 / 78.84375)
        return 10_000 / 203 * pow(max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root), 1 / 0.1593017578125)
    }

    /// Returns the PQ level of light. Source: ITU-R BT.2100-2, table 4, the inverse of its electro-optical function.
    private static func pqLevel(_ light: Double) -> Double {
        let power = pow(max(0, light) * 203 / 10_000, 0.1593017578125)
        return pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
    }

    /// Returns the HLG levels of light on a display of 1,000 candelas per square meter. Source: ITU-R BT.2100-2, table
    /// 5.
    private static func hlgLevels(_ light: [Double], _ fixture: HEIFFixture) -> [Double] {
        let weights = fixture.primaries == 9 ? [0.2627, 0.6780, 0.0593] : [0.2126, 0.7152, 0.0722]
        let display = light.map { $0 * 203 / 1_000 }
        let luminance = zip(display, weights).reduce(0) { $0 + $1.0 * $1.1 }
        guard luminance > 0 else { return [0, 0, 0] }
        let gain = pow(luminance, (1 - 1.2) / 1.2)
        return display.map { channel in
            let scene = channel * gain
            return scene <= 1.0 / 12 ? sqrt(3 * scene) : 0.17883277 * log(12 * scene - 0.28466892) + 0.55991073
        }
    }
}
#endif
