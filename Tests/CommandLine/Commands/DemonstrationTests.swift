#if PNG
import CalotypeStandard
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DemonstrationTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func show(_ arguments: String...) async throws -> Outcome {
        try await sandbox.run(["--output", "out"] + arguments, of: "calotype-demo")
    }

    private func pixels(_ file: Data?) async throws -> PixelBuffer {
        let manager = ImageManager(plugins: [.standard], context: [.off(ContextKey.imageCache)])
        return try await manager.decode(#require(file)).pixels
    }

    /// Expects that each image was found on disk and in memory. A dash marks a miss.
    private func expectHits(_ outcome: Outcome) throws {
        let row = try #require(outcome.lines.first { $0.hasPrefix("  banner ") })
        let cells = row.split(separator: " ")
        #expect(cells.count == 12)
        #expect(!cells.suffix(6).contains("-"))
    }

    @Test func `each picture has one line, and one for each variant`() async throws {
        try sandbox.add("rgb8", as: "a b.png")
        try sandbox.add("rgba8", as: "c.png")
        let outcome = try await show("a b.png", "c.png")
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        #expect(outcome.lines.contains { $0.hasPrefix("a b.png: png, 33x17, ") })
        #expect(outcome.lines.contains { $0.hasPrefix("c.png: png, ") })
        #expect(outcome.lines.filter { $0.contains("the same pixels each time") }.count == 2)
        #if HTTP
        #expect(outcome.lines.filter { $0.contains(" for 3 variants; ") }.count == 2)
        #endif
        for variant in ["thumbnail  33x17 ", "square     240x240 ", "banner     560x240 "] {
            #expect(outcome.lines.contains { $0.hasPrefix("  \(variant)") }, "\(variant)")
        }
        try expectHits(outcome)
        #expect(outcome.lines.allSatisfy { $0.count <= 120 })
    }

    @Test func `the contact sheet has all pictures in place, and only the cache is beside it`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        try sandbox.add("rgba8", as: "b.png")
        _ = try await show("a.png", "b.png")
        #expect(try sandbox.names(in: "out") == ["cache", "contact-sheet.png"])
        let sheet = try await pixels(sandbox.data("out/contact-sheet.png"))
        let original = try await pixels(sandbox.data("a.png"))
        #expect(sheet.size == PixelSize(1200, 540))
        #expect(sheet.isOpaque)
        // A thumbnail is not enlarged, and is centered in 320x240.
        let (left, top) = (20 + (320 - original.width) / 2, 20 + (240 - original.height) / 2)
        for y in 0..<original.height {
            for x in 0..<original.width {
                #expect(sheet.color(x: left + x, y: top + y) == original.color(x: x, y: y))
            }
        }
        let ground = sheet.color(x: 0, y: 0)
        for (x, y) in [(19, 19), (1199, 539), (350, 30), (20, 20), (left - 1, top)] {
            #expect(sheet.color(x: x, y: y) == ground)
        }
    }

    @Test func `a failure is reported in a sentence, and the rest continues`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        try sandbox.add("bad-truncated-idat", as: "torn.png")
        let outcome = try await show("missing.png", "torn.png", ".", "a.png")
        #expect(outcome.status == 1)
        #expect(outcome.errors.count == 3)
        for (name, line) in zip(["missing.png", "torn.png", "."], outcome.errors) {
            #expect(line.hasPrefix("calotype-demo: \(name): "))
        }
        #expect(try await pixels(sandbox.data("out/contact-sheet.png")).size == PixelSize(1200, 280))
    }

    @Test func `without any picture there is no contact sheet`() async throws {
        let outcome = try await show("missing.png")
        #expect(outcome.status == 1)
        #expect(!sandbox.exists("out/contact-sheet.png"))
    }

    @Test func `secrets of a URL are not shown`() async throws {
        let outcome = try await show("http://somebody:pass-word@127.0.0.1:1/a.png?token=tell-nobody")
        #expect(outcome.status == 1)
        #expect(outcome.errors.count == 1)
        for secret in ["pass-word", "tell-nobody"] {
            #expect((outcome.lines + outcome.errors).allSatisfy { !$0.contains(secret) })
        }
    }

    @Test func `a data URI is shown like a file`() async throws {
        let outcome = try await show("data:image/png;base64,\(try Sandbox.fixture("rgb8").base64EncodedString())")
        #expect(outcome.status == 0)
        #expect(outcome.lines.contains { $0.contains("the same pixels each time") })
        try expectHits(outcome)
    }

    @Test(arguments: [[], ["--nonsense", "a.png"], ["--output"], ["--output", "out"], ["a.png", ""]])
    func `a wrong command line ends with 64 and the usage`(words: [String]) async throws {
        let outcome = try await sandbox.run(words, of: "calotype-demo")
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains { $0.hasPrefix("usage: calotype-demo ") })
        #expect(try sandbox.names().isEmpty)
    }
}
#endif
