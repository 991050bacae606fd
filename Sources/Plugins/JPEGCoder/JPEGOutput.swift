#if JPEG
import CJPEGShim
import Calotype

/// The output of a reader at a divisor: rows, or planes if they are available and a sink accepts them.
struct JPEGOutput {
    /// The rows.
    let layout: PixelLayout
    /// The channels of the rows.
    let channels: RowChannels
    /// The planes; nil if only rows are available.
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

    /// Announces the picture to a sink, which may refuse its size.
    /// - Parameters:
    ///   - sink: The sink.
    ///   - offersPlanes: Whether the reader can still deliver planes, if the picture has them.
    /// - Returns: Whether the sink takes planes instead of rows.
    func begin(in sink: inout some RowSink & ~Copyable, offersPlanes: Bool = true) throws(ImageError) -> Bool {
        if offersPlanes, let planes, try sink.beginPlanes(planes) { return true }
        try sink.begin(layout, channels: channels)
        return false
    }
}
#endif
