/// A compression of highlights above white into standard dynamic range.
///
/// Red, green and blue are multiplied by one factor, which depends on the largest of them, so that hues are kept. Light
/// below a knee does not change. Light above it is compressed, so that the peak of the picture becomes white.
///
/// Source: ITU-R BT.2390-10, section 5.4.1, without its treatment of black.
struct ToneMapping {
    private static let intervalCount = 1_024

    /// The ratio of new to old light for the largest channel, at PQ levels from 0 to 1 in equal steps.
    private let factors: [Float]

    /// Creates a compression for a picture.
    /// - Parameter peak: The peak light of the picture in candelas per square meter. Nil counts as 1,000.
    init(peak: Double?) {
        let peak = max(peak ?? HDRTransfer.usualPeak, HDRTransfer.white) / HDRTransfer.white
        let most = HDRTransfer.pqLevel(ofLight: peak)
        let white = HDRTransfer.pqLevel(ofLight: 1) / most
        let knee = 1.5 * white - 0.5
        factors = (0...Self.intervalCount).map { step in
            let level = Double(step) / Double(Self.intervalCount)
            let light = HDRTransfer.light(ofPQ: level)
            let part = min(level / most, 1)
            guard part > knee else { return 1 }
            let t = (part - knee) / (1 - knee)
            let (t2, t3) = (t * t, t * t * t)
            let mapped = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * white
            return Float(HDRTransfer.light(ofPQ: mapped * most) / light)
        }
    }

    /// Returns the factor that all channels are multiplied by.
    /// - Parameter level: The PQ level of the largest channel, from 0 to 1.
    func factor(ofLargest level: Float) -> Float {
        let place = level * Float(Self.intervalCount)
        let index = min(Int(place), Self.intervalCount - 1)
        let rest = place - Float(index)
        return factors[index] + (factors[index + 1] - factors[index]) * rest
    }
}
