extension Image {
    /// The attributes that a cache stores beside a variant, because the file of the variant cannot contain them.
    var storedAttributes: [String: String] {
        var stored: [String: String] = [:]
        stored["format"] = attributes.format?.name
        stored["originalSize"] = attributes.originalSize?.contextText
        stored["version"] = attributes.version
        stored["vary"] = attributes.vary?.text
        if attributes.isPartial { stored["isPartial"] = true.contextText }
        return stored
    }

    /// Returns the image with the attributes that were stored beside it.
    func restoring(_ stored: [String: String]) -> Image {
        var attributes = attributes
        if let name = stored["format"] {
            attributes.format =
                ImageFormat.known.first { $0.name == name }
                ?? ImageFormat(name: name, mimeTypes: [], fileExtensions: [], signatures: [])
        }
        attributes.originalSize = stored["originalSize"].flatMap(PixelSize.init(contextText:))
        attributes.version = stored["version"]
        attributes.vary = Vary(storedAttributes: stored)
        if stored["isPartial"] == true.contextText { attributes.isPartial = true }
        return Image(storage: Storage(pixels: pixels, frames: frames, attributes: attributes), scale: scale)
    }

    /// Returns the image with the given version and `Vary` value among its attributes.
    func made(of version: String?, chosenBy vary: Vary?) -> Image {
        guard attributes.version != version || attributes.vary != vary else { return self }
        var attributes = attributes
        (attributes.version, attributes.vary) = (version, vary)
        return Image(storage: Storage(pixels: pixels, frames: frames, attributes: attributes), scale: scale)
    }

    /// Returns the image with another scale factor.
    func scaled(by scale: Double) -> Image { Image(storage: storage, scale: scale) }
}

extension Vary {
    /// Creates the `Vary` value that is stored beside an image. Returns nil if none is stored.
    init?(storedAttributes: [String: String]) {
        guard let text = storedAttributes["vary"] else { return nil }
        self = Vary(text: text[...]) ?? .unknown
    }
}
