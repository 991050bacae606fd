#if PNG
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PluginsTests {
    @Test func `all installed plugins are listed`() async throws {
        let sandbox = try Sandbox()
        let outcome = try await sandbox.run("plugins")
        let rows = outcome.lines.map { line in
            line.split(separator: " ").map { String($0) }
        }
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        #expect(rows.contains(["FileImageLoader"]))
        #expect(rows.contains(["DataURIImageLoader"]))
        #expect(rows.contains(["PNGCoder", "png", "decodes,", "encodes"]))
        #expect(rows.contains { $0.count == 2 && $0.first == "libpng" && $0.last?.contains(".") == true })
        #expect(outcome.lines.contains { $0.contains("resize(size[,mode][,enlarging=...]") })
        #expect(outcome.lines.contains { $0.contains("maxPixels: a whole number, at least 1; default: 268000000") })
        #expect(outcome.lines.contains { $0.contains("pngCompressionLevel") })
        #expect(outcome.lines.contains { $0.contains("transformers: a recipe, as for --transform; default: none") })
        #expect(outcome.lines.contains { $0.contains("imageLoader: the name of a loader; default: none") })
        #if HTTP
        #expect(rows.contains(["CurlImageLoader"]))
        #expect(outcome.lines.contains { $0.contains("maxRedirects: a whole number, 0 to 50; default: 5") })
        #endif
        #if HEIF
        #expect(outcome.lines.contains("  HEIF: image sequences are not read."))
        // AVIF is written only if libheif has an encoder for it. Otherwise the output says so.
        let writesAVIF = rows.contains(["HEIFCoder", "avif", "decodes,", "encodes"])
        #expect(writesAVIF != outcome.lines.contains { $0.contains("AVIF is not written") })
        #endif
        #if JPEG
        #expect(rows.contains(["JPEGCoder", "jpeg", "decodes,", "encodes"]))
        #endif
    }
}
#endif
