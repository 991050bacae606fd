import CalotypeTesting
import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct ColorProfileNameTests {
    /// Returns a profile with one tag that has these contents.
    private func profile(_ body: [UInt8], tag: String = "desc", start: Int = 144, length: Int? = nil) -> Data {
        func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
        let table = number(1) + Array(tag.utf8) + number(start) + number(length ?? body.count)
        return Data([UInt8](repeating: 0, count: 128) + table + body)
    }

    /// Returns a text of profile version 2.
    private func text(_ text: String) -> [UInt8] {
        Array("desc".utf8) + [0, 0, 0, 0, 0, 0, 0, UInt8(text.utf8.count + 1)] + Array(text.utf8) + [0]
    }

    @Test func `the sRGB profile is named sRGB`() {
        #expect(ColorProfile.sRGB.name == "sRGB")
    }

    @Test func `a profile has the name in its description`() throws {
        #expect(ColorProfile.icc(profile(text("Display P3"))).name == "Display P3")
        let made = ICCProfile(grayWith: try #require(ICCProfile.ToneCurve(exponent: 2.2)), name: "gray, 2.2")
        #expect(ColorProfile.icc(made.data).name == "gray, 2.2")
    }

    @Test func `a localized description is read as UTF-16`() {
        let record: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 12] + Array("frFR".utf8) + [0, 0, 0, 6, 0, 0, 0, 28]
        let body = Array("mluc".utf8) + [0, 0, 0, 0] + record + [0x00, 0xC9, 0xD8, 0x3C, 0xDF, 0xA8]
        #expect(ColorProfile.icc(profile(body)).name == "\u{C9}\u{1F3A8}")
    }

    @Test func `a profile without a valid description is unnamed`() {
        let good = text("Display P3")
        for data in [
            Data(), Data(count: 128), profile(good, tag: "cprt"), profile(text("")), profile(Array("curv".utf8)),
            profile(good, start: 1 << 31), profile(good, length: 3), profile(text("\u{1}\n\u{7F}")),
        ] {
            #expect(ColorProfile.icc(data).name == "unnamed")
        }
        #expect(ColorProfile.icc(profile(text("a\u{1B}[2Jb"))).name == "a[2Jb")
        #expect(ColorProfile.icc(profile(text(String(repeating: "x", count: 200)))).name.count == 128)
    }

    @Test func `damaged profiles do not trap`() {
        var random = SplitMix64(seed: 12)
        let good = [UInt8](profile(text("Display P3")))
        for _ in 0..<2000 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: 128..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let count = Int.random(in: 0...bytes.count, using: &random)
            #expect(ColorProfile.icc(Data(bytes.prefix(count))).name.count <= 128)
        }
    }
}
