#if PNG
import CPNG
public import Calotype

extension Plugin {
    /// Reads and writes PNG.
    public static let png = Plugin(
        name: "PNG",
        libraries: [
            Library(name: "libpng", version: String(cString: png_get_libpng_ver(nil))),
            Library(name: "zlib", version: String(cString: zlibVersion())),
        ],
        keys: [ContextKey<Int>.pngCompressionLevel.declaration, ContextKey<Bool>.pngReducesColors.declaration]
    ) { $0.coders.add(PNGCoder()) }
}
#endif
