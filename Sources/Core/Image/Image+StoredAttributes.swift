extension Image {
    /// The attributes that a variant's file cannot say itself, as they are kept beside it in a cache.
    var storedAttributes: [String: String] {
        var stored: [String: String] = [:]
        stored["format"] = attributes.format?.name
        stored["originalSize"] = attributes.originalSize?.contextText
        stored["version"] = attributes.version
        if attributes.isPartial { stored["isPartial"] = true.contextText }
        return stored
    }

    /// The image with the attributes that were kept beside it.
    func restoring(_ stored: [String: String]) -> Image {
        var attributes = attributes
        if let name = stored["format"] {
            attributes.format =
                ImageFormat.known.first { $0.name == name }
                ?? ImageFormat(name: name, mimeTypes: [], fileExtensions: [], signatures: [])
        }
        attributes.originalSize = stored["originalSize"].flatMap(PixelSize.init(contextText:))
        attributes.version = stored["version"]
        if stored["isPartial"] == true.contextText { attributes.isPartial = true }
        return Image(storage: Storage(pixels: pixels, frames: frames, attributes: attributes), scale: scale)
    }

    /// The image as made of that version of its source.
    func made(of version: String?) -> Image {
        guard attributes.version != version else { return self }
        var attributes = attributes
        attributes.version = version
        return Image(storage: Storage(pixels: pixels, frames: frames, attributes: attributes), scale: scale)
    }

    /// The image with pixels of a point as the request says.
    func scaled(by scale: Double) -> Image { Image(storage: storage, scale: scale) }
}
