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

    /// Returns whether the plane has a suitable size for a picture: as many columns as the picture or half as many, and
    /// as many rows or half as many. A half is rounded up.
    func covers(_ picture: PixelSize) -> Bool {
        func covers(_ side: Int, _ whole: Int) -> Bool { side == whole || side == whole - whole / 2 }
        return covers(size.width, picture.width) && covers(size.height, picture.height)
    }

    /// Returns the samples that belong to row `y` of a picture. If the plane has half as many rows as the picture, two
    /// rows of the picture share the samples.
    func row<Sample>(_ y: Int, of picture: PixelSize, as type: Sample.Type) -> UnsafePointer<Sample> {
        (base + (size.height == picture.height ? y : y / 2) * bytesPerRow).assumingMemoryBound(to: type)
    }
}
#endif
