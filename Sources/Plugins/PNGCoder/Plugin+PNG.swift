#if PNG
#if DEFLATE
import CDeflate
#endif
import CPNG
public import Calotype

extension Plugin {
    /// A plugin that reads and writes PNG.
    public static let png = Plugin(
        name: "PNG",
        libraries: libraries,
        keys: [ContextKey<Int>.pngCompressionLevel.declaration, ContextKey<Bool>.pngReducesColors.declaration]
    ) { $0.coders.add(PNGCoder()) }

    private static var libraries: [Library] {
        var libraries = [
            Library(name: "libpng", version: String(cString: png_get_libpng_ver(nil))),
            Library(name: "zlib", version: String(cString: zlibVersion())),
        ]
        #if DEFLATE
        libraries.append(Library(name: "libdeflate", version: LIBDEFLATE_VERSION_STRING))
        #endif
        return libraries
    }
}
#else
public import Calotype

extension Plugin {
    /// The plugin for PNG. It is unavailable in this build, because the package trait `PNG` is off.
    @available(*, unavailable, message: "enable the trait 'PNG' of the package 'calotype', which needs libpng")
    public static var png: Plugin { Plugin(name: "PNG") { _ in } }
}
#endif
