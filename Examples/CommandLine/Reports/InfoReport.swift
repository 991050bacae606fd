import CalotypeStandard

/// The properties of an image file. The names of the Swift properties are those of the JSON fields.
struct InfoReport: Encodable {
    let source: String
    let format: String
    let mimeType: String
    /// The width as displayed, in pixels.
    let width: Int
    /// The height as displayed, in pixels.
    let height: Int
    /// The width as stored, in pixels.
    let pixelWidth: Int
    /// The height as stored, in pixels.
    let pixelHeight: Int
    /// The EXIF orientation, 1 to 8.
    let orientation: Int
    let hasAlpha: Bool
    let bitDepth: Int
    let colorModel: String
    /// Whether the pixel values use PQ or HLG.
    let hasHighDynamicRange: Bool
    /// Whether the file embeds an ICC profile.
    let hasICCProfile: Bool
    /// The name of the color space; `sRGB` if the file does not specify one.
    let colorSpace: String
    let frameCount: Int
    /// The number of times that an animation plays; 0 for endlessly.
    let loopCount: Int
    /// The durations of the frames, in milliseconds.
    let durations: [Double]
    let byteCount: Int

    init(_ source: String, _ info: ImageInfo, byteCount: Int) {
        self.source = source
        self.byteCount = byteCount
        format = info.format.name
        mimeType = info.format.mimeTypes.first ?? "application/octet-stream"
        width = info.size.width
        height = info.size.height
        pixelWidth = info.pixelSize.width
        pixelHeight = info.pixelSize.height
        orientation = Int(info.orientation.rawValue)
        hasAlpha = info.hasAlpha
        bitDepth = info.bitDepth
        colorModel = info.colorModel.rawValue
        hasHighDynamicRange = info.hasHighDynamicRange
        hasICCProfile = info.hasEmbeddedProfile
        colorSpace = info.profile.name
        frameCount = info.frameCount
        loopCount = info.loopCount
        durations = info.durations.map { JSON.milliseconds($0.milliseconds) }
    }

    /// Returns the properties in one line, for people. The name of the source is padded to `nameWidth` characters.
    func text(nameWidth: Int) -> String {
        var facts = ["\(colorModel) \(bitDepth) bit"]
        if hasAlpha { facts.append("alpha") }
        if colorSpace != ColorProfile.sRGB.name { facts.append(colorSpace.printable) }
        if hasHighDynamicRange { facts.append("high dynamic range") }
        if hasICCProfile { facts.append("ICC profile") }
        if orientation != 1 { facts.append("orientation \(orientation), stored as \(pixelWidth)x\(pixelHeight)") }
        if frameCount > 1 {
            let seconds = durations.reduce(0, +) / 1000
            let loops = loopCount == 0 ? "plays forever" : "plays \(Quantity.count(loopCount, "time"))"
            facts.append("\(frameCount) frames, \(Quantity.tenths(seconds)) s, \(loops)")
        }
        let columns = [
            source.printable.padded(to: nameWidth), format.padded(to: 4), "\(width)x\(height)".padded(to: 11),
            Quantity.bytes(byteCount).padded(to: 9), facts.joined(separator: ", "),
        ]
        return columns.joined(separator: "  ")
    }
}
