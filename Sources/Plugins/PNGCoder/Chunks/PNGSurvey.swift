#if PNG
import Calotype

/// The common properties of all pixels of a picture, or of all frames, that permit fewer bits.
///
/// Properties from layouts are trusted. Otherwise pixels are examined, for each property up to the first row without
/// it: in a photograph usually the first row.
struct PNGSurvey {
    private(set) var isOpaque = true
    private(set) var isGray: Bool
    /// All colors; nil if they are too many for a palette or were not examined.
    private(set) var colors: PNGColorList?
    private let looksAtPixels: Bool

    /// The maximum number of grays that are written with fewer than 8 bits.
    private static let fewGrays = 16

    /// Creates a survey without pixels.
    /// - Parameters:
    ///   - format: The format of all pixels.
    ///   - permitsGray: Whether the result may be gray.
    ///   - looksAtPixels: Whether pixels are examined if the layouts do not tell.
    init(of format: PixelFormat, permitsGray: Bool, looksAtPixels: Bool) throws(ImageError) {
        isGray = permitsGray
        colors = try looksAtPixels && format == .rgba8 ? PNGColorList() : nil
        self.looksAtPixels = looksAtPixels
    }

    /// Whether further pixels cannot change the result.
    var isSettled: Bool { !isOpaque && !isGray && colors == nil }

    /// Examines pixels. `isAlone` means that there are no others.
    mutating func add(_ pixels: PixelBuffer, isAlone: Bool, job: Job) throws(ImageError) {
        if isOpaque, !pixels.isOpaque { isOpaque = try holds(of: pixels, job: job) { y in pixels.isRowOpaque(y) } }
        if isGray, !pixels.isGray { isGray = try holds(of: pixels, job: job) { y in pixels.isRowGray(y) } }
        guard let colors else { return }
        // Gray photographs have one byte per pixel anyway, so counting their grays stops early.
        let limit = isAlone && isOpaque && isGray ? Self.fewGrays : PNGColorList.maxCount
        let areFew = try holds(of: pixels, job: job) { y in
            pixels.withRow(y) { (row: RawSpan) -> Bool in
                row.withUnsafeBytes { (row: UnsafeRawBufferPointer) -> Bool in colors.add(row, limit: limit) }
            }
        }
        if !areFew { self.colors = nil }
    }

    /// Returns whether a test holds for each row; false if pixels are not examined.
    private func holds(of pixels: PixelBuffer, job: Job, _ test: (Int) -> Bool) throws(ImageError) -> Bool {
        guard looksAtPixels else { return false }
        for y in 0..<pixels.height {
            try job.check()
            guard test(y) else { return false }
        }
        return true
    }
}
#endif
