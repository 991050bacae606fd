#if HEIF
import Calotype

/// A conversion from Y, Cb and Cr to red, green and blue. Subsampled chroma is repeated, not interpolated.
///
/// Source: ITU-T H.273 (07/2021), section 8.3.
struct ColorMatrix {
    private let red: Sum
    private let green: Sum
    private let blue: Sum
    /// The factor by which Y is multiplied in a gray picture.
    private let luma: Float
    /// The constant that is added to the product of Y and ``luma`` in a gray picture.
    private let black: Float
    /// The maximum level of a channel: 255 or 65,535.
    private let top: Float

    /// Creates the matrix for a color description. Returns nil if the matrix is unsupported or depends on unknown
    /// primaries.
    /// - Parameter bitDepth: The number of bits of a sample. Channels have 8 bits if this is 8, and 16 if it is more.
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
            // Y, Cg and Co are computed from red, green and blue that already have the stored range, so all three have
            // the scale of luma.
            red = sum(-1, 1, times: luma)
            green = sum(1, 0, times: luma)
            blue = sum(-1, -1, times: luma)
        }
    }

    /// The weights of Y, Cb and Cr for a channel, and the constant that is added to their weighted sum.
    private struct Sum {
        let y: Float
        let cb: Float
        let cr: Float
        let added: Float

        @inline(__always)
        func level(_ y: Float, _ cb: Float, _ cr: Float) -> Float { y * self.y + cb * self.cb + cr * self.cr + added }
    }

    /// The relation of the samples to red, green and blue.
    private enum Kind {
        /// The samples are green, blue and red, in this order.
        case identity
        /// The samples are luma, and the differences of blue and red from luma. The associated values are the weights
        /// of red and blue in luma.
        case differences((red: Double, blue: Double))
        /// The samples are luma and the color differences of YCgCo.
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

    /// Converts a row of samples to red, green and blue, and writes the pixels with full alpha.
    /// - Parameters:
    ///   - samples: Y, Cb and Cr of the row.
    ///   - columns: The columns of the row to write.
    ///   - hasHalfColors: Whether two neighboring pixels share a sample of Cb and Cr.
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

    /// Converts a row of gray samples, and writes the pixels with full alpha.
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

    /// Rounds a number and clamps it to 0...`top`.
    ///
    /// Adding 12,582,912 (1.5 times 2 to the 23rd) rounds the number, because a `Float` of this magnitude has no bits
    /// for a fraction. The lowest bits of the sum are the rounded number.
    @inline(__always)
    private static func rounded<Sample: FixedWidthInteger>(_ number: Float, _ top: Float) -> Sample {
        Sample(truncatingIfNeeded: (min(top, max(0, number)) + 12_582_912).bitPattern)
    }
}
#endif
