#if PNG
import CPNGShim
import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// libpng's progressive reader and the pixels that it has decoded. Use an instance on one thread at a time.
final class PNGPusher {
    /// The maximum number of pixels that are written before the job is checked again.
    private static let pixelsAtOnce = 1 << 20

    private let pusher: OpaquePointer
    private let rows: UnsafeMutableRawPointer
    private let layout: PixelLayout
    private let isInterlaced: Bool

    /// Allocates memory for all rows of a picture.
    /// - Parameter layout: The layout of the rows. Its size must be that of the picture in the file. `rgba16` requires
    ///   a file with 16 bits per channel.
    init(_ layout: PixelLayout, isInterlaced: Bool) throws(ImageError) {
        self.layout = layout
        self.isInterlaced = isInterlaced
        guard let rows = calloc(layout.size.height, layout.rowByteCount) else {
            throw ImageError(
                .outOfMemory, stage: .decode, message: "not enough memory for a preview of \(layout.size) pixels",
                advice: "load fewer images at once, or raise the process's memory limit")
        }
        let (width, height) = (UInt32(clamping: layout.size.width), UInt32(clamping: layout.size.height))
        guard let pusher = cpng_pusher_create(rows, width, height, layout.format == .rgba16) else {
            free(rows)
            throw .noMemoryForPNG(.decode)
        }
        self.pusher = pusher
        self.rows = rows
    }

    deinit {
        cpng_pusher_free(pusher)
        free(rows)
    }

    /// The maximum number of bytes to push before the job is checked again.
    var pieceByteCount: Int { cpng_pusher_reach(pusher, Self.pixelsAtOnce) }

    /// Decodes the next bytes of the file.
    func push(_ bytes: UnsafeRawBufferPointer) throws(ImageError) {
        let status = cpng_pusher_push(pusher, bytes.baseAddress, bytes.count)
        guard status == CPNG_OK else {
            throw .decoding(status, message: cpng_pusher_message(pusher), in: place)
        }
    }

    /// Whether all pixels have arrived.
    var isComplete: Bool { progress.is_complete }

    /// Whether no row has been decoded.
    var isEmpty: Bool { progress.pass == 0 && progress.row_count == 0 }

    /// Whether every pixel has a value. In an interlaced picture, the value may be a copy of a neighbor's.
    var isCovered: Bool { isInterlaced ? progress.pass > 0 : isComplete }

    /// A description of the next row to decode, for errors.
    var place: String {
        let progress = progress
        let height = layout.size.height
        return "row \(min(Int(progress.row_count) + 1, height)) of \(height)"
            + (progress.pass > 0 ? " in pass \(min(Int(progress.pass) + 1, 7))" : "")
    }

    /// Copies row `y` of the picture. Pixels that have no value yet are transparent.
    func copyRow(_ y: Int, to target: UnsafeMutableRawBufferPointer) {
        let rowByteCount = layout.rowByteCount
        target.copyMemory(from: UnsafeRawBufferPointer(start: rows + y * rowByteCount, count: rowByteCount))
    }

    private var progress: cpng_progress { cpng_pusher_progress(pusher) }
}
#endif
