import CKernels
import CalotypeTesting
import Testing

/// The kernels for planes. Every variant is compared with plain C bit by bit, on memory that ends with its data. Plain
/// C is compared with the expected results.
@Suite(.timeLimit(.minutes(5)))
struct PlaneKernelTests {
    /// The instruction sets whose variants are compared with plain C. Unsupported ones are replaced by those that the
    /// processor supports.
    private var instructionSets: [ck_isa] { [CK_SSE42, CK_AVX2, ck_best_isa()] }

    private func samples(_ count: Int, in range: ClosedRange<Int16>, _ random: inout SplitMix64) -> GuardedMemory<Int16>
    {
        GuardedMemory((0..<count).map { _ in Int16.random(in: range, using: &random) })
    }

    /// The ranges of samples: those of pictures, those of ringing, and all values.
    private static let ranges: [ClosedRange<Int16>] = [0...16_320, -4000...20_000, .min ... .max]

    // MARK: Packing

    private func pack(_ isa: ck_isa, _ rows: [GuardedMemory<UInt8>?], width: Int) -> [Int16] {
        let count = ck_resize_packed_pixels(width) * 4
        let packed0 = GuardedMemory<Int16>(count: count)
        let packed1 = GuardedMemory<Int16>(count: count)
        // Previous contents must be overwritten.
        for index in 0..<count { (packed0.base[index], packed1.base[index]) = (-7, -7) }
        let pointers = rows.map { row in row.map { UnsafePointer($0.base) } }
        ck_planes_pack8_isa(isa, pointers, width, packed0.base, packed1.base)
        return packed0.elements + packed1.elements
    }

    @Test(arguments: 1...67)
    func `eight rows take the places of components`(width: Int) {
        var random = SplitMix64(seed: UInt64(width))
        let count = ck_resize_packed_pixels(width) * 4
        for present in [8, 7, 6, 4, 1, 0] {
            let rows = (0..<8).map { row in
                row >= present
                    ? nil : GuardedMemory((0..<width).map { _ in UInt8(truncatingIfNeeded: random.next()) })
            }
            var expected = [Int16](repeating: 0, count: count * 2)
            for (index, row) in rows.enumerated() {
                for (pixel, sample) in (row?.elements ?? []).enumerated() {
                    let place = pixel / 2 * 8 + index % 4 * 2 + pixel % 2
                    expected[index / 4 * count + place] = Int16(sample) * 64
                }
            }
            for isa in instructionSets + [CK_SCALAR] {
                let isEqual = pack(isa, rows, width: width) == expected
                #expect(isEqual, "\(present) rows, set \(isa.rawValue)")
            }
        }
    }

    // MARK: Filtering along the column

    private func column(
        _ isa: ck_isa, _ octets: [GuardedMemory<Int16>], _ coefficients: GuardedMemory<Int16>, precision: Int32,
        width: Int
    ) -> [Int16] {
        let output = GuardedMemory<Int16>(count: width)
        let pointers = octets.map { UnsafePointer($0.base) }
        ck_planes_vertical_isa(
            isa, pointers, coefficients.base, octets.count, precision, width, output.base)
        return output.elements
    }

    @Test(arguments: 1...67)
    func `columns of planes are filtered alike by all variants`(width: Int) {
        var random = SplitMix64(seed: UInt64(width))
        for count in [0, 1, 2, 5] {
            for range in Self.ranges {
                let octets = (0..<count).map { _ in samples(width * 8, in: range, &random) }
                // Products of the smallest values, added in pairs, exceed an int32.
                for octet in octets where range.lowerBound == .min { for place in 0..<8 { octet.base[place] = .min } }
                let coefficients = samples(
                    count * 8, in: range.lowerBound == .min ? .min ... -32_000 : -3000...9000, &random)
                for precision in [7, 14, 16] as [Int32] {
                    let expected = column(CK_SCALAR, octets, coefficients, precision: precision, width: width)
                    for isa in instructionSets {
                        let made = column(isa, octets, coefficients, precision: precision, width: width)
                        let isEqual = made == expected
                        #expect(isEqual, "\(count) octets, precision \(precision), set \(isa.rawValue)")
                    }
                }
            }
        }
    }

    @Test func `a column of planes is the rounded sum of its weighted rows`() {
        var random = SplitMix64(seed: 4)
        let width = 200
        for count in 1...4 {
            let octets = (0..<count).map { _ in samples(width * 8, in: -2000...20_000, &random) }
            let coefficients = samples(count * 8, in: -2000...6000, &random)
            let made = column(CK_SCALAR, octets, coefficients, precision: 14, width: width)
            let expected = (0..<width).map { pixel in
                var sum = 0.0
                for (index, octet) in octets.enumerated() {
                    for row in 0..<8 {
                        sum += Double(octet.base[pixel * 8 + row]) * Double(coefficients.base[index * 8 + row])
                    }
                }
                return Int16(min(max((sum / 16_384 + 0.5).rounded(.down), -32_768), 32_767))
            }
            #expect(made == expected, "\(count) octets")
        }
    }

