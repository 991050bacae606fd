import CKernels
import CalotypeTesting
import Foundation
import Testing

/// The kernels for linear light. Every variant is compared with plain C bit by bit, on memory that ends with its data.
/// Plain C is compared with double precision.
@Suite(.timeLimit(.minutes(5)))
struct LinearKernelTests {
    /// The instruction sets whose variants are compared with plain C. Unsupported ones are replaced by those that the
    /// processor supports.
    private static var instructionSets: [ck_isa] { [CK_SSE42, CK_AVX2, ck_best_isa()] }

    /// Returns the linear intensity of a level, where 1 is full in both. Source: IEC 61966-2-1.
    private static func light(_ level: Double) -> Double {
        level <= 0.04045 ? level / 12.92 : pow((level + 0.055) / 1.055, 2.4)
    }

    /// Returns the level of a linear intensity.
    private static func level(_ light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }

    /// The table from levels to linear values, where full is 16320.
    private let toLinear = GuardedMemory((0..<256).map { Int16((Self.light(Double($0) / 255) * 16_320).rounded()) })
    /// The table from linear values to levels.
    private let fromLinear = GuardedMemory(
        (0...16_320).map { UInt8((Self.level(Double($0) / 16_320) * 255).rounded()) })

    private func bytes(_ count: Int, _ random: inout SplitMix64) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    // MARK: Packing

    private func pack(
        _ isa: ck_isa, _ row0: GuardedMemory<UInt8>, _ row1: GuardedMemory<UInt8>?, isOpaque: Bool,
        table: GuardedMemory<Int16>
    ) -> (GuardedMemory<Int16>, GuardedMemory<Int16>) {
        let width = row0.count / 4
        let count = ck_resize_packed_pixels(width) * 4
        let packed0 = GuardedMemory<Int16>(count: count)
        let packed1 = GuardedMemory<Int16>(count: count)
        // Previous contents must be overwritten.
        for index in 0..<count { (packed0.base[index], packed1.base[index]) = (-7, -7) }
        ck_resize_pack8_linear_isa(
            isa, row0.base, row1.map { UnsafePointer($0.base) }, width, isOpaque, table.base, packed0.base,
            packed1.base)
        return (packed0, packed1)
    }

