#if HEIF
import CHEIF
import Calotype

/// A plane of samples. A sample of eight bits takes one byte in memory, and a sample of more bits takes two.
struct SamplePlane {
    let size: PixelSize
    private let base: UnsafeRawPointer
    private let bytesPerRow: Int

    /// Creates the plane of a channel of an image. Returns nil if the image has no such channel. The plane is valid as
    /// long as the image exists.
    init?(_ channel: heif_channel, of image: OpaquePointer) {
        var bytesPerRow: Int32 = 0
        guard heif_image_has_channel(image, channel) != 0,
            let base = heif_image_get_plane_readonly(image, channel, &bytesPerRow)
        else { return nil }
        size = PixelSize(Int(heif_image_get_width(image, channel)), Int(heif_image_get_height(image, channel)))
        self.base = UnsafeRawPointer(base)
        self.bytesPerRow = Int(bytesPerRow)
    }

    /// Returns whether each side of the plane is as long as that of a picture, or half as long, rounded up.
    func covers(_ picture: PixelSize) -> Bool {
        func covers(_ side: Int, _ whole: Int) -> Bool { side == whole || side == whole - whole / 2 }
        return covers(size.width, picture.width) && covers(size.height, picture.height)
    }

    /// Returns the samples for row `y` of a picture. Two rows share them if the plane has half as many rows.
    func row<Sample>(_ y: Int, of picture: PixelSize, as type: Sample.Type) -> UnsafePointer<Sample> {
        (base + (size.height == picture.height ? y : y / 2) * bytesPerRow).assumingMemoryBound(to: type)
    }
}
#endif