    @Test func `packing and filtering keep the order of rows`() {
        // Windows of one pixel, then each of the eight rows alone.
        var random = SplitMix64(seed: 5)
        let width = 37
        var rows: [GuardedMemory<UInt8>] = []
        for _ in 0..<8 {
            let levels = (0..<width).map { _ -> UInt8 in UInt8(truncatingIfNeeded: random.next()) }
            rows.append(GuardedMemory(levels))
        }
        let packed = GuardedMemory(pack(ck_best_isa(), rows, width: width))
        let one = GuardedMemory<Int16>([16_384, 0, 0, 0, 0, 16_384, 0, 0])
        let windows = (0..<width).map { (pixel: Int) -> ck_window8 in
            let (start, offset): (Int, Int) = (pixel & ~1, pixel % 2 * 4)
            return ck_window8(start: Int32(start), groups: 1, offset: Int32(offset))
        }
        let octet = GuardedMemory<Int16>(count: width * 8)
        ck_resize_horizontal8(
            packed.base, packed.base + packed.count / 2, windows, one.base, 14, width, octet.base)
        for (place, row) in [0, 4, 1, 5, 2, 6, 3, 7].enumerated() {
            let coefficients = GuardedMemory<Int16>(count: 8)
            coefficients.base[place] = 16_384
            let made = column(ck_best_isa(), [octet], coefficients, precision: 14, width: width)
            let expected = rows[row].elements.map { (level: UInt8) -> Int16 in Int16(level) * 64 }
            #expect(made == expected, "row \(row)")
        }
    }

    // MARK: Color

    private func color(
        _ isa: ck_isa, _ y: GuardedMemory<Int16>, _ cb: GuardedMemory<Int16>, _ cr: GuardedMemory<Int16>
    ) -> [UInt8] {
        let output = GuardedMemory<UInt8>(count: y.count * 4)
        ck_planes_ycc_rgba8_isa(isa, y.base, cb.base, cr.base, y.count, output.base)
        return output.elements
    }

    private func gray(_ isa: ck_isa, _ y: GuardedMemory<Int16>) -> [UInt8] {
        let output = GuardedMemory<UInt8>(count: y.count * 4)
        ck_planes_gray_rgba8_isa(isa, y.base, y.count, output.base)
        return output.elements
    }

    /// Returns the red, green, blue and alpha of samples in 1/64 levels. The contributions to Y are those of libjpeg at
    /// whole levels of Cb and Cr, and interpolated between them.
    private func interpolatedColor(_ y: Int16, _ cb: Int16, _ cr: Int16) -> [UInt8] {
        let (blueLevel, redLevel) = (Int(cb) >> 6, Int(cr) >> 6)
        let (blueRest, redRest) = (Int(cb) & 63, Int(cr) & 63)
        func between(_ start: Int, _ end: Int, _ rest: Int) -> Int { start * (64 - rest) + end * rest }
        func green(_ cr: Int) -> Int {
            between(LibJPEGColor.green(blueLevel, cr), LibJPEGColor.green(blueLevel + 1, cr), blueRest)
        }
        let offsets = [
            between(LibJPEGColor.red(redLevel), LibJPEGColor.red(redLevel + 1), redRest),
            (between(green(redLevel), green(redLevel + 1), redRest) + 32) >> 6,
            between(LibJPEGColor.blue(blueLevel), LibJPEGColor.blue(blueLevel + 1), blueRest),
        ]
        return offsets.map { UInt8(min(max((Int(y) + $0 + 32) >> 6, 0), 255)) } + [255]
    }

    /// Source: ITU-T T.871 (JFIF), 7.
    private func exactColor(_ y: Int16, _ cb: Int16, _ cr: Int16) -> [Double] {
        let (y, cb, cr) = (Double(y) / 64, Double(cb) / 64 - 128, Double(cr) / 64 - 128)
        let color = [y + 1.402 * cr, y - (0.114 * 1.772 * cb + 0.299 * 1.402 * cr) / 0.587, y + 1.772 * cb]
        return color.map { min(max($0, 0), 255) } + [255]
    }

    /// The largest allowed difference: half a level of the contribution to Y, half a level of the sum, 1/128 of green,
    /// and the low precision of libjpeg's factors.
    private static let colorTolerance = 1.03

    /// Compares all variants with the expected results, and those with exact arithmetic.
    private func compareColor(_ planes: [GuardedMemory<Int16>], _ what: String) {
        var expected: [UInt8] = []
        var farthest = 0.0
        for pixel in 0..<planes[0].count {
            let (y, cb, cr) = (planes[0].base[pixel], planes[1].base[pixel], planes[2].base[pixel])
            let color = interpolatedColor(y, cb, cr)
            for (level, exact) in zip(color, exactColor(y, cb, cr)) {
                farthest = max(farthest, abs(Double(level) - exact))
            }
            expected += color
        }
        #expect(farthest <= Self.colorTolerance, "\(what)")
        for isa in instructionSets + [CK_SCALAR] {
            let isEqual = color(isa, planes[0], planes[1], planes[2]) == expected
            #expect(isEqual, "\(what), set \(isa.rawValue)")
        }
    }

