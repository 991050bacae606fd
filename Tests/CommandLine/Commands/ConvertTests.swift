#if PNG
import CalotypeStandard
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ConvertTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// Returns the colors of all pixels in a file, row by row.
    private func colors(_ file: Data?) async throws -> [PixelColor] {
        let data = try #require(file)
        let manager = ImageManager(plugins: [.standard], context: [.off(ContextKey.imageCache)])
        let pixels = try await manager.decode(data, context: [.nativeDepth]).pixels
        return (0..<pixels.height).flatMap { y in
            (0..<pixels.width).map { x in pixels.color(x: x, y: y) }
        }
    }

    @Test(arguments: ["rgb8", "rgba8", "gray8", "palette8-trns", "rgba8-interlaced"])
    func `a picture keeps its pixels on the way through`(fixture: String) async throws {
        try sandbox.add(fixture, as: "a.png")
        let there = try await sandbox.run("convert", "a.png", "b.png")
        let back = try await sandbox.run("convert", "b.png", "c.png")
        #expect(there.status == 0)
        #expect(there.output.isEmpty)
        #expect(there.errors.isEmpty)
        #expect(back.status == 0)
        let original = try await colors(Sandbox.fixture(fixture))
        #expect(try await colors(sandbox.data("b.png")) == original)
        #expect(try await colors(sandbox.data("c.png")) == original)
    }

    #if GIF && WEBP
    @Test func `an animation keeps its frames, or the requested number`() async throws {
        try sandbox.add("animated-opaque", as: "a.png")
        let whole = try #require(try await sandbox.info("a.png"))
        for name in ["b.gif", "b.webp"] {
            let outcome = try await sandbox.run("convert", "a.png", name)
            #expect(outcome.status == 0)
            #expect(outcome.errors.isEmpty)
            let info = try #require(try await sandbox.info(name))
            #expect(info.frameCount == whole.frameCount)
            #expect(info.durations == whole.durations)
            #expect(info.loopCount == whole.loopCount)
            let fewer = try await sandbox.run("convert", name, "c.webp", "--frame-count", "2")
            #expect(fewer.status == 0)
            let two = try #require(try await sandbox.info("c.webp"))
            #expect(two.frameCount == 2)
            #expect(two.loopCount == whole.loopCount)
            let slower = try await sandbox.run("convert", name, "d.png", "--frame-rate", "5")
            #expect(slower.status == 0)
            let slow = try #require(try await sandbox.info("d.png"))
            #expect(slow.frameCount < whole.frameCount)
            #expect(abs(slow.durations.reduce(0, +) - whole.durations.reduce(0, +)) <= 11, "milliseconds")
        }
    }
    #endif

    @Test func `nothing is stored in the cache`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        _ = try await sandbox.run("convert", "a.png", "b.png")
        #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.cacheHome).isEmpty)
    }

    @Test func `standard input becomes standard output`() async throws {
        let fixture = try Sandbox.fixture("rgb8")
        let outcome = try await sandbox.run("convert", "-", "-", input: fixture)
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        let original = try await colors(fixture)
        #expect(try await colors(outcome.output) == original)
    }

    @Test func `a size and a recipe are applied in this order`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        let outcome = try await sandbox.run(
            "convert", "a.png", "b.png", "--thumbnail", "16x16", "--transform", "resize(4x4,fill)")
        let info = try #require(try await sandbox.info("b.png"))
        #expect(outcome.status == 0)
        #expect(info.width == 4)
        #expect(info.height == 4)
    }

    @Test func `more than 8 bits are kept on request`() async throws {
        try sandbox.add("rgb16", as: "a.png")
        _ = try await sandbox.run("convert", "a.png", "eight.png")
        _ = try await sandbox.run("convert", "a.png", "sixteen.png", "--native-depth")
        #expect(try await sandbox.info("eight.png")?.bitDepth == 8)
        #expect(try await sandbox.info("sixteen.png")?.bitDepth == 16)
        let original = try await colors(Sandbox.fixture("rgb16"))
        #expect(try await colors(sandbox.data("sixteen.png")) == original)
    }

    @Test func `a picture is turned upright unless its orientation is kept`() async throws {
        try sandbox.add("orientation-6", as: "a.png")
        _ = try await sandbox.run("convert", "a.png", "upright.png")
        _ = try await sandbox.run("convert", "a.png", "kept.png", "--keep-orientation")
        let upright = try #require(try await sandbox.info("upright.png"))
        let kept = try #require(try await sandbox.info("kept.png"))
        #expect([upright.pixelWidth, upright.pixelHeight, upright.orientation] as [Int] == [24, 16, 1] as [Int])
        #expect([kept.pixelWidth, kept.pixelHeight, kept.orientation] as [Int] == [16, 24, 6] as [Int])
        #expect([kept.width, kept.height] as [Int] == [24, 16] as [Int])
    }

    @Test func `an embedded profile is kept on request`() async throws {
        try sandbox.add("icc", as: "a.png")
        let outcome = try await sandbox.run("convert", "a.png", "b.png", "--keep-profile")
        #expect(outcome.status == 0)
        #expect(try await sandbox.info("b.png")?.hasICCProfile == true)
    }

    @Test func `a missing frame is an error`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        let first = try await sandbox.run("convert", "a.png", "b.png", "--frame", "0")
        let second = try await sandbox.run("convert", "a.png", "c.png", "--frame", "1")
        #expect(first.status == 0)
        #expect(second.status == 1)
        #expect(second.errors.first?.hasPrefix("calotype: a.png: ") == true)
        #expect(!sandbox.exists("c.png"))
    }

    @Test func `the error for an unknown extension lists the writable formats`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        let outcome = try await sandbox.run("convert", "a.png", "b.xyz")
        #expect(outcome.status == 64)
        #expect(outcome.errors.first?.contains("'xyz'") == true)
        #expect(outcome.errors.first?.contains("png") == true)
    }

    @Test func `a failing source leaves the existing file`() async throws {
        try sandbox.add("bad-truncated-idat", as: "torn.png")
        try sandbox.add("rgb8", as: "b.png")
        let outcome = try await sandbox.run("convert", "torn.png", "b.png")
        #expect(outcome.status == 1)
        #expect(outcome.errors.count == 1)
        let before = try Sandbox.fixture("rgb8")
        #expect(sandbox.data("b.png") == before)
        #expect(try sandbox.names() == ["b.png", "torn.png"])
    }
}
#endif
