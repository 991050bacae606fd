#if COLOR
import Calotype

/// A converter that uses a transform to convert red, green and blue, or gray.
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
