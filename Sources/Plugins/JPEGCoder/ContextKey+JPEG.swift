#if JPEG
public import Calotype

extension ContextKey where Value == Int {
    /// The maximum number of scans of a JPEG.
    public static let jpegMaxScans = ContextKey(
        "jpegMaxScans", default: 100, in: 1...Int.max, affects: [.transfer, .stored],
        summary: "The maximum number of scans of a JPEG: each can take as long as a whole picture.")
    /// The maximum number of coefficients in all scans of a JPEG with several scans.
    public static let jpegMaxScanCoefficients = ContextKey(
        "jpegMaxScanCoefficients", default: 1 << 30, in: 1...Int.max, affects: [.transfer, .stored],
        summary: "The maximum number of coefficients in all scans of a progressive JPEG.")
    /// The maximum memory for the coefficients of a JPEG with several scans.
    public static let jpegMaxCoefficientBytes = ContextKey(
        "jpegMaxCoefficientBytes", default: 512 << 20, in: 1...Int.max, affects: [.transfer, .stored],
        summary: "The maximum memory of the coefficients of a progressive JPEG, in bytes.")
}

extension ContextKey where Value == Bool {
    /// Whether JPEGs are written with several scans.
    public static let jpegProgressive = ContextKey(
        "jpegProgressive",
        summary: "Write a JPEG in scans, each of which makes the picture finer: smaller, and slower to read and write.")
    /// Whether JPEGs are written with their own Huffman codes.
    public static let jpegOptimizedTables = ContextKey(
        "jpegOptimizedTables",
        summary: "Write a JPEG with codes made for it: a few percent smaller, and slower to write; scans always have.")
}

extension ContextKey where Value == JPEGSubsampling {
    /// The chroma resolution of written JPEGs.
    public static let jpegSubsampling = ContextKey(
        "jpegSubsampling", default: .quarter,
        summary: "The chroma subsampling of written JPEGs.")
}

extension ContextSetting {
    /// Refuses a JPEG with more scans than this. Default: 100; normal files have about ten.
    ///
    /// If all bytes are present, the scans are counted before any is decoded. Their total size is limited by
    /// ``jpegMaxScanCoefficients(_:)``.
    public static func jpegMaxScans(_ count: Int) -> ContextSetting { .set(.jpegMaxScans, to: max(count, 1)) }
    /// Refuses a JPEG of several scans with more coefficients than this in all of them. Default: 1,073,741,824, at most
    /// about three seconds of work. Like scans, they are counted before any is decoded.
    ///
    /// Each scan counts its coefficients for each block of 8x8 samples, whether there are data for them or not. It
    /// counts at least eight for a block, because it visits all blocks. Arithmetic coding takes twice as long, so its
    /// coefficients count twice.
    ///
    /// The ten scans of most encoders contain each coefficient two to three times. The default suffices for 240 million
    /// pixels of such a picture in 4:2:0. It stops files that claim to be large with a few bytes in each scan.
    public static func jpegMaxScanCoefficients(_ count: Int) -> ContextSetting {
        .set(.jpegMaxScanCoefficients, to: max(count, 1))
    }
    /// Refuses a JPEG of several scans whose coefficients need more memory than this, in bytes. Default: 512 MiB, which
    /// suffices for 89 million pixels, or 178 million in 4:2:0.
    ///
    /// All coefficients are kept until the last scan has arrived. The memory is allocated before the first pixel,
    /// whatever size is requested. Use a lower limit for untrusted files: 64 MiB suffices for 22 million pixels in
    /// 4:2:0.
    public static func jpegMaxCoefficientBytes(_ count: Int) -> ContextSetting {
        .set(.jpegMaxCoefficientBytes, to: max(count, 1))
    }
    /// Writes JPEGs with several scans, each of which refines the picture. Such files are smaller but slower to read
    /// and write.
    public static var jpegProgressive: ContextSetting { .on(.jpegProgressive) }
    /// Writes JPEGs with optimized Huffman codes instead of the standard's example codes. Default: off.
    ///
    /// Such files are a few percent smaller, with the same pixels. Writing takes longer and needs memory for all
    /// coefficients. A JPEG with several scans always has optimized codes.
    public static var jpegOptimizedTables: ContextSetting { .on(.jpegOptimizedTables) }
    /// Sets the number of pixels that share a chroma sample in written JPEGs. Default: `quarter`, 4:2:0.
    public static func jpegSubsampling(_ subsampling: JPEGSubsampling) -> ContextSetting {
        .set(.jpegSubsampling, to: subsampling)
    }
}
#endif
