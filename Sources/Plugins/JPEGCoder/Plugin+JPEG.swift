#if JPEG
import CJPEGShim
public import Calotype

extension Plugin {
    /// A plugin that reads and writes JPEG.
    public static let jpeg = Plugin(
        name: "JPEG",
        libraries: [
            // The library does not report its own version.
            Library(name: "libjpeg-turbo", version: "\(String(cString: cjpeg_version())) (built with)")
        ],
        keys: [
            ContextKey<Int>.jpegMaxScans.declaration,
            ContextKey<Int>.jpegMaxScanCoefficients.declaration,
            ContextKey<Int>.jpegMaxCoefficientBytes.declaration,
            ContextKey<Bool>.jpegProgressive.declaration,
            ContextKey<Bool>.jpegOptimizedTables.declaration,
            ContextKey<JPEGSubsampling>.jpegSubsampling.declaration,
        ]
    ) { $0.coders.add(JPEGCoder()) }
}
#else
public import Calotype

extension Plugin {
    /// The plugin for JPEG. It is unavailable in this build, because the package trait `JPEG` is off.
    @available(*, unavailable, message: "enable the trait 'JPEG' of the package 'calotype', which needs libjpeg-turbo")
    public static var jpeg: Plugin { Plugin(name: "JPEG") { _ in } }
}
#endif
