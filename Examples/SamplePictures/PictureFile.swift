import CalotypeStandard

/// How a sample picture is written.
struct PictureFile: Sendable {
    /// The format.
    let format: ImageFormat
    /// How the stored pixels must be turned to stand upright, which the file says in its EXIF block.
    let orientation: Orientation
    /// What else the encoder is told.
    let context: ImageContext

    private init(_ format: ImageFormat, orientation: Orientation = .up, context: ImageContext = []) {
        self.format = format
        self.orientation = orientation
        self.context = context
    }

    /// Without loss.
    static let png = PictureFile(.png)

    #if WEBP
    /// A file as sites have it that want small ones.
    static let webp = PictureFile(.webp, context: [.compressionQuality(0.8)])
    #else
    static let webp = png
    #endif

    #if GIF
    /// A file of the format that all viewers of animations show.
    static let gif = PictureFile(.gif)
    #else
    static let gif = png
    #endif

    #if JPEG
    /// As most cameras write: from top to bottom, a sample of color for four pixels.
    static let jpeg = PictureFile(.jpeg, context: [.jpegSubsampling(.quarter)])
    /// As many sites have it: the whole picture at once, finer with each scan.
    static let jpegInScans = PictureFile(.jpeg, context: [.jpegProgressive])
    /// As a camera writes that was held upright: the pixels lie on their side, and the file says so.
    static let jpegTurned = PictureFile(.jpeg, orientation: .right)
    #else
    // Without JPEG there is PNG for all, turned ones too.
    static let jpeg = png
    static let jpegInScans = png
    static let jpegTurned = PictureFile(.png, orientation: .right)
    #endif
}