    @Test(arguments: 1...67)
    func `rows are packed in linear light alike by all variants`(width: Int) {
        var random = SplitMix64(seed: UInt64(width))
        // A table that does not begin with zero. The padding after the last pixel must be zero nevertheless.
        let anyTable = GuardedMemory((0..<256).map { _ in Int16.random(in: 1...16_320, using: &random) })
        for alpha in [0, 1, 255, nil] as [UInt8?] {
            let rows = (0..<2).map { _ in
                var row = bytes(width * 4, &random)
                if let alpha { for pixel in 0..<width { row[pixel * 4 + 3] = alpha } }
                return GuardedMemory(row)
            }
            for isOpaque in [false, true] {
                for second in [rows[1], rows[0], nil] {
                    for table in [toLinear, anyTable] {
                        let expected = pack(CK_SCALAR, rows[0], second, isOpaque: isOpaque, table: table)
                        for isa in Self.instructionSets {
                            let made = pack(isa, rows[0], second, isOpaque: isOpaque, table: table)
                            let isEqual =
                                made.0.elements == expected.0.elements && made.1.elements == expected.1.elements
                            #expect(
                                isEqual,
                                "alpha \(String(describing: alpha)), opaque \(isOpaque), set \(isa.rawValue)")
                        }
                    }
                }
            }
        }
    }

    @Test func `any linear value is multiplied by any alpha exactly`() {
        // All remainders of a division by 255, near zero, in the middle and near full.
        for first in [0, 8000, 16_065] {
            let table = GuardedMemory((0..<256).map { (level: Int) -> Int16 in Int16(first + level) })
            for alpha in 0...255 {
                let bytes = (0..<256).flatMap { (level: Int) -> [UInt8] in
                    [UInt8(level), UInt8(255 - level), UInt8(level ^ 0x55), UInt8(alpha)]
                }
                let row = GuardedMemory(bytes)
                var expected = [Int16](repeating: 0, count: ck_resize_packed_pixels(256) * 4)
                for (index, byte) in bytes.enumerated() {
                    let (pixel, channel) = (index / 4, index % 4)
                    // There are no ties, so the rounding mode does not matter.
                    let value: Int = first + Int(byte)
                    let exact: Double = channel == 3 ? Double(alpha * 64) : Double(value * alpha) / 255
                    let place: Int = pixel / 2 * 8 + channel * 2 + pixel % 2
                    expected[place] = Int16(exact.rounded())
                }
                for isa in Self.instructionSets + [CK_SCALAR] {
                    let isEqual = pack(isa, row, nil, isOpaque: false, table: table).0.elements == expected
                    #expect(isEqual, "values from \(first), alpha \(alpha), set \(isa.rawValue)")
                }
            }
        }
    }

    // MARK: Filtering along the column

    private func column(
        _ isa: ck_isa, _ rows: [GuardedMemory<Int16>], _ coefficients: GuardedMemory<Int16>, precision: Int32,
        width: Int, isOpaque: Bool
    ) -> [UInt8] {
        let output = GuardedMemory<UInt8>(count: width * 4)
        let pointers = rows.map { UnsafePointer($0.base) }
        ck_resize_vertical8_linear_isa(
            isa, pointers, coefficients.base, rows.count, precision, width, isOpaque, fromLinear.base, output.base)
        return output.elements
    }

    @Test(arguments: 1...67)
    func `columns are filtered in linear light alike by all variants`(width: Int) {
        var random = SplitMix64(seed: UInt64(width))
        // The ranges of pictures, and all values, at which sums overflow.
        let ranges: [(sample: ClosedRange<Int16>, coefficient: ClosedRange<Int16>)] = [
            (0...16_320, -3000...9000), (.min ... .max, .min ... .max),
        ]
        for pairs in [0, 1, 2, 5] {
            for (sampleRange, coefficientRange) in ranges {
                let rows = (0..<pairs).map { _ in
                    GuardedMemory((0..<width * 8).map { _ in Int16.random(in: sampleRange, using: &random) })
                }
                for row in rows {
                    for pixel in 0..<width where pixel / 9 % 3 != 2 {
                        for place in [6, 7] { row.base[pixel * 8 + place] = pixel / 9 % 3 == 0 ? 16_320 : 0 }
                    }
                }
                let coefficients = GuardedMemory(
                    (0..<pairs * 2).map { _ in Int16.random(in: coefficientRange, using: &random) })
                for precision in [7, 14, 16] as [Int32] {
                    for isOpaque in [false, true] {
                        let expected = column(
                            CK_SCALAR, rows, coefficients, precision: precision, width: width, isOpaque: isOpaque)
                        for isa in Self.instructionSets {
                            let made = column(
                                isa, rows, coefficients, precision: precision, width: width, isOpaque: isOpaque)
                            let isEqual = made == expected
                            #expect(isEqual, "precision \(precision), opaque \(isOpaque), set \(isa.rawValue)")
                        }
                    }
                }
            }
        }
    }

    @Test func `color far beyond its alpha is clamped to full, and below zero to none`() {
        let width = 19
        // With the lowest visible alpha, color exceeds the range of an integer before it is clamped.
        let coefficients = GuardedMemory<Int16>([.max, 32])
        for (alpha, expected) in [(127, [255, 0, 0, 1]), (122, [0, 0, 0, 0])] as [(Int16, [UInt8])] {
            let pixel = [.max, 0, .min, 0, 0, 0, 0, alpha] as [Int16]
            let row = GuardedMemory((0..<width).flatMap { _ in pixel })
            for isa in Self.instructionSets + [CK_SCALAR] {
                let made = column(isa, [row], coefficients, precision: 7, width: width, isOpaque: false)
                #expect(made == (0..<width).flatMap { _ in expected }, "set \(isa.rawValue)")
            }
        }
    }

    @Test(arguments: [false, true])
    func `a column is as exact as its fixed point allows`(isOpaque: Bool) {
        var random = SplitMix64(seed: 3)
        let width = 640
        let coefficients = GuardedMemory<Int16>([-1000, 3000, 9000, 6384, -1500, 500])
        var alphas: [Int16] = []
        for _ in 0..<width { alphas.append(isOpaque ? 16_320 : Int16.random(in: 0...16_320, using: &random)) }
        var rows: [GuardedMemory<Int16>] = []
        for _ in 0..<3 {
            let samples = (0..<width * 8).map { (index: Int) -> Int16 in
                let alpha = alphas[index / 8]
                return index % 8 >= 6 ? alpha : Int16.random(in: 0...alpha, using: &random)
            }
            rows.append(GuardedMemory(samples))
        }
        let made = column(CK_SCALAR, rows, coefficients, precision: 14, width: width, isOpaque: isOpaque)
        func sum(_ pixel: Int, _ channel: Int) -> Double {
            var sum = 0.0
            for (pair, row) in rows.enumerated() {
                for place in 0..<2 {
                    let sample = Double(row.base[pixel * 8 + channel * 2 + place])
                    let coefficient = Double(coefficients.base[pair * 2 + place])
                    sum += sample * coefficient
                }
            }
            return sum / 16_384
        }
        func exactLevel(_ value: Double) -> Double {
            let light: Double = min(max(value / 16_320, 0), 1)
            return Self.level(light) * 255
        }
        for pixel in 0..<width {
            let alpha: Double = sum(pixel, 3)
            let madeAlpha = Double(made[pixel * 4 + 3])
            let difference: Double = abs(madeAlpha - alpha / 64)
            #expect(difference <= 0.51, "pixel \(pixel)")
            guard madeAlpha > 0 else { continue }
            for channel in 0..<3 {
                // Color, alpha and the index into the table are rounded to units of 1/64.
                let color: Double = sum(pixel, channel)
                let (leastAlpha, mostAlpha): (Double, Double) = (alpha - 0.51, alpha + 0.51)
                var quotients: [Double] = []
                for rounded: Double in [color - 0.51, color + 0.51] {
                    quotients.append(rounded / leastAlpha * 16_320)
                    quotients.append(rounded / mostAlpha * 16_320)
                }
                let (smallest, largest): (Double, Double) = (quotients.min() ?? 0, quotients.max() ?? 0)
                let least: Double = exactLevel(smallest - 0.51) - 0.5
                let most: Double = exactLevel(largest + 0.51) + 0.5
                let isNear = (least...most).contains(Double(made[pixel * 4 + channel]))
                #expect(isNear, "pixel \(pixel), channel \(channel)")
            }
        }
    }

    // MARK: Combination

    /// Returns the mean of two rows in linear light: packed, filtered by windows of one pixel and by a window of two
    /// rows.
    private func mean(_ row0: [UInt8], _ row1: [UInt8], isOpaque: Bool) -> [UInt8] {
        let width = row0.count / 4
        let (packed0, packed1) = pack(
            ck_best_isa(), GuardedMemory(row0), GuardedMemory(row1), isOpaque: isOpaque, table: toLinear)
        let one = GuardedMemory<Int16>([16_384, 0, 0, 0, 0, 16_384, 0, 0])
        let windows = (0..<width).map { (pixel: Int) -> ck_window8 in
            let (start, offset): (Int, Int) = (pixel & ~1, pixel % 2 * 4)
            return ck_window8(start: Int32(start), groups: 1, offset: Int32(offset))
        }
        let pair = GuardedMemory<Int16>(count: width * 8)
        ck_resize_horizontal8(packed0.base, packed1.base, windows, one.base, 14, width, pair.base)
        return column(
            ck_best_isa(), [pair], GuardedMemory([8192, 8192]), precision: 14, width: width, isOpaque: isOpaque)
    }

    @Test func `light is averaged, not levels`() {
        let black = [0, 0, 0, 255] as [UInt8]
        let white = [255, 255, 255, 255] as [UInt8]
        for isOpaque in [false, true] {
            let made = mean(black + white, white + black, isOpaque: isOpaque)
            #expect(made == [188, 188, 188, 255, 188, 188, 188, 255])
        }
    }

    @Test func `the mean of any two levels is that of their light`() {
        for first in 0...255 {
            let row0 = (0...255).flatMap { _ in [UInt8(first), UInt8(first), UInt8(first), 255] as [UInt8] }
            let row1 = (0...255).flatMap { [UInt8($0), UInt8(255 - $0), UInt8(first), 255] as [UInt8] }
            let made = mean(row0, row1, isOpaque: true)
            var farthest = 0.0
            for index in row0.indices {
                let lights = [row0[index], row1[index]].map { Self.light(Double($0) / 255) }
                let exact = Self.level((lights[0] + lights[1]) / 2) * 255
                farthest = max(farthest, abs(Double(made[index]) - exact))
            }
            // For dark colors a level spans only a few steps of the table.
            #expect(farthest <= 0.75, "level \(first) and others")
        }
    }

    @Test func `light is weighted by alpha, and transparent pixels add none`() {
        let colors = stride(from: 64, through: 255, by: 3).map { UInt8($0) }
        let row0 = colors.flatMap { [$0, 255, 64, 255] as [UInt8] }
        for alpha in [0, 64, 200] as [UInt8] {
            let row1 = colors.flatMap { [255 - $0 / 2, 100, $0, alpha] as [UInt8] }
            let made = mean(row0, row1, isOpaque: false)
            let meanAlpha = UInt8((255 + Int(alpha) + 1) / 2)
            #expect(stride(from: 3, to: made.count, by: 4).allSatisfy { made[$0] == meanAlpha })
            let share = Double(alpha) / 255
            var farthest = 0.0
            for index in row0.indices where index % 4 != 3 {
                let (first, second) = (Self.light(Double(row0[index]) / 255), Self.light(Double(row1[index]) / 255))
                let exact = Self.level((first + second * share) / (1 + share)) * 255
                farthest = max(farthest, abs(Double(made[index]) - exact))
            }
            #expect(farthest <= 0.75, "alpha \(alpha)")
        }
    }

    // MARK: 16 bits and floating point

    /// The linear values of all levels of 16 bits.
    private static let lights16 = (0...65_535).map { Float(light(Double($0) / 65_535)) }

    @Test(arguments: [1, 2, 63, 64, 65, 131])
    func `16-bit levels survive a round trip through light`(width: Int) {
        var random = SplitMix64(seed: UInt64(width))
        let table = GuardedMemory(Self.lights16)
        for isOpaque in [false, true] {
            var levels = (0..<width * 4).map { _ in UInt16(truncatingIfNeeded: random.next()) }
            for pixel in 0..<width {
                if isOpaque {
                    levels[pixel * 4 + 3] = 65_535
                } else if pixel % 5 == 0 || levels[pixel * 4 + 3] == 0 {
                    for channel in 0..<4 { levels[pixel * 4 + channel] = 0 }
                }
            }
            let row = GuardedMemory(levels)
            let packed = GuardedMemory<Float>(count: width * 4)
            ck_resize_pack_rgba16_linear(row.base, width, isOpaque, table.base, packed.base)
            var farthest = 0.0
            for (index, level) in levels.enumerated() {
                let alpha = Double(levels[index / 4 * 4 + 3]) / 65_535
                let exact = index % 4 == 3 ? alpha : Self.light(Double(level) / 65_535) * alpha
                farthest = max(farthest, abs(Double(packed.base[index]) - exact))
            }
            #expect(farthest <= 2e-7, "opaque \(isOpaque)")
            let made = GuardedMemory<UInt16>(count: width * 4)
            ck_resize_unpack_rgba16_linear(packed.base, width, isOpaque, made.base)
            #expect(made.elements == levels, "opaque \(isOpaque)")
        }
    }

    @Test(arguments: [1, 2, 63, 64, 65, 131])
    func `floating-point levels, also negative ones, survive a round trip through light`(width: Int) {
        var random = SplitMix64(seed: UInt64(width))
        for isOpaque in [false, true] {
            let levels = (0..<width * 4).map { index -> Float in
                guard index % 4 == 3 else { return Float.random(in: -2...3, using: &random) }
                return isOpaque ? 1 : Float.random(in: 0.1...1, using: &random)
            }
            let row = GuardedMemory(levels)
            let packed = GuardedMemory<Float>(count: width * 4)
            ck_resize_pack_rgbaf_linear(row.base, width, isOpaque, packed.base)
            var farthest = 0.0
            for (index, level) in levels.enumerated() {
                let alpha = Double(levels[index / 4 * 4 + 3])
                let magnitude = Self.light(abs(Double(level))) * alpha
                let exact = index % 4 == 3 ? alpha : level < 0 ? -magnitude : magnitude
                farthest = max(farthest, abs(Double(packed.base[index]) - exact) / max(1, magnitude))
            }
            #expect(farthest <= 1e-6, "opaque \(isOpaque)")
            let made = GuardedMemory<Float>(count: width * 4)
            ck_resize_unpack_rgbaf_linear(packed.base, width, isOpaque, made.base)
            let farthestBack = zip(made.elements, levels).map { abs($0 - $1) }.max() ?? 1
            #expect(farthestBack <= 2e-6, "opaque \(isOpaque)")
        }
    }

    @Test func `invalid colors give the same values as without linear light`() {
        // NaN, infinities, alpha beyond full and below zero, and an invisible pixel.
        let values: [Float] = [
            .nan, .infinity, -.infinity, 1, 2, 0.5, -0.5, 2, 1, 1, 1, -1, 1, 0, 1, .nan, 1, 1, 1, 1e-6, 0, 0, 0, 0,
        ]
        let half = Float(Self.level(0.5))
        let quarter = Float(Self.level(0.25))
        let row = GuardedMemory(values)
        let made = GuardedMemory<Float>(count: values.count)
        ck_resize_unpack_rgbaf_linear(row.base, values.count / 4, false, made.base)
        #expect(made.base[0].isNaN && made.base[1] == .infinity && made.base[2] == -.infinity)
        // Color is scaled together with an alpha beyond full.
        let straight: [Float] = [1, quarter, -quarter, 1]
        for index in 0..<4 { #expect(abs(made.base[4 + index] - straight[index]) <= 1e-6) }
        #expect(made.elements[8..<16].allSatisfy { $0 == 0 })
        #expect(made.elements[20...].allSatisfy { $0 == 0 })

        let levels = GuardedMemory<UInt16>(count: values.count)
        ck_resize_unpack_rgba16_linear(row.base, values.count / 4, false, levels.base)
        #expect(levels.elements[..<4] == [0, 65_535, 0, 65_535])
        #expect(levels.elements[4..<8] == [65_535, UInt16((quarter * 65_535).rounded()), 0, 65_535])
        // This includes alphas that round to zero.
        #expect(levels.elements[8...].allSatisfy { $0 == 0 })

        ck_resize_unpack_rgba16_linear(row.base, values.count / 4, true, levels.base)
        #expect(levels.elements[4..<8] == [65_535, UInt16((half * 65_535).rounded()), 0, 65_535])
    }
}
