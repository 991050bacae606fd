#if PNG
import CPNGShim
import Calotype

/// A list of RGBA colors with 8 bits per channel. Each color has a code that is written instead of it: a gray level or
/// an index into a palette. Use a list on one thread at a time.
final class PNGColorList {
    /// The maximum number of colors in a palette.
    static let maxCount = 256

    /// The C list of colors, for the C writer in `CPNGShim`. The pointer is valid as long as this object exists.
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

    /// Adds the colors of a row. If the list would exceed `limit` colors, returns false and makes the list unusable.
    func add(_ row: UnsafeRawBufferPointer, limit: Int) -> Bool {
        cpng_colors_add(pointer, row.baseAddress, row.count / PixelFormat.rgba8.bytesPerPixel, limit)
    }

    // MARK: Codes

    /// The lowest bit depth of gray (1, 2, 4 or 8) that represents all colors. They must be gray and opaque.
    var grayDepth: Int { Int(cpng_colors_gray_depth(pointer)) }

    /// The number of bits of an index into a palette of all colors: 1, 2, 4 or 8.
    var paletteDepth: Int { Int(cpng_colors_palette_depth(pointer)) }

    /// The number of bytes of the PLTE chunk, and of the tRNS chunk if a color is not opaque.
    var paletteByteCount: Int {
        let frame = 12
        let transparentCount = cpng_colors_transparent_count(pointer)
        return frame + 3 * cpng_colors_count(pointer) + (transparentCount > 0 ? frame + transparentCount : 0)
    }

    /// Sets the codes of the colors to gray levels. All colors must be gray and opaque.
    func makeGrays() {
        cpng_colors_make_grays(pointer)
    }

    /// Sets the codes of the colors to indices into a palette.
    func makePalette() {
        cpng_colors_make_palette(pointer)
    }
}
#endif
