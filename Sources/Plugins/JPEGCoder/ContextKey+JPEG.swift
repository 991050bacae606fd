#if JPEG
public import Calotype

extension ContextKey where Value == Int {
    /// The maximum number of scans of a JPEG. Default: 100.
    public static let jpegMaxScans = ContextKey(
        "jpegMaxScans", default: 100, in: 1...Int.max, affects: [.transfer, .stored],
        summary: "The maximum number of scans of a JPEG: each can take as long as a whole picture.")
    /// The maximum total number of coefficients in the scans of a JPEG that has several scans. Default: 1,073,741,824.
    public static let jpegMaxScanCoefficients = ContextKey(
        "jpegMaxScanCoefficients", default: 1 << 30, in: 1...Int.max, affects: [.transfer, .stored],
        summary: "The maximum number of coefficients in all scans of a progressive JPEG.")
    /// The maximum memory for the coefficients of a JPEG with several scans, in bytes. Default: 512 MiB.
    public static let jpegMaxCoefficientBytes = ContextKey(
        "jpegMaxCoefficientBytes", default: 512 << 20, in: 1...Int.max, affects: [.transfer, .stored],
        summary: "The maximum memory of the coefficients of a progressive JPEG, in bytes.")
}

extension ContextKey where Value == Bool {
    /// Whether JPEGs are written with several scans. Default: false.
    public static let jpegProgressive = ContextKey(
        "jpegProgressive",
        summary: "Write a JPEG in scans, each of which makes the picture finer: smaller, and slower to read and write.")
    /// Whether JPEGs are written with Huffman codes that are computed for each picture. Default: false.
    public static let jpegOptimizedTables = ContextKey(
        "jpegOptimizedTables",
        summary: "Write a JPEG with codes made for it: a few percent smaller, and slower to write; scans always have.")
}

extension ContextKey where Value == JPEGSubsampling {
    /// The chroma resolution of written JPEGs. Default: `quarter`, 4:2:0.
    public static let jpegSubsampling = ContextKey(
        "jpegSubsampling", default: .quarter,
        summary: "The chroma subsampling of written JPEGs.")
}

extension ContextSetting {
    /// Refuses a JPEG with more scans than `count`. Default: 100. Most files have about ten scans or fewer.
    ///
    /// If all bytes of the file are present, its scans are counted before the first one is decoded. The total size of
    /// the scans is limited by ``jpegMaxScanCoefficients(_:)``.
    public static func jpegMaxScans(_ count: Int) -> ContextSetting { .set(.jpegMaxScans, to: max(count, 1)) }
    /// Refuses a JPEG with several scans if the scans have more than `count` coefficients in total. Default:
    /// 1,073,741,824, which take at most about three seconds to decode.
    ///
    /// If all bytes of the file are present, the coefficients are counted before the first scan is decoded. For each
    /// block of 8x8 samples in a scan, all coefficients that the scan covers are counted, even if the file contains no
    /// data for them. At least eight coefficients are counted for each block, because decoding visits every block. With
    /// arithmetic coding, decoding takes twice as long, so each coefficient counts twice.
    ///
    /// With the ten scans that most encoders write, each coefficient of the picture counts two to three times. The
    /// default then suffices for 240 million pixels in 4:2:0. The limit stops small files that claim a large picture
    /// and have only a few bytes in each scan.
    public static func jpegMaxScanCoefficients(_ count: Int) -> ContextSetting {
        .set(.jpegMaxScanCoefficients, to: max(count, 1))
    }
    /// Refuses a JPEG with several scans if its coefficients need more than `count` bytes of memory. Default: 512 MiB,
    /// which suffices for 89 million pixels in 4:4:4, or 178 million in 4:2:0.
    ///
    /// All coefficients are kept until the last scan has arrived. Their memory is allocated before the first pixel is
    /// decoded, even for a small thumbnail. Use a lower limit for untrusted files: 64 MiB suffices for 22 million
    /// pixels in 4:2:0.
    public static func jpegMaxCoefficientBytes(_ count: Int) -> ContextSetting {
        .set(.jpegMaxCoefficientBytes, to: max(count, 1))
    }
    /// Writes JPEGs with several scans, each of which refines the picture. Default: off. Such files are smaller, but
    /// slower to read and write.
    public static var jpegProgressive: ContextSetting { .on(.jpegProgressive) }
    /// Writes JPEGs with Huffman codes that are computed for each picture, instead of the standard's example codes.
    /// Default: off.
    ///
    /// Such files are a few percent smaller, with the same pixels. Writing takes longer and needs memory for all
    /// coefficients. A JPEG with several scans always has computed codes.
    public static var jpegOptimizedTables: ContextSetting { .on(.jpegOptimizedTables) }
    /// Sets how many pixels share a chroma sample in written JPEGs. Default: `quarter`, 4:2:0.
    public static func jpegSubsampling(_ subsampling: JPEGSubsampling) -> ContextSetting {
        .set(.jpegSubsampling, to: subsampling)
    }
}
#endif
