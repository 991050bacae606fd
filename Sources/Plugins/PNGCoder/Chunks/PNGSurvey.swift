#if PNG
import Calotype

/// The properties that all pixels of a picture or an animation share, such as being opaque. Such properties permit
/// writing fewer bits.
///
/// A property that the layout states is trusted. For other properties, rows are examined until one lacks the property.
struct PNGSurvey {
    private(set) var isOpaque = true
    private(set) var isGray: Bool
    /// The colors of all pixels so far; nil if colors are not collected, or if there are too many to save bits.
    private(set) var colors: PNGColorList?
    private let looksAtPixels: Bool

    /// The maximum number of gray levels that fewer than 8 bits per pixel can represent: 16.
    private static let fewGrays = 16

    /// Creates a survey. `looksAtPixels` permits examining pixels for properties that the layouts do not state.
    init(of format: PixelFormat, permitsGray: Bool, looksAtPixels: Bool) throws(ImageError) {
        isGray = permitsGray
        colors = try looksAtPixels && format == .rgba8 ? PNGColorList() : nil
        self.looksAtPixels = looksAtPixels
    }

    /// Whether the survey is final. Examining more pixels cannot change a final survey.
    var isSettled: Bool { !isOpaque && !isGray && colors == nil }

    /// Examines the pixels of a picture or a frame. `isAlone` means that the file contains no other frames.
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

    /// Returns whether all rows pass a test. Returns false if the survey does not examine pixels.
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
