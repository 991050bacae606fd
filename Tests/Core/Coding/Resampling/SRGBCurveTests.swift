import Testing

@testable import Calotype

/// The tables of the kernels, compared with the formulas of the standard.
@Suite(.timeLimit(.minutes(5)))
struct SRGBCurveTests {
    @Test func `every 8-bit level survives a round trip through light`() {
        #expect(SRGBCurve.light8.count == 256)
        #expect((0...255).allSatisfy { Int(SRGBCurve.level8[Int(SRGBCurve.light8[$0])]) == $0 })
        #expect(SRGBCurve.light8.first == 0)
        #expect(SRGBCurve.light8.last == 16_320)
    }

    @Test func `conversion to light and back gives the nearest value for every level and light`() {
        let farthestLight = (0...255).map { level in
            abs(Double(SRGBCurve.light8[level]) - ReferencePicture.light(Double(level) / 255) * 16_320)
        }.max()
        #expect(farthestLight.map { $0 <= 0.5 } == true)
        #expect(SRGBCurve.level8.count == 16_321)
        let farthestLevel = (0...16_320).map { light in
            abs(Double(SRGBCurve.level8[light]) - ReferencePicture.level(Double(light) / 16_320) * 255)
        }.max()
        #expect(farthestLevel.map { $0 <= 0.5 } == true)
    }

    @Test func `the light of sixteen bits is as exact as a float`() {
        #expect(SRGBCurve.light16.count == 65_536)
        #expect(SRGBCurve.light16.last == 1)
        let isExact = (0...65_535).allSatisfy { level in
            let light = ReferencePicture.light(Double(level) / 65_535)
            return abs(Double(SRGBCurve.light16[level]) - light) <= light * 1e-7
        }
        #expect(isExact)
    }
}
