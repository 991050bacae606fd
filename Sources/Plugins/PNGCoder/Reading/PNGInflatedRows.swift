#if PNG && DEFLATE
import CDeflate
import CKernels
import CPNGShim
import Calotype

/// All rows of a picture that is not interlaced, inflated at once by libdeflate.
///
/// Inflating at once takes less time than libpng but more memory, and it needs the complete file. Pictures in which
/// libdeflate finds a flaw are left to libpng, which decides what errors they cause. libdeflate accepts some streams
/// that zlib refuses: those with unused codes of RFC 1951, such as a length code of 286, and those with more than 64
/// KiB of empty blocks after the pixels. The checksums and all pixels of such streams are right.
///
/// Use an instance on one thread at a time.
struct PNGInflatedRows {
    /// The maximum number of bytes of a picture's rows, without the filter types: 64 MiB. A picture of 4096x4096 pixels
    /// with four channels of 8 bits has this size.
    ///
    /// A decode cannot be cancelled during the inflation. The inflation takes about a third of a second for 64 MiB of
    /// noise. Hostile streams take about 75 nanoseconds for each compressed byte, and up to five seconds in total.
    /// libpng is as slow for these streams, and cannot be cancelled within a row either.
    private static let maxByteCount = 64 << 20
    /// The number of bytes by which a compressed stream may be longer than its inflated rows. The number is the length
    /// of the rows divided by `fraction`, plus `byteCount`. Deflating makes incompressible rows slightly longer, but
    /// not by more than this. Longer streams are left to libpng.
    private static let slack = (fraction: 64, byteCount: 4096)

    /// The inflated rows, each of which begins with its filter type. A row of zeros without a filter type precedes
    /// them.
    private var rows: Data
    private let form: cpng_stored_form
    private let layout: PixelLayout
    private let rowByteCount: Int
    /// The number of bytes of a pixel; 1 if a pixel takes less than a byte. Filters predict a byte from the one that
    /// precedes it by this distance.
    private let step: Int

    /// Returns the memory in bytes that inflating the rows of a picture takes; nil if the rows are too long.
    /// - Parameter fileByteCount: The number of bytes of the file, which limits the compressed pixels.
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
    ///   - form: The form in which the file stores its pixels.
    ///   - layout: The layout of the expanded pixels. `rgba16` requires a file with 16 bits per channel.
    ///   - stream: A closure that returns the compressed pixels. Its argument is their maximum length in bytes. The
    ///     closure returns nil if the compressed pixels are damaged or exceed that length.
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
    /// - Parameters:
    ///   - y: The number of the row.
    ///   - pixels: Memory for the pixels of a row, in the layout.
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
