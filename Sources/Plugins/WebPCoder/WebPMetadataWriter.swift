#if WEBP
import CWebP
import Calotype

/// A namespace for adding a color profile, EXIF and XMP to a WebP file that has none of them.
enum WebPMetadataWriter {
    /// Returns a copy of a WebP file with the profile and the metadata added. Ignores the profile if it is not an ICC
    /// profile. Throws `encodeFailed` and `outOfMemory`.
    static func file(
        _ file: Data, profile: ColorProfile, metadata: ImageMetadata
    ) throws(ImageError) -> Data {
        var chunks: [(name: String, body: Data)] = []
        if case .icc(let body) = profile, !body.isEmpty { chunks.append(("ICCP", body)) }
        if let body = metadata.exif, !body.isEmpty { chunks.append(("EXIF", body)) }
        if let body = metadata.xmp, !body.isEmpty { chunks.append(("XMP ", body)) }
        guard !chunks.isEmpty else { return file }
        guard let mux = withData(file, { WebPMuxCreate(&$0, 1) }) else { throw .noMemoryForWebP(.encode) }
        defer { WebPMuxDelete(mux) }
        for chunk in chunks {
            try check(withData(chunk.body) { WebPMuxSetChunk(mux, chunk.name, &$0, 1) })
        }
        var made = WebPData()
        WebPDataInit(&made)
        defer { WebPDataClear(&made) }
        try check(WebPMuxAssemble(mux, &made))
        return Data(bytes: made.bytes, count: made.size)
    }

    private static func withData<Result>(_ bytes: Data, _ body: (inout WebPData) -> Result) -> Result {
        bytes.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Result in
            var data = WebPData(bytes: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), size: bytes.count)
            return body(&data)
        }
    }

    private static func check(_ status: WebPMuxError) throws(ImageError) {
        guard status != WEBP_MUX_MEMORY_ERROR else { throw .noMemoryForWebP(.encode) }
        guard status == WEBP_MUX_OK else {
            throw .unwritableWebP(
                "libwebpmux cannot add the profile or the metadata (error \(status.rawValue))",
                advice: "write the image without them (`metadataPolicy`)")
        }
    }
}
#endif
