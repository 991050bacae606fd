#if GIF
import CGIF
public import Calotype

extension Plugin {
    /// A plugin that reads and writes GIF.
    public static let gif = Plugin(
        name: "GIF",
        libraries: [Library(name: "giflib", version: "\(GIFLIB_MAJOR).\(GIFLIB_MINOR).\(GIFLIB_RELEASE)")],
        keys: [ContextKey<GIFOptions>.gifOptions.declaration]
    ) { $0.coders.add(GIFCoder()) }
}
#else
public import Calotype

extension Plugin {
    /// The plugin for GIF. It is unavailable in this build, because the package trait `GIF` is off.
    @available(*, unavailable, message: "enable the trait 'GIF' of the package 'calotype', which needs giflib")
    public static var gif: Plugin { Plugin(name: "GIF") { _ in } }
}
#endif
