import CalotypeStandard

/// The file format of a sample picture.
struct PictureFile: Sendable {
    /// The format.
    let format: ImageFormat
    /// The rotation that turns the stored pixels upright, which the file's EXIF block specifies.
    let orientation: Orientation
    /// Additional options of the encoder.
    let context: ImageContext

    private init(_ format: ImageFormat, orientation: Orientation = .up, context: ImageContext = []) {
        self.format = format
        self.orientation = orientation
        self.context = context
    }

    /// A lossless file.
    static let png = PictureFile(.png)

    #if WEBP
    /// A small file, as on websites.
    static let webp = PictureFile(.webp, context: [.compressionQuality(0.8)])
    #else
    static let webp = png
    #endif

    #if GIF
    /// A format that all viewers of animations support.
    static let gif = PictureFile(.gif)
    #else
    static let gif = png
    #endif

    #if JPEG
    /// A file as most cameras write: not progressive, with a chroma sample for four pixels.
    static let jpeg = PictureFile(.jpeg, context: [.jpegSubsampling(.quarter)])
    /// A progressive file, as on many websites: the whole picture at once, refined by each scan.
    static let jpegInScans = PictureFile(.jpeg, context: [.jpegProgressive])
    /// A file of a camera that was held upright: the pixels are stored sideways, and the EXIF block specifies the
    /// rotation.
    static let jpegTurned = PictureFile(.jpeg, orientation: .right)
    #else
    // Without JPEG, PNG replaces it, also for rotated files.
    static let jpeg = png
    static let jpegInScans = png
    static let jpegTurned = PictureFile(.png, orientation: .right)
    #endif
}
