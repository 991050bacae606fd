#if PNG
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ExplainTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    @Test func `each value is shown with its layer, and nothing is loaded`() async throws {
        let outcome = try await sandbox.run(
            "explain", "a.png", "--thumbnail", "16x16", "--transform", "resize(8x8)", "--set", "maxPixels=1000")
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        func line(_ key: String) -> String { outcome.lines.first { $0.hasPrefix("\(key) ") } ?? "" }
        #expect(line("thumbnailPixelSize").contains("16x16"))
        #expect(line("thumbnailPixelSize").contains("request"))
        #expect(line("waitStoreCache").contains("manager"))
        #expect(line("maxPixels").contains("1000"))
        #expect(line("loader").contains("FileImageLoader"))
        #expect(line("coders").contains("PNGCoder"))
        #expect(line("transformers").contains("resize(8x8"))
    }

    @Test func `programs get an object`() async throws {
        let outcome = try await sandbox.run("explain", "--json", "a.png", "--thumbnail", "16x16")
        let object = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
        let values = try #require(object["values"] as? [[String: Any]])
        let thumbnail = try #require(values.first { $0["key"] as? String == "thumbnailPixelSize" })
        #expect(outcome.lines.count == 1)
        #expect(thumbnail["value"] as? String == "16x16")
        #expect(thumbnail["layer"] as? String == "request")
        #expect(object["loader"] as? String == "FileImageLoader")
        #expect((object["variantKey"] as? String)?.contains("thumbnailPixelSize=16x16") == true)
        #expect(object["cachedIn"] as? String == "none")
    }

    @Test func `what the cache has is told`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        _ = try await sandbox.run("load", "a.png")
        let outcome = try await sandbox.run("explain", "a.png")
        #expect(outcome.lines.contains { $0.hasPrefix("cached in ") && $0.hasSuffix("disk") })
    }

    @Test func `a load command is explained by changing one word`() async throws {
        let outcome = try await sandbox.run(
            "explain", "a.png", "-o", "b.png", "--format", "png", "--quality", "80", "--concurrency", "2", "--cache",
            "c")
        #expect(outcome.status == 0)
        #expect(try sandbox.names().isEmpty)
    }
}
#endif
