import CalotypeStandard

/// The file format of a sample picture, with the options for writing it.
struct PictureFile: Sendable {
    /// The format of the file.
    let format: ImageFormat
    /// The rotation that turns the stored pixels upright. The EXIF block of the file specifies this rotation.
    let orientation: Orientation
    /// The options for encoding the file.
    let context: ImageContext

    private init(_ format: ImageFormat, orientation: Orientation = .up, context: ImageContext = []) {
        self.format = format
        self.orientation = orientation
        self.context = context
    }

    /// A PNG file, which is lossless.
    static let png = PictureFile(.png)

    #if WEBP
    /// A lossy WebP file as on websites, with the quality 0.8.
    static let webp = PictureFile(.webp, context: [.compressionQuality(0.8)])
    #else
    static let webp = png
    #endif

    #if GIF
    /// A GIF file, which all viewers of animations support.
    static let gif = PictureFile(.gif)
    #else
    static let gif = png
    #endif

    #if JPEG
    /// A JPEG file as most cameras write: not progressive, with one chroma sample for four pixels.
    static let jpeg = PictureFile(.jpeg, context: [.jpegSubsampling(.quarter)])
    /// A progressive JPEG file, as on many websites. The first scan contains the whole picture, and each further scan
    /// refines it.
    static let jpegInScans = PictureFile(.jpeg, context: [.jpegProgressive])
    /// A JPEG file of a camera that was held upright: the pixels are stored sideways, and the EXIF block specifies the
    /// rotation.
    static let jpegTurned = PictureFile(.jpeg, orientation: .right)
    #else
    // Without JPEG, PNG replaces it, also for rotated files.
    static let jpeg = png
    static let jpegInScans = png
    static let jpegTurned = PictureFile(.png, orientation: .right)
    #endif
}
