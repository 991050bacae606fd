#if PNG
import CPNGShim
import Calotype

/// The distinct colors, including alpha, of pictures with 8 bits, and the codes to write them. Use it on one thread at
/// a time.
final class PNGColorList {
    /// The maximum number of colors in a palette.
    static let maxCount = 256

    /// The list for the writer; valid as long as this object.
    let pointer: OpaquePointer

    init() throws(ImageError) {
        guard let pointer = cpng_colors_create() else {
            throw ImageError(
                .outOfMemory, stage: .encode, message: "not enough memory for a list of colors",
                advice: "encode fewer images at once, or raise the process's memory limit")
        }
        self.pointer = pointer
    }

    deinit { cpng_colors_free(pointer) }

    /// Adds the colors of a row. Returns false if there are more than `limit`; the list is not usable then.
    func add(_ row: UnsafeRawBufferPointer, limit: Int) -> Bool {
        cpng_colors_add(pointer, row.baseAddress, row.count / PixelFormat.rgba8.bytesPerPixel, limit)
    }

    // MARK: Codes

    /// The number of bits of a level, for colors that are all gray and opaque: fewer than 8 if the levels are among
    /// those that PNG spaces evenly.
    var grayDepth: Int { Int(cpng_colors_gray_depth(pointer)) }

    /// The number of bits of an index into a palette.
    var paletteDepth: Int { Int(cpng_colors_palette_depth(pointer)) }

    /// The number of bytes of the palette's chunks: PLTE, and tRNS if a color is not opaque.
    var paletteByteCount: Int {
        let frame = 12
        let transparentCount = cpng_colors_transparent_count(pointer)
        return frame + 3 * cpng_colors_count(pointer) + (transparentCount > 0 ? frame + transparentCount : 0)
    }

    /// Sets the codes to gray levels. All colors must be gray and opaque.
    func makeGrays() {
        cpng_colors_make_grays(pointer)
    }

    /// Sets the codes to indices into a palette.
    func makePalette() {
        cpng_colors_make_palette(pointer)
    }
}
#endif
