#if JPEG
public import Calotype

extension ContextKey where Value == Int {
    /// The most scans of a JPEG.
    public static let jpegMaxScans = ContextKey(
        "jpegMaxScans", default: 100, in: 1...Int.max, affects: [.transfer, .stored],
        summary: "Refuse a JPEG of more scans than this: each can take as long as a whole picture.")
    /// The most blocks in all scans of a JPEG of many scans.
    public static let jpegMaxScanBlocks = ContextKey(
        "jpegMaxScanBlocks", default: 64 << 20, in: 1...Int.max, affects: [.transfer, .stored],
        summary: "Refuse a JPEG of many scans with more blocks of 8x8 samples than this in all of them together.")
    /// The most memory for the coefficients of a JPEG of many scans.
    public static let jpegMaxCoefficientBytes = ContextKey(
        "jpegMaxCoefficientBytes", default: 512 << 20, in: 1...Int.max, affects: [.transfer, .stored],
        summary: "Refuse a JPEG of many scans whose coefficients need more memory than this, in bytes.")
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
    /// How much colour a JPEG keeps.
    public static let jpegSubsampling = ContextKey(
        "jpegSubsampling", default: .quarter,
        summary: "How many pixels share a sample of colour in a JPEG that is written.")
}

extension ContextSetting {
    /// Refuse a JPEG of more scans than this. Default: 100, where files that are meant to be seen have about ten. They
    /// are counted before any is decoded, where all bytes are there. How large they may be is for
    /// ``jpegMaxScanBlocks(_:)`` to say.
    public static func jpegMaxScans(_ count: Int) -> ContextSetting { .set(.jpegMaxScans, to: max(count, 1)) }
    /// Refuse a JPEG of many scans with more blocks of 8x8 samples than this in all of them together: a block counts in
    /// each scan that it is in, whatever the scan brings of it, since each goes through all of its blocks. Default:
    /// 67,108,864, about a second and a half of work. They are counted as the scans are, before any is decoded.
    ///
    /// A picture has a block for each 64 pixels and channel, half as many more than luma alone in 4:2:0, and the ten
    /// scans of most encoders go through each five or six times: the limit is far above what pictures need. It stops
    /// files of a few bytes to each scan that claim to be large.
    public static func jpegMaxScanBlocks(_ count: Int) -> ContextSetting {
        .set(.jpegMaxScanBlocks, to: max(count, 1))
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
    /// How many pixels share a sample of colour in a JPEG that is written. Default: `quarter`, 4:2:0.
    public static func jpegSubsampling(_ subsampling: JPEGSubsampling) -> ContextSetting {
        .set(.jpegSubsampling, to: subsampling)
    }
}
#endif
