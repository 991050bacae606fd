#if HEIF
import CHEIF
import Calotype

/// A plane of samples: of one byte each where there are eight bits of it, else of two.
struct SamplePlane {
    let size: PixelSize
    private let base: UnsafeRawPointer
    private let bytesPerRow: Int

    /// The plane of a channel, as long as the image is there; nil if it has none.
    init?(_ channel: heif_channel, of image: OpaquePointer) {
        var bytesPerRow: Int32 = 0
        guard heif_image_has_channel(image, channel) != 0,
            let base = heif_image_get_plane_readonly(image, channel, &bytesPerRow)
        else { return nil }
        size = PixelSize(Int(heif_image_get_width(image, channel)), Int(heif_image_get_height(image, channel)))
        self.base = UnsafeRawPointer(base)
        self.bytesPerRow = Int(bytesPerRow)
    }

    /// Whether there is a sample for each pixel of a picture, or for each two in a row or in a column.
    func covers(_ picture: PixelSize) -> Bool {
        func covers(_ side: Int, _ whole: Int) -> Bool { side == whole || side == whole - whole / 2 }
        return covers(size.width, picture.width) && covers(size.height, picture.height)
    }

    /// Returns the samples that belong to row `y` of a picture.
    func row<Sample>(_ y: Int, of picture: PixelSize, as type: Sample.Type) -> UnsafePointer<Sample> {
        (base + (size.height == picture.height ? y : y / 2) * bytesPerRow).assumingMemoryBound(to: type)
    }
}
#endif