    @Test(arguments: 1...67)
    func `planes are converted to color nearly exactly, alike in all variants`(width: Int) {
        var random = SplitMix64(seed: UInt64(width))
        for range in Self.ranges {
            for isExtreme in [false, true] {
                let planes = (0..<3).map { _ in
                    let plane = samples(width, in: range, &random)
                    for index in 0..<width where isExtreme {
                        let ends = [range.lowerBound, range.upperBound, 8192]
                        plane.base[index] = ends[Int.random(in: 0..<3, using: &random)]
                    }
                    return plane
                }
                compareColor(planes, "samples of \(range)")
            }
        }
    }

    private func limitedColor(
        _ isa: ck_isa, _ y: GuardedMemory<Int16>, _ cb: GuardedMemory<Int16>, _ cr: GuardedMemory<Int16>
    ) -> [UInt8] {
        let output = GuardedMemory<UInt8>(count: y.count * 4)
        ck_planes_limited_rgba8_isa(isa, y.base, cb.base, cr.base, y.count, output.base)
        return output.elements
    }

    @Test(arguments: 1...67)
    func `planes of limited range are converted exactly, alike in all variants`(width: Int) {
        var random = SplitMix64(seed: UInt64(width))
        for range in Self.ranges {
            let planes = (0..<3).map { _ in samples(width, in: range, &random) }
            let expected = limitedColor(CK_SCALAR, planes[0], planes[1], planes[2])
            for isa in instructionSets {
                let isEqual = limitedColor(isa, planes[0], planes[1], planes[2]) == expected
                #expect(isEqual, "samples of \(range), set \(isa.rawValue)")
            }
            // Values beyond the range of ringing do not fit into 16 bits.
            guard range.upperBound < .max else { continue }
            for pixel in 0..<width {
                let (y, cb, cr) = (planes[0].base[pixel], planes[1].base[pixel], planes[2].base[pixel])
                func full(_ value: Int16, from start: Double, _ levels: Double) -> Int16 {
                    Int16(((Double(value) - 64 * start) * 255 / levels).rounded())
                }
                // 219 levels of Y and 224 of Cb and Cr. Source: ITU-R BT.601-7, section 2.5.
                let exact = exactColor(
                    full(y, from: 16, 219), full(cb, from: 128, 224) + 8192, full(cr, from: 128, 224) + 8192)
                for (level, exact) in zip(expected[4 * pixel..<4 * pixel + 4], exact) {
                    #expect(abs(Double(level) - exact) <= 0.55, "\(y), \(cb), \(cr)")
                }
            }
        }
    }

    @Test func `chroma between and beyond the levels is converted to color in between`() {
        var random = SplitMix64(seed: 6)
        // The strides are odd, so that all 64 steps between levels occur.
        for cb in stride(from: Int16(-4000), through: 20_000, by: 97) {
            let redness = GuardedMemory(Array(stride(from: Int16(-4000), through: 20_000, by: 101)))
            let blueness = GuardedMemory([Int16](repeating: cb, count: redness.count))
            let luma = samples(redness.count, in: 0...16_320, &random)
            compareColor([luma, blueness, redness], "Cb of \(cb) / 64")
        }
    }

    @Test func `whole levels are converted as by libjpeg`() {
        let levels = Array(0..<256)
        let redness = GuardedMemory(levels.map { Int16($0 * 64) })
        for cb in levels {
            let blueness = GuardedMemory([Int16](repeating: Int16(cb * 64), count: levels.count))
            // Each Cr is combined with another Y.
            let luma = levels.map { ($0 * 53 + cb * 29) % 256 }
            let expected = levels.flatMap { cr in LibJPEGColor.color(luma[cr], cb, cr) + [255] }.map { UInt8($0) }
            for isa in instructionSets + [CK_SCALAR] {
                let made = color(isa, GuardedMemory(luma.map { Int16($0 * 64) }), blueness, redness)
                let isEqual = made == expected
                #expect(isEqual, "Cb of \(cb), set \(isa.rawValue)")
            }
        }
    }

    @Test func `planes without color become gray, to the bit`() {
        let y = GuardedMemory((0...16_320).map { Int16($0) })
        let neutral = GuardedMemory([Int16](repeating: 8192, count: y.count))
        let made = color(ck_best_isa(), y, neutral, neutral)
        let isEqual = made == gray(ck_best_isa(), y)
        #expect(isEqual)
    }

    @Test(arguments: 1...67)
    func `gray is rounded and clamped, alike in all variants`(width: Int) {
        var random = SplitMix64(seed: UInt64(width))
        for range in Self.ranges {
            let y = samples(width, in: range, &random)
            (y.base[0], y.base[width - 1]) = (range.lowerBound, range.upperBound)
            let expected = y.elements.flatMap { value -> [UInt8] in
                let level = UInt8(min(max((Double(value) / 64 + 0.5).rounded(.down), 0), 255))
                return [level, level, level, 255]
            }
            for isa in instructionSets + [CK_SCALAR] {
                let made = gray(isa, y)
                #expect(made == expected, "set \(isa.rawValue)")
            }
        }
    }
}
