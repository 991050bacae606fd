import Testing

@testable import Calotype

/// Light beyond white, compared with the signal levels of ITU-R BT.2408-7, table 1, and BT.2100-2.
@Suite(.timeLimit(.minutes(5)))
struct HDRTransferTests {
    /// Light in candelas per square meter, and the PQ level in percent.
    @Test(arguments: [
        (0.0, 0.0), (26, 38), (203, 58), (162, 56), (179, 57), (100, 51), (1_000, 75), (4_000, 90), (10_000, 100),
    ])
    func `PQ levels convert to light as recommended`(light: Double, percent: Double) {
        let level = HDRTransfer.pqLevel(ofLight: light / 203)
        #expect(abs(level * 100 - percent) < 0.5)
        #expect(abs(HDRTransfer.light(ofPQ: level) * 203 - light) < 0.001 + light / 1e6)
    }

    /// Light in candelas per square meter on a display of 1,000, and the HLG level in percent.
    @Test(arguments: [(0.0, 0.0), (26, 38), (203, 75), (162, 71), (179, 73), (1_000, 100)])
    func `HLG levels convert to light as recommended`(light: Double, percent: Double) throws {
        let rows = HDRRows(.hlg, luma: (0.2627, 0.0593), peak: nil, keepsLight: true)
        let level = UInt16(percent / 100 * 65_535)
        let pixels = Self.converted(rows, [level, level, level, 65_535])
        // The table has whole percents, each of which is up to a thirtieth of the light.
        #expect(abs(Double(pixels[0]) * 203 - light) < 0.04 * light + 0.001)
        #expect(pixels[0] == pixels[1] && pixels[1] == pixels[2] && pixels[3] == 1)
    }

    @Test(arguments: [(HDRTransfer.pq, 16), (.hlg, 18)])
    func `a transfer function is identified by its code point`(transfer: HDRTransfer, codePoint: Int) {
        #expect(HDRTransfer(codePoint: codePoint) == transfer)
        #expect(HDRTransfer(codePoint: 13) == nil)
    }

    // MARK: Tone mapping

    @Test(arguments: [nil, 400.0, 1_000, 4_000, 10_000])
    func `tone mapping maps the brightest light to white, keeps dark light and is monotonic`(peak: Double?) {
        let mapping = ToneMapping(peak: peak)
        var last: Float = -1
        for percent in 0...100 {
            let level = Double(percent) / 100
            let light = Float(HDRTransfer.light(ofPQ: level))
            let mapped = light * mapping.factor(ofLargest: Float(level))
            #expect(mapped >= last - 1e-5)
            #expect(mapped <= 1.001)
            if light * 203 < 10 { #expect(abs(mapped - light) <= 1e-6 + light / 1_000) }
            last = mapped
        }
        let most = HDRTransfer.pqLevel(ofLight: (peak ?? 1_000) / 203)
        let mapped = HDRTransfer.light(ofPQ: most) * Double(mapping.factor(ofLargest: Float(most)))
        #expect(abs(mapped - 1) < 0.01)
    }

    @Test func `a picture no brighter than white is not changed`() {
        let mapping = ToneMapping(peak: 203)
        for percent in 0...57 { #expect(mapping.factor(ofLargest: Float(percent) / 100) == 1) }
    }

    @Test func `without light beyond white, pixels get sRGB levels and keep their alpha`() {
        let rows = HDRRows(.pq, luma: (0.2627, 0.0593), peak: 203, keepsLight: false)
        #expect(rows.format == .rgba16)
        // White and the gray card, by their PQ levels.
        for (nits, expected) in [(203.0, 1.0), (26, SRGBCurve.level(26 / 203))] {
            let level = UInt16((HDRTransfer.pqLevel(ofLight: nits / 203) * 65_535).rounded())
            var pixels = [level, level, level, 1_000]
            var target = [UInt16](repeating: 0, count: 4)
            pixels.withUnsafeMutableBufferPointer { pixels in
                target.withUnsafeMutableBytes { rows.convert(pixels.baseAddress!, to: $0) }
            }
            #expect(abs(Double(target[0]) / 65_535 - expected) < 0.001)
            #expect(target[3] == 1_000)
        }
    }

    private static func converted(_ rows: HDRRows, _ pixels: [UInt16]) -> [Float] {
        var target = [Float](repeating: 0, count: pixels.count)
        pixels.withUnsafeBufferPointer { pixels in
            target.withUnsafeMutableBytes { rows.convert(pixels.baseAddress!, to: $0) }
        }
        return target
    }
}
