import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct AnchorTests {
    @Test func `an anchor and its text stand for each other`() {
        let texts: [(Anchor, String)] = [
            (.center, "center"), (.topLeft, "topLeft"), (Anchor(x: 1, y: 0.5), "right"),
            (Anchor(x: 0.3, y: 0.7), "0.3:0.7"), (Anchor(x: 0, y: 0.25), "0:0.25"),
        ]
        for (anchor, text) in texts {
            #expect(anchor.contextText == text)
            #expect(Anchor(contextText: text) == anchor)
        }
        #expect(Anchor(contextText: "0.5:0.5") == .center)
    }

    @Test(arguments: ["", "middle", "0.5", "0.5:", ":", "1:2", "-0.1:0", "nan:0", "0:inf", "0:0:0", "a:0", "Center"])
    func `an invalid text is refused`(text: String) {
        #expect(Anchor(contextText: text) == nil)
    }

    @Test func `values outside the range are limited`() {
        #expect(Anchor(x: -3, y: .infinity) == .bottomLeft)
        #expect(Anchor(x: .nan, y: -.infinity) == .top)
    }
}
