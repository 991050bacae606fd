#if JPEG
import CalotypeStandard

/// JPEG coding compared with libjpeg-turbo called from C. Opaque pictures of 12 megapixels, 4:2:0, quality 90.
enum JPEGCoding {
    private static let size = PixelSize(4000, 3000)
    private static let quality = 90

    static var benchmarks: [Benchmark] {
        let whole = coding("12mp-420")
        let inScans = coding("progressive", [.jpegProgressive])
        return [
            whole.decoding(.jpeg(size)), inScans.decoding(.jpeg(size)),
            whole.encoding("libjpeg-turbo") { try BareJPEG.encode($0, quality: quality) },
        ]
    }

    private static func coding(_ kind: String, _ context: ImageContext = []) -> FormatCoding {
        FormatCoding(
            name: "jpeg", kind: kind, format: .jpeg, size: size, isOpaque: true,
            context: context.merging([.compressionQuality(Double(quality) / 100)]))
    }
}
#endif
