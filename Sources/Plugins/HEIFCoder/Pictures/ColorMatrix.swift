#if HEIF
import Calotype

/// A conversion from Y, Cb and Cr to red, green and blue.
///
/// Each channel is a weighted sum of the three plus a constant; for gray it only depends on Y. Subsampled chroma is
/// repeated, not interpolated.
///
/// Source: ITU-T H.273 (07/2021), section 8.3.
struct ColorMatrix {
    private let red: Sum
    private let green: Sum
    private let blue: Sum
    /// The factor and the constant for luma without color.
    private let luma: Float
    private let black: Float
    /// The maximum of a channel: 255 or 65535.
    private let top: Float

    /// Creates a matrix; nil if the colors are not such sums.
    /// - Parameters:
    ///   - colors: The description of the colors.
    ///   - bitDepth: The number of bits of a sample. Channels have 8 bits if samples do, and otherwise 16.
    init?(_ colors: ColorDescription, bitDepth: Int) {
        guard let kind = Kind(colors) else { return nil }
        let top: Double = bitDepth == 8 ? 255 : 65_535
        let unit = Double(1 << (bitDepth - 8))
        let full = Double(1 << bitDepth) - 1
        let luma = top / (colors.isFullRange ? full : 219 * unit)
        let chroma = top / (colors.isFullRange ? full : 224 * unit)
        let black = colors.isFullRange ? 0 : -luma * 16 * unit
        func sum(_ cb: Double, _ cr: Double, times chroma: Double) -> Sum {
            Sum(
                y: Float(luma), cb: Float(cb * chroma), cr: Float(cr * chroma),
                added: Float(black - (cb + cr) * chroma * 128 * unit))
        }
        (self.top, self.luma, self.black) = (Float(top), Float(luma), Float(black))
        switch kind {
        case .identity:
            red = Sum(y: 0, cb: 0, cr: self.luma, added: self.black)
            green = Sum(y: self.luma, cb: 0, cr: 0, added: self.black)
            blue = Sum(y: 0, cb: self.luma, cr: 0, added: self.black)
        case .differences(let weights):
            let (forRed, forBlue) = (2 * (1 - weights.red), 2 * (1 - weights.blue))
            let forGreen = 1 - weights.red - weights.blue
            red = sum(0, forRed, times: chroma)
            green = sum(-forBlue * weights.blue / forGreen, -forRed * weights.red / forGreen, times: chroma)
            blue = sum(forBlue, 0, times: chroma)
        case .greenAndOrange:
            // All three are computed from levels that have the output range already.
            red = sum(-1, 1, times: luma)
            green = sum(1, 0, times: luma)
            blue = sum(-1, -1, times: luma)
        }
    }

    /// The factors of Y, Cb and Cr, and the constant.
    private struct Sum {
        let y: Float
        let cb: Float
        let cr: Float
        let added: Float

        @inline(__always)
        func level(_ y: Float, _ cb: Float, _ cr: Float) -> Float { y * self.y + cb * self.cb + cr * self.cr + added }
    }

    /// The method of computing red, green and blue.
    private enum Kind {
        /// The samples are green, blue and red.
        case identity
        /// The samples are luma, with weights of red and blue, and the differences of blue and red from it.
        case differences((red: Double, blue: Double))
        /// YCgCo.
        case greenAndOrange

        init?(_ colors: ColorDescription) {
            switch colors.matrix {
            case 0: self = .identity
            case 1: self = .differences((0.2126, 0.0722))
            case 4: self = .differences((0.30, 0.11))
            case 7: self = .differences((0.212, 0.087))
            case 8: self = .greenAndOrange
            case 9: self = .differences((0.2627, 0.0593))
            case 10, 11, 13...17: return nil
            case 12:
                guard let primaries = ICCProfile.Primaries(codePoint: UInt8(clamping: colors.primaries)) else {
                    return nil
                }
                self = .differences(primaries.luma)
            // Unspecified colors usually follow ITU-R BT.601.
            default: self = .differences((0.299, 0.114))
            }
        }
    }

    // MARK: Rows

    /// Writes opaque pixels of a row.
    /// - Parameters:
    ///   - samples: Y, Cb and Cr of the row.
    ///   - columns: The columns to write.
    ///   - hasHalfColors: Whether Cb and Cr have one sample for two pixels.
    ///   - pixels: The result.
    func write<Sample: FixedWidthInteger & UnsignedInteger>(
        _ samples: (y: UnsafePointer<Sample>, cb: UnsafePointer<Sample>, cr: UnsafePointer<Sample>),
        _ columns: Range<Int>, hasHalfColors: Bool, to pixels: UnsafeMutablePointer<Sample>
    ) {
        // The cases are separate, so that the common one is vectorized.
        if hasHalfColors {
            write(samples, columns, shift: 1, to: pixels)
        } else {
            write(samples, columns, shift: 0, to: pixels)
        }
    }

    @inline(__always)
    private func write<Sample: FixedWidthInteger & UnsignedInteger>(
        _ samples: (y: UnsafePointer<Sample>, cb: UnsafePointer<Sample>, cr: UnsafePointer<Sample>),
        _ columns: Range<Int>, shift: Int, to pixels: UnsafeMutablePointer<Sample>
    ) {
        var pixel = pixels
        for column in columns {
            let y = Float(samples.y[column])
            let (cb, cr) = (Float(samples.cb[column >> shift]), Float(samples.cr[column >> shift]))
            pixel[0] = Self.rounded(red.level(y, cb, cr), top)
            pixel[1] = Self.rounded(green.level(y, cb, cr), top)
            pixel[2] = Self.rounded(blue.level(y, cb, cr), top)
            pixel[3] = .max
            pixel += 4
        }
    }

    /// Writes opaque pixels of a gray row.
    func writeGray<Sample: FixedWidthInteger & UnsignedInteger>(
        _ samples: UnsafePointer<Sample>, _ columns: Range<Int>, to pixels: UnsafeMutablePointer<Sample>
    ) {
        var pixel = pixels
        for column in columns {
            let level: Sample = Self.rounded(Float(samples[column]) * luma + black, top)
            pixel[0] = level
            pixel[1] = level
            pixel[2] = level
            pixel[3] = .max
            pixel += 4
        }
    }

    /// Rounds a number and clamps it to 0 and `top`. Adding 1.5 times 2 to the 23rd leaves no bits for a fraction.
    @inline(__always)
    private static func rounded<Sample: FixedWidthInteger>(_ number: Float, _ top: Float) -> Sample {
        Sample(truncatingIfNeeded: (min(top, max(0, number)) + 12_582_912).bitPattern)
    }
}
#endif
