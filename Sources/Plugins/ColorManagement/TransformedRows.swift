#if COLOR
import Calotype

/// A converter for red, green and blue, or for gray, that uses a transform.
struct TransformedRows: KeptRowConverter {
    let transform: LittleCMSTransform
    let format: PixelFormat

    var byteCount: Int { transform.byteCount }

    func convert(_ row: inout MutableRawSpan) {
        row.withUnsafeMutableBytes { row in
            guard let pixels = row.baseAddress else { return }
            transform.apply(to: pixels, count: row.count / format.bytesPerPixel)
        }
    }
}
#endif
