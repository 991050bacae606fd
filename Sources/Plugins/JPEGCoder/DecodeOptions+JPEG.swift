#if JPEG
import Calotype

extension DecodeOptions {
    /// Returns the number by which a picture is divided while it is decoded: 1, 2, 4 or 8. Numbers between them are
    /// slower than 1.
    func jpegDivisor(for info: ImageInfo) -> Int {
        guard let margin = smallerPictureMargin else { return 1 }
        // Both as stored, whichever way up the request has them.
        let stored = info.pixelSize
        let wanted = targetSize(of: info)
        func suffices(_ divisor: Int, _ stored: Int, _ wanted: Int) -> Bool {
            // Rounded up, a side may be enough of which there is not one whole pixel.
            stored >= divisor && (stored + divisor - 1) / divisor >= margin * wanted
        }
        return [8, 4, 2].first { divisor in
            Self.isTold(divisor, by: max(stored.width, stored.height))
                && suffices(divisor, stored.width, wanted.width) && suffices(divisor, stored.height, wanted.height)
        } ?? 1
    }

    /// Whether the sink can tell the divisor from how long the longer side comes out: that is rounded up, and of a few
    /// pixels it could be another.
    private static func isTold(_ divisor: Int, by longer: Int) -> Bool {
        let divided = (longer + divisor - 1) / divisor
        return (Double(longer) / Double(divided)).rounded() == Double(divisor)
    }
}
#endif
