#if JPEG
import CJPEGShim
import Calotype

/// The form in which a reader delivers a picture: planes if the picture has them and the sink takes them, or rows.
struct JPEGOutput {
    /// The layout of the picture for delivery as rows.
    let layout: PixelLayout
    /// The channels of the rows: inks for a CMYK picture, otherwise RGBA.
    let channels: RowChannels
    /// The layout of the planes; nil if the picture can only be delivered as rows.
    let planes: PlanarLayout?

    init(_ output: cjpeg_output, of header: JPEGHeader) {
        let size = PixelSize(width: Int(output.width), height: Int(output.height))
        let model = header.info.colorModel
        layout = PixelLayout(size: size, isOpaque: true, isGray: model == .gray)
        channels = model == .cmyk ? .cmyk : .rgba
        let chromaSize = PixelSize(width: Int(output.chroma_width), height: Int(output.chroma_height))
        planes =
            switch output.plane_count {
            case 0: nil
            case 1: PlanarLayout(size: size, chromaSize: nil)
            default: PlanarLayout(size: size, chromaSize: chromaSize)
            }
    }

    /// Announces the picture to a sink, which may refuse its size. Returns whether the sink takes planes instead of
    /// rows.
    /// - Parameter offersPlanes: False if the reader can only deliver rows.
    func begin(in sink: inout some RowSink & ~Copyable, offersPlanes: Bool = true) throws(ImageError) -> Bool {
        if offersPlanes, let planes, try sink.beginPlanes(planes) { return true }
        try sink.begin(layout, channels: channels)
        return false
    }
}
#endif
