extension Plugin {
    /// All plugins that this module was built with, as one plugin.
    ///
    /// ```swift
    /// let manager = ImageManager(plugins: [.standard])
    /// ```
    public static let standard: Plugin = {
        let parts = standardParts
        return Plugin(
            name: "Standard", libraries: parts.flatMap(\.libraries), keys: parts.flatMap(\.keys),
            limitations: parts.flatMap(\.limitations)
        ) { registry in
            for part in parts { part.install(on: registry) }
        }
    }()

    private static var standardParts: [Plugin] {
        var parts: [Plugin] = [.file, .dataURI, .transformers]
        #if HTTP
        parts.append(.http)
        #endif
        #if PNG
        parts.append(.png)
        #endif
        #if JPEG
        parts.append(.jpeg)
        #endif
        #if WEBP
        parts.append(.webp)
        #endif
        #if GIF
        parts.append(.gif)
        #endif
        #if HEIF
        parts.append(.heif)
        #endif
        #if COLOR
        parts.append(.color)
        #endif
        return parts
    }
}
