import CKernels
import CalotypeTesting
import Testing

/// The kernels for 16 bits and floating point. Every variant is compared with plain C bit by bit, on memory that ends
/// with its data. Plain C is compared with double precision.
@Suite(.timeLimit(.minutes(5)))
struct FloatKernelTests {
    /// The instruction sets whose variants are compared with plain C. Unsupported ones are replaced by those that the
    /// processor supports.
    private static var instructionSets: [ck_isa] { [CK_SSE42, CK_AVX2, ck_best_isa()] }

    /// Numbers that need special handling, or are close to a rounding limit.
    private static let special: [Float] = [
        0, -0.0, 1, -1, 2, 65_535, 1e30, -1e30, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity,
        -.infinity, .nan, Float(1).nextUp, Float(1).nextDown, 0.5 / 65_535, (0.5 / 65_535 as Float).nextDown,
    ]

    /// Returns intensities that slightly exceed the range, some of them special.
    private func numbers(_ count: Int, _ random: inout SplitMix64) -> GuardedMemory<Float> {
        GuardedMemory(
            (0..<count).map { _ in
                Int.random(in: 0..<6, using: &random) == 0
                    ? Self.special.randomElement(using: &random)! : Float.random(in: -0.25...1.25, using: &random)
            })
    }

    /// Returns numbers for sums, including negative zero.
    private func terms(_ count: Int, _ random: inout SplitMix64) -> GuardedMemory<Float> {
        GuardedMemory(
            (0..<count).map { _ in
                Int.random(in: 0..<6, using: &random) == 0 ? -0.0 : Float.random(in: -0.25...1.25, using: &random)
            })
    }

    /// Returns the bits, with all NaNs equal, since their bits are unspecified.
    private func bits(_ memory: GuardedMemory<Float>) -> [UInt32] {
        memory.elements.map { $0.isNaN ? Float.nan.bitPattern : $0.bitPattern }
    }

    /// Returns memory whose elements were all written by `write`; before that, they had other values.
    private func written<Element: ExpressibleByIntegerLiteral>(
        _ count: Int, _ write: (UnsafeMutablePointer<Element>) -> Void
    ) -> GuardedMemory<Element> {
        let memory = GuardedMemory<Element>([Element](repeating: 77, count: count))
        write(memory.base)
        return memory
    }

    // MARK: Rows

    @Test(arguments: 1...67)
    func `rows are packed and unpacked alike by all variants`(width: Int) {
        var random = SplitMix64(seed: UInt64(width))
        let count = width * 4
        let whole = GuardedMemory(
            (0..<count).map { _ in
                Int.random(in: 0..<4, using: &random) == 0
                    ? 65_535 * UInt16.random(in: 0...1, using: &random)
                    : UInt16(truncatingIfNeeded: random.next())
            })
        let floats = numbers(count, &random)
        for isOpaque in [false, true] {
            func all(_ isa: ck_isa) -> (packedWhole: [UInt32], packed: [UInt32], whole: [UInt16], floats: [UInt32]) {
                (
                    bits(written(count) { ck_resize_pack_rgba16_isa(isa, whole.base, width, isOpaque, $0) }),
                    bits(written(count) { ck_resize_pack_rgbaf_isa(isa, floats.base, width, isOpaque, $0) }),
                    written(count) { ck_resize_unpack_rgba16_isa(isa, floats.base, width, isOpaque, $0) }.elements,
                    bits(written(count) { ck_resize_unpack_rgbaf_isa(isa, floats.base, width, isOpaque, $0) })
                )
            }
            let expected = all(CK_SCALAR)
            for isa in Self.instructionSets {
                let isEqual = all(isa) == expected
                #expect(isEqual, "opaque \(isOpaque), set \(isa.rawValue)")
            }
        }
    }

    @Test(arguments: 1...67)
    func `values that only pass through are unchanged`(width: Int) {
        var random = SplitMix64(seed: UInt64(width))
        let count = width * 4
        let values = (0..<count).map { _ in UInt16(truncatingIfNeeded: random.next()) }
        let windows = GuardedMemory((0..<width).map { ck_window_f32(start: Int32($0), taps: 1, offset: 0) })
        let one = GuardedMemory<Float>([1])
        for isa in Self.instructionSets + [CK_SCALAR] {
            func passed(_ packed: GuardedMemory<Float>) -> GuardedMemory<Float> {
                let filtered = written(count) {
                    ck_resize_horizontal_f32_isa(isa, packed.base, windows.base, one.base, width, $0)
                }
                return written(count) { output in
                    withExtendedLifetime(filtered) {
                        ck_resize_vertical_f32_isa(isa, [UnsafePointer(filtered.base)], one.base, 1, width, output)
                    }
                }
            }
            for isOpaque in [false, true] {
                var expected = values
                for pixel in 0..<width {
                    if isOpaque {
                        expected[pixel * 4 + 3] = 65_535
                    } else if pixel % 5 == 0 || expected[pixel * 4 + 3] == 0 {
                        for channel in 0..<4 { expected[pixel * 4 + channel] = 0 }
                    }
                }

                let whole = GuardedMemory(expected)
                let packed = written(count) { ck_resize_pack_rgba16_isa(isa, whole.base, width, isOpaque, $0) }
                let summed = passed(packed)
                let made = written(count) { ck_resize_unpack_rgba16_isa(isa, summed.base, width, isOpaque, $0) }
                let isEqual = made.elements == expected
                #expect(isEqual, "opaque \(isOpaque), set \(isa.rawValue)")

                let fractions = GuardedMemory(expected.map { Float($0) / 65_535 })
                let packedFractions = written(count) {
                    ck_resize_pack_rgbaf_isa(isa, fractions.base, width, isOpaque, $0)
                }
                let summedFractions = passed(packedFractions)
                let madeFractions = written(count) {
                    ck_resize_unpack_rgbaf_isa(isa, summedFractions.base, width, isOpaque, $0)
                }
                let farthest = zip(madeFractions.elements, fractions.elements).map { abs($0 - $1) }.max() ?? 1
                #expect(farthest <= 1e-6, "opaque \(isOpaque), set \(isa.rawValue)")
            }
        }
    }

