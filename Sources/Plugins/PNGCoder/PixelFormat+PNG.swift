#if PNG
import CPNGShim
import Calotype

extension PixelFormat {
    /// The equivalent format of rows for libpng's writer.
    var pngSource: cpng_source {
        switch self {
        case .rgba8: CPNG_RGBA8
        case .rgba16: CPNG_RGBA16
        case .rgbaFloat: CPNG_RGBA_FLOAT
        }
    }
}
#endif
