extension Image {
    /// The attributes that a variant's file cannot say itself, as they are kept beside it in a cache.
    var storedAttributes: [String: String] {
        var stored: [String: String] = [:]
        stored["format"] = attributes.format?.name
        stored["originalSize"] = attributes.originalSize?.contextText
        stored["version"] = attributes.version
        stored["vary"] = attributes.vary?.text
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
        attributes.vary = Vary(storedAttributes: stored)
        if stored["isPartial"] == true.contextText { attributes.isPartial = true }
        return Image(storage: Storage(pixels: pixels, frames: frames, attributes: attributes), scale: scale)
    }

    /// The image as made of that version of its source, which was chosen by those fields of the request for it.
    func made(of version: String?, chosenBy vary: Vary?) -> Image {
        guard attributes.version != version || attributes.vary != vary else { return self }
        var attributes = attributes
        (attributes.version, attributes.vary) = (version, vary)
        return Image(storage: Storage(pixels: pixels, frames: frames, attributes: attributes), scale: scale)
    }

    /// The image with pixels of a point as the request says.
    func scaled(by scale: Double) -> Image { Image(storage: storage, scale: scale) }
}

extension Vary {
    /// Creates the profile of an image from the attributes that were stored beside it; nil if there is none.
    init?(storedAttributes: [String: String]) {
        guard let text = storedAttributes["vary"] else { return nil }
        self = Vary(text: text[...]) ?? .unknown
    }
}
