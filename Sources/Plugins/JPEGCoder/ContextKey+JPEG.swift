#if JPEG
public import Calotype

extension ContextKey where Value == Int {
    /// The most scans of a JPEG.
    public static let jpegMaxScans = ContextKey(
        "jpegMaxScans", default: 100, in: 1...Int.max, affects: [.transfer, .stored],
        summary: "Refuse a JPEG of more scans than this: each can take as long as a whole picture.")
}

extension ContextKey where Value == Bool {
    /// Whether a JPEG is written in scans.
    public static let jpegProgressive = ContextKey(
        "jpegProgressive",
        summary: "Write a JPEG in scans, each of which makes the picture finer: smaller, and slower to read and write.")
}

extension ContextKey where Value == JPEGSubsampling {
    /// How much colour a JPEG keeps.
    public static let jpegSubsampling = ContextKey(
        "jpegSubsampling", default: .quarter,
        summary: "How many pixels share a sample of colour in a JPEG that is written.")
}

extension ContextSetting {
    /// Refuse a JPEG of more scans than this. Default: 100, where files that are meant to be seen have about ten.
    public static func jpegMaxScans(_ count: Int) -> ContextSetting { .set(.jpegMaxScans, to: max(count, 1)) }
    /// Write a JPEG in scans, each of which makes the picture finer: smaller, and slower to read and write.
    public static var jpegProgressive: ContextSetting { .on(.jpegProgressive) }
    /// How many pixels share a sample of colour in a JPEG that is written. Default: `quarter`, 4:2:0.
    public static func jpegSubsampling(_ subsampling: JPEGSubsampling) -> ContextSetting {
        .set(.jpegSubsampling, to: subsampling)
    }
}
#endif
