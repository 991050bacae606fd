#if PNG && DEFLATE
import CDeflate
import CKernels
import CPNGShim
import Calotype

/// All rows of a picture that is not interlaced, inflated at once by libdeflate. Use an instance on one thread at a
/// time.
///
/// This is faster than libpng but takes more memory. Pictures in which libdeflate finds a flaw are left to libpng,
/// which decides what errors they cause. libdeflate accepts some streams that zlib refuses: those with unused codes of
/// RFC 1951, such as a length code of 286, and those with more than 64 KiB of empty blocks after the pixels.
struct PNGInflatedRows {
    /// The maximum number of bytes of a picture's rows, without the filter types: 64 MiB.
    ///
    /// A decode cannot be cancelled during the inflation, which takes about a third of a second for 64 MiB of noise,
    /// and up to five seconds for hostile streams. libpng is as slow for these streams, and cannot be cancelled within
    /// a row either.
    private static let maxByteCount = 64 << 20
    /// The number of bytes by which a compressed stream may be longer than its rows: their length divided by
    /// `fraction`, plus `byteCount`. Incompressible rows do not need more. Longer streams are left to libpng.
    private static let slack = (fraction: 64, byteCount: 4096)

    /// The inflated rows. Each begins with its filter type. A row of zeros without a filter type precedes them.
    private var rows: Data
    private let form: cpng_stored_form
    private let layout: PixelLayout
    private let rowByteCount: Int
    /// The number of bytes of a pixel, at least 1. Filters predict a byte from the one at this distance before it.
    private let step: Int

    /// Returns the memory in bytes that inflating the rows of a picture takes; nil if the rows are too long.
    static func workingByteCount(of form: cpng_stored_form, _ size: PixelSize, fileByteCount: Int) -> Int? {
        byteCount(of: form, size).map { byteCount in
            rowByteCount(of: form, size) + byteCount + min(streamLimit(byteCount), fileByteCount)
        }
    }

    /// Returns the number of bytes of the inflated rows, including their filter types; nil if the rows are too long.
    private static func byteCount(of form: cpng_stored_form, _ size: PixelSize) -> Int? {
        // The width has 31 bits, so this cannot overflow.
        let rowByteCount = rowByteCount(of: form, size)
        let (byteCount, overflow) = size.height.multipliedReportingOverflow(by: rowByteCount)
        return overflow || byteCount > maxByteCount ? nil : byteCount + size.height
    }

    /// Returns the maximum length of the stream for rows with `byteCount` bytes.
    private static func streamLimit(_ byteCount: Int) -> Int {
        byteCount + byteCount / slack.fraction + slack.byteCount
    }

    private static func rowByteCount(of form: cpng_stored_form, _ size: PixelSize) -> Int {
        (size.width * Int(form.bit_depth) * Int(form.channels) + 7) / 8
    }

    /// Inflates the pixels of a picture. Returns nil if libpng must decode the picture.
    /// - Parameters:
    ///   - layout: The layout of the expanded pixels. `rgba16` requires a file with 16 bits per channel.
    ///   - stream: A closure that returns the compressed pixels. It returns nil if they are damaged, or longer than
    ///     `limit` bytes.
    init?(_ form: cpng_stored_form, _ layout: PixelLayout, stream: (_ limit: Int) -> PNGPixelStream?) {
        self.form = form
        self.layout = layout
        rowByteCount = Self.rowByteCount(of: form, layout.size)
        step = max(1, Int(form.bit_depth) * Int(form.channels) / 8)
        let (rowByteCount, height) = (rowByteCount, layout.size.height)
        guard let byteCount = Self.byteCount(of: form, layout.size),
            let stream = stream(Self.streamLimit(byteCount)),
            stream.hasWindow(for: byteCount),
            let rows = try? Data(
                count: rowByteCount + byteCount, at: .decode,
                filledBy: { rows in
                    UnsafeMutableRawBufferPointer(rebasing: rows[..<rowByteCount])
                        .initializeMemory(as: UInt8.self, repeating: 0)
                    let filtered = UnsafeMutableRawBufferPointer(rebasing: rows[rowByteCount...])
                    guard stream.inflate(into: filtered) else { return 0 }
                    let areKnown = (0..<height).allSatisfy { y in
                        filtered[y * (1 + rowByteCount)] < UInt8(CK_FILTER_COUNT.rawValue)
                    }
                    return areKnown ? rows.count : 0
                }),
            !rows.isEmpty
        else { return nil }
        self.rows = rows
    }

    /// Expands the next row. Call this once for each row, in order from the top.
    mutating func expandRow(_ y: Int, into pixels: UnsafeMutableRawBufferPointer) {
        precondition(
            pixels.count >= layout.rowByteCount, "the row has \(pixels.count) of \(layout.rowByteCount) bytes")
        let (rowByteCount, step) = (rowByteCount, step)
        rows.withUnsafeMutableBytes { (rows: UnsafeMutableRawBufferPointer) in
            let filter = rows.baseAddress! + rowByteCount + y * (1 + rowByteCount)
            let row = (filter + 1).assumingMemoryBound(to: UInt8.self)
            // Above the first row are zeros.
            let above = row - rowByteCount - 1
            ck_unfilter(ck_filter(UInt32(row[-1])), row, above, rowByteCount, step)
            withUnsafePointer(to: form) { form in
                cpng_expand_row(form, row, layout.size.width, layout.format == .rgba16, pixels.baseAddress!)
            }
        }
    }
}
#endif
