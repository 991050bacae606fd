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
        // A long value continues in the following lines.
        func line(_ key: String) -> String {
            let lines = outcome.lines.drop { !$0.hasPrefix("\(key) ") }
            return (lines.prefix(1) + lines.dropFirst().prefix { $0.hasPrefix(" ") }).joined(separator: " ")
        }
        #expect(line("thumbnailPixelSize").contains("16x16"))
        #expect(line("thumbnailPixelSize").contains("request"))
        #expect(line("waitStoreCache").contains("manager"))
        #expect(line("maxPixels").contains("1000"))
        #expect(line("loader").contains("FileImageLoader"))
        #expect(line("coders").contains("PNGCoder"))
        #expect(line("transformers").contains("resize(8x8"))
    }

    @Test func `with --json the output is an object`() async throws {
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

    @Test func `the cached image and original are described`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        _ = try await sandbox.run("load", "--set", "storesFiles=on", "a.png")
        let outcome = try await sandbox.run("explain", "a.png", "--thumbnail", "16x16")
        func line(_ name: String) -> String? { outcome.lines.first { $0.hasPrefix("\(name)  ") } }
        #expect(line("image on disk")?.hasSuffix("  no (TieredCache)") == true)
        #expect(line("original on disk")?.contains(" bytes, ") == true)
        #expect(line("original on disk")?.hasSuffix(" old, 6 d left (TieredCache)") == true)
        #expect(line("original in memory")?.hasSuffix("  no (TieredCache)") == true)

        let json = try await sandbox.run("explain", "--json", "a.png", "--thumbnail", "16x16")
        let record = try #require(try json.objects(ExplainRecord.self).first)
        #expect(record.cachedIn == "none")
        #expect(record.image?.isOnDisk == false)
        #expect(record.original?.isOnDisk == true)
        #expect(record.original?.byteCount.map { $0 >= (sandbox.data("a.png")?.count ?? 0) } == true)
        #expect(record.original?.age.map { $0 < 3600 } == true)
        #expect(record.original?.secondsLeft.map { $0 > 6 * 86_400 } == true)
        let whole = try await sandbox.run("explain", "--json", "a.png")
        let original = try #require(try whole.objects(ExplainRecord.self).first)
        #expect(original.cachedIn == "disk")
        #expect(original.original == nil)
        #expect(original.image?.isOnDisk == true)
    }

    @Test func `explaining does not count as a use of an entry`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        _ = try await sandbox.run("load", "--cache", "mine", "--set", "storesFiles=on", "a.png")
        let before = try await sandbox.run("cache", "info", "--json", "--cache", "mine")
        _ = try await sandbox.run("explain", "--cache", "mine", "a.png")
        let after = try await sandbox.run("cache", "info", "--json", "--cache", "mine")
        let counts = try (before.objects(CacheInfoRecord.self) + after.objects(CacheInfoRecord.self)).map {
            [$0.hits, $0.misses]
        }
        #expect(counts.count == 2)
        #expect(counts.first == counts.last)
    }

    @Test func `the output says if there is no cache`() async throws {
        let outcome = try await sandbox.run("explain", "a.png", "--cache", "none")
        #expect(outcome.lines.contains { $0.hasPrefix("image cached  ") && $0.contains("no: ") })
    }

    @Test func `retries, alternatives and loaders that declined are listed`() async throws {
        let outcome = try await sandbox.run(
            "explain", "--json", "a.png", "--set", "retryPolicy=3", "--set",
            "alternatives=https://user:word@host/b.png")
        let record = try #require(try outcome.objects(ExplainRecord.self).first)
        #expect(record.retries.hasPrefix("3"))
        #expect(record.alternatives == ["https://host/b.png"])
        #expect(!outcome.text.contains("word"))
        #expect(record.loader == "FileImageLoader")
        #expect(!record.passedLoaders.contains("FileImageLoader"))
        #expect(record.failure == nil)
    }

    @Test func `lines are wrapped to fit a terminal`() async throws {
        let outcome = try await sandbox.run(
            "explain", "a.png", "--thumbnail", "16x16", "--set", "retryPolicy=3", "--transform", "resize(8x8)")
        #expect(outcome.status == 0)
        for line in outcome.lines where line.count > 100 {
            // A single word that is longer than the line.
            #expect(line.split(separator: " ").last.map { $0.count > 40 } == true, "\(line)")
        }
    }

    @Test func `explain accepts the arguments of load`() async throws {
        let outcome = try await sandbox.run(
            "explain", "a.png", "-o", "b.png", "--format", "png", "--quality", "80", "--concurrency", "2", "--cache",
            "c")
        #expect(outcome.status == 0)
        #expect(try sandbox.names().isEmpty)
    }
}
#endif
