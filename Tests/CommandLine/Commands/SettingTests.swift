#if PNG
import CalotypeStandard
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SettingTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// A non-default value of a key, as written and as shown.
    private struct Example: Sendable {
        let text: String
        let shown: String

        init(_ text: String, shown: String? = nil) {
            self.text = text
            self.shown = shown ?? text
        }
    }

    /// The examples for each key that takes a value other than `off`.
    private static var examples: [String: Example] {
        var examples: [String: Example] = [
            "acceptableContentTypes": Example("image/*,text/plain"), "acceptableStatusCodes": Example("200-299,410"),
            "allowedDirectories": Example("/tmp:/var"),
            "allowedSchemes": Example("https,FILE", shown: "file,https"), "compressionQuality": Example("0.5"),
            "allowLargerCached": Example("true"), "allowPartial": Example("true"),
            "cacheTags": Example("b,album%207,a", shown: "a,album%207,b"), "decodeTimeout": Example("2s"),
            "embedThumbnail": Example("true"), "highDynamicRange": Example("true"),
            "formatQualities": Example("webp=0.75,avif=0.5", shown: "avif=0.5,webp=0.75"),
            "encodeBackground": Example("#ff000080"), "encodeFirstFrameOnly": Example("true"),
            "encodeMaxFileBytes": Example("1000"), "encodeMaxPixelSize": Example("16x16"),
            "keepsMetadata": Example("true"), "maxFrames": Example("10"), "maxMetadataBytes": Example("1000"),
            "maxTotalPixels": Example("1000"), "metadataPolicy": Example("all"), "preloadsFrames": Example("true"),
            "previewGrowth": Example("2"), "scaleDownLimitBytes": Example("1000"),
            "connectTimeout": Example("5s"), "frame": Example("1"), "frameCount": Example("5"),
            "frameRate": Example("12.5"), "fromCacheOnly": Example("yes", shown: "true"),
            "fromLoaderOnly": Example("on", shown: "true"),
            "httpHeaders": Example(
                "Accept-Language: pt\nAccept: image/png", shown: "accept: image/png | accept-language: pt"),
            "imageCoder": Example("PNGCoder"), "imageLoader": Example("FileImageLoader"),
            "keepsOrientation": Example("true"), "keepsProfile": Example("true"), "lowSpeedLimit": Example("10"),
            "lowSpeedTime": Example("20s"), "mapsFiles": Example("true"), "maxInputBytes": Example("1000"),
            "maxPixels": Example("1000"), "maxProfileBytes": Example("1000"), "maxRedirects": Example("2"),
            "maxSidePixels": Example("1000"), "nativeDepth": Example("true"),
            "originalQueryCacheType": Example("none"), "originalStoreCacheType": Example("all"),
            "pngCompressionLevel": Example("9"), "pngReducesColors": Example("no", shown: "false"),
            "preservesAspectRatio": Example("no", shown: "false"), "transformsAnimations": Example("false"),
            "resamplingFilter": Example("box"), "linearLight": Example("true"), "thumbnailQuality": Example("exact"),
            "previewInterval": Example("0.5", shown: "0.5s"), "priority": Example("high"),
            "progressiveLoad": Example("true"), "queryCacheType": Example("memory"), "scaleFactor": Example("2"),
            "storeCacheType": Example("disk"), "storesDataURIs": Example("true"), "storesFiles": Example("true"),
            "thumbnailPixelSize": Example("16x16"), "timeToLive": Example("60s"), "timeout": Example("2.5s"),
            "transferTimeout": Example("60s"), "transformers": Example("resize(8x8)", shown: "resize(8x8,fit)"),
            "waitStoreCache": Example("off", shown: "false"),
        ]
        for (key, text) in [
            "admittedFormats": "avif,heic", "webpOptions": "lossless,method=6", "gifOptions": "colors=8",
            "heifOptions": "bitDepth=12,speed=9",
            "addressPolicy": "publicOnly", "certificateAuthorities": "/etc/own.pem", "proxyPolicy": "environment",
            "maxProfileTableBytes": "1000", "maxConcurrentTransfers": "100", "maxConcurrentTransfersPerHost": "3",
            "maxArrivingBytes": "1000",
            "alternatives": "https://example.org/b.png", "failedURLTimeToLive": "60s", "httpCaching": "respect",
            "harmlessParameters": "id tile", "queryMemoryData": "true", "refreshCached": "true", "retryFailed": "true",
            "retryPolicy": "0", "jpegMaxCoefficientBytes": "1000", "jpegMaxScanCoefficients": "1000",
            "jpegMaxScans": "10", "jpegOptimizedTables": "true", "jpegProgressive": "true", "jpegSubsampling": "4:4:4",
        ] {
            examples[key] = Example(text)
        }
        return examples
    }

    /// The keys of the tool's plugins.
    private var keys: [ContextDeclaration] {
        ImageManager(plugins: [.standard], context: [.off(ContextKey.imageCache)]).registry.contextKeys
    }

    /// Returns the values that `explain` shows for these settings.
    private func explained(_ texts: [(key: String, text: String)]) async throws -> [String: String] {
        let options = texts.flatMap { ["--set", "\($0.key)=\($0.text)"] }
        let outcome = try await sandbox.run(["explain", "--json", "a.png"] + options)
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        let explanation = try #require(try outcome.objects(ExplainRecord.self).first)
        return Dictionary(explanation.values.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    @Test func `each key accepts off`() async throws {
        let names = keys.map(\.name)
        let values = try await explained(names.map { ($0, "off") })
        #expect(names.count > 30)
        #expect(Set(values.keys).isSuperset(of: names))
        // `off` is a valid tag and a valid name of a parameter, too.
        #expect(values["cacheTags"] == ContextSetting.off(.cacheTags).text)
        #expect(values["harmlessParameters"] == ContextSetting.off(.harmlessParameters).text)
    }

    @Test func `each key with a text form accepts it`() async throws {
        let byRegistry: Set = ["imageCoder", "imageLoader", "transformers"]
        let names = keys.filter { $0.syntax != nil || byRegistry.contains($0.name) }.map(\.name)
        let missing = names.filter { Self.examples[$0] == nil }
        #expect(missing.isEmpty, "add an example for each of: \(missing)")
        let given = names.compactMap { name in Self.examples[name].map { (key: name, example: $0) } }
        let values = try await explained(given.map { ($0.key, $0.example.text) })
        for (key, example) in given { #expect(values[key] == example.shown, "\(key)") }
    }

    @Test func `the error for an invalid value says what to write`() async throws {
        // Any word is a valid parameter name.
        for key in keys where key.syntax != nil && key.name != "harmlessParameters" {
            let outcome = try await sandbox.run("explain", "a.png", "--set", "\(key.name)=%zz")
            #expect(outcome.status == 64)
            #expect(outcome.errors.first?.contains("--set: \(key.name): ") == true, "\(key.name)")
            #expect(outcome.errors.first?.contains("; write ") == true, "\(key.name)")
        }
    }

    @Test func `a named loader is used`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        for command in ["load", "info"] {
            let wrong = try await sandbox.run(command, "a.png", "--set", "imageLoader=DataURIImageLoader")
            let right = try await sandbox.run(command, "a.png", "--set", "imageLoader=FileImageLoader")
            #expect(wrong.status == 1)
            #expect(right.status == 0)
        }
    }

    @Test func `previews without a listener are harmless`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        let outcome = try await sandbox.run(
            "load", "--json", "--set", "progressiveLoad=on", "--set", "previewInterval=0", "a.png")
        #expect(outcome.errors.isEmpty)
        #expect(try outcome.objects(LoadRecord.self).map(\.width) == [33])
    }
}
#endif