    /// A premultiplied pixel, and the expected straight pixel in 16 bits and in floats.
    static let pixels: [(premultiplied: [Float], whole: [UInt16], floats: [Float])] = [
        ([0.25, 0.5, 0, 0.5], [32_768, 65_535, 0, 32_768], [0.5, 1, 0, 0.5]),
        // Color beyond alpha is clamped where necessary.
        ([0.75, -0.5, 0.5, 0.5], [65_535, 0, 65_535, 32_768], [1.5, -1, 1, 0.5]),
        // Color is scaled together with an alpha beyond full.
        ([1, 0.5, 2, 2], [32_768, 16_384, 65_535, 65_535], [0.5, 0.25, 1, 1]),
        ([0.5, 0.5, 0.5, 0], [0, 0, 0, 0], [0, 0, 0, 0]),
        ([0.5, 0.5, 0.5, -1], [0, 0, 0, 0], [0, 0, 0, 0]),
        ([0.5, 0.5, 0.5, .nan], [0, 0, 0, 0], [0, 0, 0, 0]),
        ([-.infinity, .infinity, 1, 1], [0, 65_535, 65_535, 65_535], [-.infinity, .infinity, 1, 1]),
        // An alpha below half a 16-bit level is zero there, but not in floats.
        ([1 / 262_144, 0, 0, 1 / 262_144], [0, 0, 0, 0], [1, 0, 0, 1 / 262_144]),
    ]

    @Test func `pixels are unpremultiplied as specified`() {
        let row = GuardedMemory(Self.pixels.flatMap(\.premultiplied))
        let width = Self.pixels.count
        for isa in Self.instructionSets + [CK_SCALAR] {
            let whole = written(width * 4) { ck_resize_unpack_rgba16_isa(isa, row.base, width, false, $0) }
            #expect(whole.elements == Self.pixels.flatMap(\.whole), "set \(isa.rawValue)")
            let floats = written(width * 4) { ck_resize_unpack_rgbaf_isa(isa, row.base, width, false, $0) }
            #expect(floats.elements == Self.pixels.flatMap(\.floats), "set \(isa.rawValue)")
        }
    }

    // MARK: Sums

    @Test(arguments: 1...67)
    func `rows are filtered alike by all variants, as in double precision`(count: Int) {
        var random = SplitMix64(seed: UInt64(count))
        let coefficients = terms(40, &random)
        for width in [1, 2, 9, 67] {
            let row = terms(width * 4, &random)
            let windows = GuardedMemory(
                (0..<count).map { _ -> ck_window_f32 in
                    let taps = Int.random(in: 0...min(width, 40), using: &random)
                    return ck_window_f32(
                        start: Int32.random(in: 0...Int32(width - taps), using: &random), taps: Int32(taps),
                        offset: Int32.random(in: 0...Int32(40 - taps), using: &random))
                })
            func filtered(_ isa: ck_isa) -> GuardedMemory<Float> {
                written(count * 4) {
                    ck_resize_horizontal_f32_isa(isa, row.base, windows.base, coefficients.base, count, $0)
                }
            }
            let plain = filtered(CK_SCALAR)
            var farthest = 0.0
            for (index, window) in windows.elements.enumerated() {
                for channel in 0..<4 {
                    let exact = (0..<Int(window.taps)).reduce(0.0) { sum, tap in
                        sum + Double(row.base[(Int(window.start) + tap) * 4 + channel])
                            * Double(coefficients.base[Int(window.offset) + tap])
                    }
                    farthest = max(farthest, abs(exact - Double(plain.base[index * 4 + channel])))
                }
            }
            #expect(farthest <= 1e-5, "width \(width)")
            for isa in Self.instructionSets {
                let isEqual = bits(filtered(isa)) == bits(plain)
                #expect(isEqual, "width \(width), set \(isa.rawValue)")
            }
        }
    }

    @Test(arguments: 1...67)
    func `columns are filtered alike by all variants, as in double precision`(width: Int) {
        var random = SplitMix64(seed: UInt64(width))
        for taps in [0, 1, 2, 7, 19] {
            let rows = (0..<taps).map { _ in terms(width * 4, &random) }
            let coefficients = terms(taps, &random)
            let pointers = rows.map { UnsafePointer($0.base) }
            func filtered(_ isa: ck_isa) -> GuardedMemory<Float> {
                written(width * 4) { output in
                    withExtendedLifetime(rows) {
                        ck_resize_vertical_f32_isa(isa, pointers, coefficients.base, taps, width, output)
                    }
                }
            }
            let plain = filtered(CK_SCALAR)
            let farthest = (0..<width * 4).map { index in
                let exact = (0..<taps).reduce(0.0) { sum, tap in
                    sum + Double(rows[tap].base[index]) * Double(coefficients.base[tap])
                }
                return abs(exact - Double(plain.base[index]))
            }
            #expect(farthest.max()! <= 1e-5, "taps \(taps)")
            for isa in Self.instructionSets {
                let isEqual = bits(filtered(isa)) == bits(plain)
                #expect(isEqual, "taps \(taps), set \(isa.rawValue)")
            }
        }
    }
}
