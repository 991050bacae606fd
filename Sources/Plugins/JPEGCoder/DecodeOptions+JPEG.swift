#if JPEG
import Calotype

extension DecodeOptions {
    /// Returns the divisor for the sides of the decoded picture: 1, 2, 4 or 8. Other divisors of libjpeg-turbo are
    /// slower than decoding the full size.
    func jpegDivisor(for info: ImageInfo) -> Int {
        guard let margin = smallerPictureMargin else { return 1 }
        // Both sizes are as stored, regardless of the requested orientation.
        let stored = info.pixelSize
        let wanted = targetSize(of: info)
        func suffices(_ divisor: Int, _ stored: Int, _ wanted: Int) -> Bool {
            // Rounding up could otherwise make a side suffice although the side is shorter than the divisor.
            stored >= divisor && (stored + divisor - 1) / divisor >= margin * wanted
        }
        return [8, 4, 2].first { divisor in
            Self.isTold(divisor, by: max(stored.width, stored.height))
                && suffices(divisor, stored.width, wanted.width) && suffices(divisor, stored.height, wanted.height)
        } ?? 1
    }

    /// Returns whether a sink can infer the divisor from the full and the divided length of the longer side. The
    /// divided length is rounded up, so lengths of a few pixels can suggest another divisor.
    private static func isTold(_ divisor: Int, by longer: Int) -> Bool {
        let divided = (longer + divisor - 1) / divisor
        return (Double(longer) / Double(divided)).rounded() == Double(divisor)
    }
}
#endif
