#if PNG
import Calotype

/// The properties of all pixels of a picture, or of all frames of an animation, that let PNG hold them in fewer bytes.
///
/// Layouts are believed where they tell it. Else pixels are looked at, for each question up to the row that denies it:
/// in a photograph the first.
struct PNGSurvey {
    private(set) var isOpaque = true
    private(set) var isGray: Bool
    /// All colours; nil when they are too many for a palette, or nobody looked.
    private(set) var colors: PNGColorList?
    private let looksAtPixels: Bool

    /// The most grays that are written in less than 8 bits.
    private static let fewGrays = 16

    /// Creates the survey of no pixels.
    /// - Parameters:
    ///   - format: The format of all pixels.
    ///   - permitsGray: Whether it may be gray.
    ///   - looksAtPixels: Whether more is to be found than layouts tell.
    init(of format: PixelFormat, permitsGray: Bool, looksAtPixels: Bool) throws(ImageError) {
        isGray = permitsGray
        colors = try looksAtPixels && format == .rgba8 ? PNGColorList() : nil
        self.looksAtPixels = looksAtPixels
    }

    /// Whether more pixels would change nothing.
    var isSettled: Bool { !isOpaque && !isGray && colors == nil }

    /// Takes the pixels in; all of them when `isAlone`.
    mutating func add(_ pixels: PixelBuffer, isAlone: Bool, job: Job) throws(ImageError) {
        if isOpaque, !pixels.isOpaque { isOpaque = try holds(of: pixels, job: job) { y in pixels.isRowOpaque(y) } }
        if isGray, !pixels.isGray { isGray = try holds(of: pixels, job: job) { y in pixels.isRowGray(y) } }
        guard let colors else { return }
        // Grays are a byte each as they are, so that a gray photograph need not be counted through.
        let limit = isAlone && isOpaque && isGray ? Self.fewGrays : PNGColorList.maxCount
        let areFew = try holds(of: pixels, job: job) { y in
            pixels.withRow(y) { (row: RawSpan) -> Bool in
                row.withUnsafeBytes { (row: UnsafeRawBufferPointer) -> Bool in colors.add(row, limit: limit) }
            }
        }
        if !areFew { self.colors = nil }
    }

    /// Returns whether a test holds of each row, by its number; false where pixels are not looked at.
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
