#if JPEG
import Calotype

extension DecodeOptions {
    /// Returns the number by which the sides of the decoded picture are divided: 1, 2, 4 or 8.
    ///
    /// libjpeg-turbo also supports other divisors, but they are slower than decoding the full size.
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

    /// Returns whether a sink can infer the divisor from the picture's longer side, by comparing the full length of
    /// this side with its divided length.
    ///
    /// The divided length is rounded up. For a side of a few pixels, the ratio of the two lengths can therefore suggest
    /// another divisor.
    private static func isTold(_ divisor: Int, by longer: Int) -> Bool {
        let divided = (longer + divisor - 1) / divisor
        return (Double(longer) / Double(divided)).rounded() == Double(divisor)
    }
}
#endif
