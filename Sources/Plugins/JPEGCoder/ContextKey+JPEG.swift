#if JPEG
public import Calotype

extension ContextKey where Value == Int {
    /// The most scans of a JPEG.
    public static let jpegMaxScans = ContextKey(
        "jpegMaxScans", default: 100, in: 1...Int.max, affects: [.transfer, .stored],
        summary: "The maximum number of scans of a JPEG: each can take as long as a whole picture.")
    /// The most coefficients in all scans of a JPEG of many scans.
    public static let jpegMaxScanCoefficients = ContextKey(
        "jpegMaxScanCoefficients", default: 1 << 30, in: 1...Int.max, affects: [.transfer, .stored],
        summary: "The maximum number of coefficients in all scans of a progressive JPEG.")
    /// The most memory for the coefficients of a JPEG of many scans.
    public static let jpegMaxCoefficientBytes = ContextKey(
        "jpegMaxCoefficientBytes", default: 512 << 20, in: 1...Int.max, affects: [.transfer, .stored],
        summary: "The maximum memory of the coefficients of a progressive JPEG, in bytes.")
}

extension ContextKey where Value == Bool {
    /// Whether a JPEG is written in scans.
    public static let jpegProgressive = ContextKey(
        "jpegProgressive",
        summary: "Write a JPEG in scans, each of which makes the picture finer: smaller, and slower to read and write.")
    /// Whether a JPEG is written with codes of its own.
    public static let jpegOptimizedTables = ContextKey(
        "jpegOptimizedTables",
        summary: "Write a JPEG with codes made for it: a few percent smaller, and slower to write; scans always have.")
}

extension ContextKey where Value == JPEGSubsampling {
    /// The resolution at which a JPEG keeps color.
    public static let jpegSubsampling = ContextKey(
        "jpegSubsampling", default: .quarter,
        summary: "The chroma subsampling of written JPEGs.")
}

extension ContextSetting {
    /// Refuse a JPEG of more scans than this. Default: 100, where files that are meant to be seen have about ten. They
    /// are counted before any is decoded, where all bytes are there. How large they may be is for
    /// ``jpegMaxScanCoefficients(_:)`` to say.
    public static func jpegMaxScans(_ count: Int) -> ContextSetting { .set(.jpegMaxScans, to: max(count, 1)) }
    /// Refuse a JPEG of many scans with more coefficients than this in all of them together. Default: 1,073,741,824,
    /// about three seconds of work at most. They are counted as the scans are, before any is decoded.
    ///
    /// Each scan counts the coefficients that it brings of each of its blocks of 8x8 samples, whether there are data
    /// for them or not. It counts eight at least, since it goes through all blocks. Arithmetic coding takes twice as
    /// long, and its coefficients count twice.
    ///
    /// The ten scans of most encoders bring each coefficient two to three times. The default is enough for 240 million
    /// pixels of such a picture in 4:2:0. It stops files of a few bytes to each scan that claim to be large.
    public static func jpegMaxScanCoefficients(_ count: Int) -> ContextSetting {
        .set(.jpegMaxScanCoefficients, to: max(count, 1))
    }
    /// Refuse a JPEG of many scans whose coefficients, all of which are kept until the last scan has come, need more
    /// memory than this, in bytes. Default: 512 MiB, which is enough for 89 million pixels, or 178 million in 4:2:0.
    ///
    /// The memory is taken before there is a pixel, whatever size is wanted of the picture. Lower this for bytes from
    /// strangers: 64 MiB is enough for 22 million pixels in 4:2:0.
    public static func jpegMaxCoefficientBytes(_ count: Int) -> ContextSetting {
        .set(.jpegMaxCoefficientBytes, to: max(count, 1))
    }
    /// Write a JPEG in scans, each of which makes the picture finer: smaller, and slower to read and write.
    public static var jpegProgressive: ContextSetting { .on(.jpegProgressive) }
    /// Write a JPEG with Huffman codes made for it rather than those of the standard's example: a few percent smaller,
    /// with the same pixels. It takes longer to write, and memory for all coefficients. Default: off. A JPEG that is
    /// written in scans always has its own.
    public static var jpegOptimizedTables: ContextSetting { .on(.jpegOptimizedTables) }
    /// Sets the number of pixels that share a sample of color in a JPEG that is written. Default: `quarter`, 4:2:0.
    public static func jpegSubsampling(_ subsampling: JPEGSubsampling) -> ContextSetting {
        .set(.jpegSubsampling, to: subsampling)
    }
}
#endif
