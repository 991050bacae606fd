import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct PixelColorTests {
    @Test func `a color is written as hexadecimal digits`() {
        #expect(PixelColor(red: 1, green: 0, blue: 10.0 / 255).contextText == "#ff000a")
        #expect(PixelColor(red: 0, green: 1, blue: 0.2, alpha: 0).contextText == "#00ff3300")
        #expect(PixelColor(red: -0.0, green: 0, blue: 0).contextText == "#000000")
    }

    @Test func `every 8-bit level survives a round trip through text`() {
        for level in 0...255 {
            let part = Double(level) / 255
            let color = PixelColor(red: part, green: 1 - part, blue: 0, alpha: part)
            #expect(PixelColor(contextText: color.contextText) == color)
        }
    }

    @Test func `a color between 8-bit levels is written as decimal numbers`() {
        let color = PixelColor(red: 0.5, green: 1.5, blue: -0.25, alpha: 1)
        #expect(color.contextText == "0.5,1.5,-0.25,1")
        #expect(PixelColor(contextText: color.contextText) == color)
        #expect(PixelColor(red: 0.501, green: 1.5, blue: -0.25).contextText != color.contextText)
    }

    @Test func `different notations give the same color`() {
        #expect(PixelColor(contextText: "#FF8000")?.contextText == "#ff8000")
        #expect(PixelColor(contextText: "#ff8000ff")?.contextText == "#ff8000")
        #expect(PixelColor(contextText: "0,0,1,1")?.contextText == "#0000ff")
    }

    @Test(arguments: [
        "", "#", "ffffff", "#fff", "#fffff", "#fffffff", "#fffffffff", "#gggggg", "#+1+1+1", "# 1 1 1",
        "#\u{FF11}00000", "1,2,3", "1,2,3,4,5", "1,,1,1", "nan,0,0,1", "inf,0,0,1", "white",
    ])
    func `an invalid color is rejected`(_ text: String) {
        #expect(PixelColor(contextText: text) == nil)
    }
}
