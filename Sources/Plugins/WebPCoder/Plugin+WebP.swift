#if WEBP
import CWebP
public import Calotype

extension Plugin {
    /// Reads and writes WebP.
    public static let webp = Plugin(
        name: "WebP",
        libraries: [
            library("libwebp", WebPGetDecoderVersion()), library("libwebpdemux", WebPGetDemuxVersion()),
            library("libwebpmux", WebPGetMuxVersion()),
        ],
        keys: [ContextKey<WebPOptions>.webpOptions.declaration]
    ) { $0.coders.add(WebPCoder()) }

    /// - Parameter version: Eight bits each of the major version, the minor one and the revision.
    private static func library(_ name: String, _ version: Int32) -> Library {
        Library(name: name, version: "\(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)")
    }
}
#else
public import Calotype

extension Plugin {
    /// A plugin that this build leaves out, since the package trait `WEBP` is off.
    @available(*, unavailable, message: "enable the trait 'WEBP' of the package 'calotype', which needs libwebp")
    public static var webp: Plugin { Plugin(name: "WebP") { _ in } }
}
#endif
