#if JPEG
import Calotype

extension DecodeOptions {
    /// By how much a picture is divided while it is decoded: 1, 2, 4 or 8. What lies between is slower than 1.
    ///
    /// Twice the size that is wanted stays, for the resampler to make good pixels of.
    func jpegDivisor(for info: ImageInfo) -> Int {
        let stored = info.pixelSize
        let wanted = targetSize(of: info)
        func divided(_ length: Int, _ divisor: Int) -> Int { (length + divisor - 1) / divisor }
        return [8, 4, 2].first { divisor in
            divided(stored.width, divisor) >= 2 * wanted.width && divided(stored.height, divisor) >= 2 * wanted.height
        } ?? 1
    }
}
#endif
