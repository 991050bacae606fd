#if PNG
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct InfoTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    @Test func `the object has exactly the documented fields`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        let outcome = try await sandbox.run("info", "--json", "a.png")
        let object = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
        #expect(
            object.keys.sorted() == [
                "bitDepth", "byteCount", "colorModel", "colorSpace", "durations", "format", "frameCount", "hasAlpha",
                "hasHighDynamicRange", "hasICCProfile", "height", "loopCount", "mimeType", "orientation", "pixelHeight",
                "pixelWidth",
                "source", "width",
            ])
    }

    @Test func `the output equals the facts of the file`() async throws {
        try sandbox.add("rgba16", as: "a.png")
        let info = try #require(try await sandbox.info("a.png"))
        #expect(info.source == "a.png")
        #expect(info.format == "png")
        #expect(info.mimeType == "image/png")
        #expect([info.width, info.height, info.pixelWidth, info.pixelHeight] as [Int] == [19, 17, 19, 17] as [Int])
        #expect(info.orientation == 1)
        #expect(info.hasAlpha)
        #expect(info.bitDepth == 16)
        #expect(info.colorModel == "rgb")
        #expect(!info.hasICCProfile)
        #expect(info.frameCount == 1)
        #expect(info.loopCount == 1)
        #expect(info.durations.isEmpty)
        let byteCount = try Sandbox.fixture("rgba16").count
        #expect(info.byteCount == byteCount)
    }

    @Test func `sizes are as displayed and as stored`() async throws {
        try sandbox.add("orientation-5", as: "a.png")
        let info = try #require(try await sandbox.info("a.png"))
        #expect([info.width, info.height] as [Int] == [24, 16] as [Int])
        #expect([info.pixelWidth, info.pixelHeight] as [Int] == [16, 24] as [Int])
        #expect(info.orientation == 5)
    }

    @Test func `gray, palettes, transparency and profiles are shown`() async throws {
        for name in ["gray1", "palette4", "rgb8-trns", "icc"] { try sandbox.add(name, as: "\(name).png") }
        let outcome = try await sandbox.run("info", "--json", "gray1.png", "palette4.png", "rgb8-trns.png", "icc.png")
        let records: [InfoRecord] = try outcome.objects()
        #expect(records.map(\.colorModel) == ["gray", "palette", "rgb", "rgb"])
        #expect(records.map(\.bitDepth) == [1, 4, 8, 8])
        #expect(records.map(\.hasAlpha) == [false, false, true, false])
        #expect(records.map(\.hasICCProfile) == [false, false, false, true])
    }

    @Test func `an embedded profile is distinguished from the color space`() async throws {
        let names = ["rgb8", "icc", "color-chrm-p3", "color-cicp-12-13", "color-cicp-srgb-gama-chrm"]
        for name in names { try sandbox.add(name, as: "\(name).png") }
        let outcome = try await sandbox.run(["info", "--json"] + names.map { "\($0).png" })
        let records: [InfoRecord] = try outcome.objects()
        #expect(records.map(\.hasICCProfile) == [false, true, false, false, false])
        let spaces = ["sRGB", "Calotype wide gamut test", "PNG gAMA/cHRM", "PNG cICP 12/13", "PNG cICP 12/13"]
        #expect(records.map(\.colorSpace) == spaces)
        let lines = try await sandbox.run(["info"] + names.map { "\($0).png" }).lines
        #expect(lines.map { $0.contains("ICC profile") } == [false, true, false, false, false])
        #expect(zip(lines, spaces).map { $0.contains($1) } == [false, true, true, true, true])
    }

    @Test func `the text output has a line for each source`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        try sandbox.add("rgba8", as: "longer name.png")
        let outcome = try await sandbox.run("info", "a.png", "longer name.png")
        #expect(outcome.lines.count == 2)
        #expect(outcome.lines.first?.contains("33x17") == true)
        #expect(outcome.lines.last?.contains("alpha") == true)
    }

    @Test func `info reads standard input`() async throws {
        let outcome = try await sandbox.run("info", "--json", "-", input: Sandbox.fixture("rgb8"))
        let records: [InfoRecord] = try outcome.objects()
        #expect(records.map(\.source) == ["-"])
        #expect(records.map(\.width) == [33])
    }

    @Test func `pixels are not decoded`() async throws {
        try sandbox.add("bad-truncated-idat", as: "torn.png")
        let outcome = try await sandbox.run("info", "torn.png")
        #expect(outcome.status == 0)
    }

    @Test func `failures are reported as by load, and the other sources continue`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        try sandbox.write(Data(), as: "empty.png")
        let names = ["missing.png", ".", "empty.png", "gopher://example.org/a.png"]
        let info = try await sandbox.run(["info"] + names + ["a.png"])
        let load = try await sandbox.run(["load"] + names + ["a.png"])
        #expect(info.status == 1)
        #expect(info.lines.count == 1)
        #expect(info.errors.count == names.count)
        #expect(info.errors.prefix(3) == load.errors.prefix(3))
        #expect(info.errors.last?.contains("no loader supports the scheme 'gopher'") == true)
        #expect(load.errors.last?.contains("no loader supports the scheme 'gopher'") == true)
    }

    @Test func `a scheme that is not allowed is refused as load refuses it`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        let setting = ["--set", "allowedSchemes=https"]
        let info = try await sandbox.run(["info", "a.png"] + setting)
        let load = try await sandbox.run(["load", "a.png"] + setting)
        #expect(info.status == 1)
        #expect(info.lines.isEmpty)
        for outcome in [info, load] {
            #expect(outcome.errors.first?.contains("the scheme 'file' is not allowed") == true)
        }
    }
}
#endif
