import CKernels
import CalotypeTesting
import Testing

/// The kernels for 8 bits, and the checksum. Every variant is compared with plain C bit by bit, on memory that ends
/// with its data.
@Suite(.timeLimit(.minutes(5)))
struct KernelTests {
    /// The kinds of alpha in a row.
    private enum Alpha: CaseIterable {
        case zero
        case least
        case full
        case any

        func value(_ random: inout SplitMix64) -> UInt8 {
            switch self {
            case .zero: 0
            case .least: 1
            case .full: 255
            case .any: UInt8(truncatingIfNeeded: random.next())
            }
        }
    }

    /// The instruction sets whose variants are compared with plain C. Unsupported ones are replaced by those that the
    /// processor supports.
    private var instructionSets: [ck_isa] { [CK_SSE42, CK_AVX2, ck_best_isa()] }

    private func row(width: Int, _ alpha: Alpha, _ random: inout SplitMix64) -> GuardedMemory<UInt8> {
        var bytes: [UInt8] = []
        for _ in 0..<width {
            for _ in 0..<3 { bytes.append(UInt8(truncatingIfNeeded: random.next())) }
            bytes.append(alpha.value(&random))
        }
        return GuardedMemory(bytes)
    }

    private func samples(_ count: Int, in range: ClosedRange<Int16>, _ random: inout SplitMix64) -> GuardedMemory<Int16>
    {
        GuardedMemory((0..<count).map { _ in Int16.random(in: range, using: &random) })
    }

    /// The ranges of samples and coefficients: those of pictures, and all values, at which sums overflow.
    private static let ranges: [(sample: ClosedRange<Int16>, coefficient: ClosedRange<Int16>)] = [
        (0...16_320, -3000...9000), (.min ... .max, .min ... .max),
    ]

    // MARK: Packing

    private func pack(
        _ isa: ck_isa, _ row0: GuardedMemory<UInt8>, _ row1: GuardedMemory<UInt8>?, width: Int, isOpaque: Bool
    ) -> [Int16] {
        let count = ck_resize_packed_pixels(width) * 4
        let packed0 = GuardedMemory<Int16>(count: count)
        let packed1 = GuardedMemory<Int16>(count: count)
        // Previous contents must be overwritten.
        for index in 0..<count { (packed0.base[index], packed1.base[index]) = (-7, -7) }
        ck_resize_pack8_isa(
            isa, row0.base, row1.map { UnsafePointer($0.base) }, width, isOpaque, packed0.base, packed1.base)
        return packed0.elements + packed1.elements
    }

    @Test(arguments: 1...67)
    func `rows are packed alike by all variants`(width: Int) {
        var random = SplitMix64(seed: UInt64(width))
        for alpha in Alpha.allCases {
            let row0 = row(width: width, alpha, &random)
            let row1 = row(width: width, alpha, &random)
            for isOpaque in [false, true] {
                for second in [row1, row0, nil] {
                    let expected = pack(CK_SCALAR, row0, second, width: width, isOpaque: isOpaque)
                    for isa in instructionSets {
                        let isEqual = pack(isa, row0, second, width: width, isOpaque: isOpaque) == expected
                        #expect(isEqual, "alpha \(alpha), opaque \(isOpaque), set \(isa.rawValue)")
                    }
                }
            }
        }
    }

    @Test func `every color and alpha is packed as specified`() {
        let width = 256
        let count = ck_resize_packed_pixels(width) * 4
        for alpha in 0...255 {
            let bytes = (0..<width).flatMap { (level: Int) -> [UInt8] in
                [UInt8(level), UInt8(255 - level), UInt8(level ^ 0x55), UInt8(alpha)]
            }
            let made = pack(CK_SCALAR, GuardedMemory(bytes), nil, width: width, isOpaque: false)
            var expected = [Int16](repeating: 0, count: count * 2)
            for (index, byte) in bytes.enumerated() {
                let (pixel, channel) = (index / 4, index % 4)
                // There are no ties, so the rounding mode does not matter.
                let (level, opacity): (Double, Double) = (Double(byte), Double(alpha))
                let exact: Double = channel == 3 ? level * 64 : level * opacity * 64 / 255
                let place: Int = pixel / 2 * 8 + channel * 2 + pixel % 2
                expected[place] = Int16(exact.rounded())
            }
            let isEqual = made == expected
            #expect(isEqual, "alpha \(alpha)")
        }
    }

    @Test func `a packed row has room for a group of four beyond its last pixel`() {
        let room = [1, 3, 4, 5, 8, 9].map { ck_resize_packed_pixels($0) }
        #expect(room == [8, 8, 8, 12, 12, 16])
    }

    // MARK: Filtering along the row

    @Test(arguments: 1...67)
    func `rows are filtered alike by all variants`(count: Int) {
        var random = SplitMix64(seed: UInt64(count))
        for width in [1, 6, 33, 67] {
            let packedPixels = ck_resize_packed_pixels(width)
            for (sampleRange, coefficientRange) in Self.ranges {
                let packed0 = samples(packedPixels * 4, in: sampleRange, &random)
                let packed1 = samples(packedPixels * 4, in: sampleRange, &random)
                let coefficients = samples(64, in: coefficientRange, &random)
                let most = packedPixels / 4
                var common = 0
                let windows = GuardedMemory(
                    (0..<count).map { index -> ck_window8 in
                        // Four adjacent windows of equal length have a separate implementation, and so have two of
                        // length two.
                        if index % 4 == 0 { common = Int.random(in: 0...min(most, 12), using: &random) }
                        let groups =
                            switch index / 4 % 3 {
                            case 0: common
                            case 1: min(2, most)
                            default: Int.random(in: 0...min(most, 12), using: &random)
                            }
                        let start = Int.random(in: 0...(packedPixels - groups * 4) / 2, using: &random) * 2
                        let offset = Int.random(in: 0...64 - groups * 4, using: &random)
                        return ck_window8(start: Int32(start), groups: Int32(groups), offset: Int32(offset))
                    })
                for precision in [7, 14, 16] as [Int32] {
                    let expected = filter(
                        CK_SCALAR, packed0, packed1, windows, coefficients, precision: precision)
                    for isa in instructionSets {
                        let made = filter(isa, packed0, packed1, windows, coefficients, precision: precision)
                        let isEqual = made == expected
                        #expect(isEqual, "width \(width), precision \(precision), set \(isa.rawValue)")
                    }
                }
            }
        }
    }

    private func filter(
        _ isa: ck_isa, _ packed0: GuardedMemory<Int16>, _ packed1: GuardedMemory<Int16>,
        _ windows: GuardedMemory<ck_window8>, _ coefficients: GuardedMemory<Int16>, precision: Int32
    ) -> [Int16] {
        let output = GuardedMemory<Int16>(count: windows.count * 8)
        ck_resize_horizontal8_isa(
            isa, packed0.base, packed1.base, windows.base, coefficients.base, precision, windows.count, output.base)
        return output.elements
    }

    // MARK: Filtering along the column

    @Test(arguments: 1...67)
    func `columns are filtered alike by all variants`(width: Int) {
        var random = SplitMix64(seed: UInt64(width))
        for pairs in [1, 2, 5] {
            for (sampleRange, coefficientRange) in Self.ranges {
                let rows = (0..<pairs).map { _ in samples(width * 8, in: sampleRange, &random) }
                // Runs of full alpha have a separate implementation, and so have runs of zero alpha.
                for row in rows {
                    for pixel in 0..<width where pixel / 9 % 3 != 2 {
                        for place in [6, 7] { row.base[pixel * 8 + place] = pixel / 9 % 3 == 0 ? 16_320 : 0 }
                    }
                }
                let coefficients = samples(pairs * 2, in: coefficientRange, &random)
                for precision in [7, 14, 16] as [Int32] {
                    for isOpaque in [false, true] {
                        let expected = column(
                            CK_SCALAR, rows, coefficients, precision: precision, width: width, isOpaque: isOpaque)
                        for isa in instructionSets {
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

    @Test func `a column whose weights sum to one leaves flat pixels unchanged`() {
        let width = 37
        // Two rows in one pair, weighted by three eighths and five eighths.
        let coefficients = GuardedMemory<Int16>([6144, 10_240])
        for alpha in [4, 64, 128, 255] {
            let row = GuardedMemory<Int16>(count: width * 8)
            var expected: [UInt8] = []
            for pixel in 0..<width {
                let colors = [pixel * 6, 255 - pixel * 6, 9]
                for (channel, color) in (colors + [alpha]).enumerated() {
                    let value = channel == 3 ? Double(color) * 64 : Double(color * alpha) * 64 / 255
                    for place in [0, 1] { row.base[pixel * 8 + channel * 2 + place] = Int16(value.rounded()) }
                    expected.append(UInt8(color))
                }
            }
            for isa in instructionSets + [CK_SCALAR] {
                let made = column(isa, [row], coefficients, precision: 14, width: width, isOpaque: false)
                #expect(made == expected, "alpha \(alpha), set \(isa.rawValue)")
            }
        }
    }

    @Test(arguments: 1...17)
    func `an alpha below half a level makes a pixel disappear`(width: Int) {
        let coefficients = GuardedMemory<Int16>([6144, 10_240])
        for alpha in [31, 32] as [Int16] {
            // All alphas except the last are equal, which has a separate implementation.
            for last in [0, 31, 32, 16_320] as [Int16] {
                let row = GuardedMemory<Int16>(count: width * 8)
                for place in 0..<width * 8 where place % 8 >= 4 {
                    // Blue and alpha.
                    row.base[place] = place / 8 == width - 1 ? last : alpha
                }
                let pixels: [Int16: [UInt8]] = [
                    0: [0, 0, 0, 0], 31: [0, 0, 0, 0], 32: [0, 0, 255, 1], 16_320: [0, 0, 255, 255],
                ]
                let expected = (0..<width).flatMap { pixels[$0 == width - 1 ? last : alpha]! }
                for isa in instructionSets + [CK_SCALAR] {
                    let made = column(isa, [row], coefficients, precision: 14, width: width, isOpaque: false)
                    #expect(made == expected, "alpha \(alpha), last \(last), set \(isa.rawValue)")
                }
            }
        }
    }

    private func column(
        _ isa: ck_isa, _ rows: [GuardedMemory<Int16>], _ coefficients: GuardedMemory<Int16>, precision: Int32,
        width: Int, isOpaque: Bool
    ) -> [UInt8] {
        let output = GuardedMemory<UInt8>(count: width * 4)
        let pointers = rows.map { UnsafePointer($0.base) }
        ck_resize_vertical8_isa(
            isa, pointers, coefficients.base, rows.count, precision, width, isOpaque, output.base)
        return output.elements
    }

    // MARK: Checksum

    /// Returns the checksum, computed bit by bit as in RFC 3720.
    private func plainChecksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var register: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            register ^= UInt32(byte)
            for _ in 0..<8 { register = register & 1 == 0 ? register >> 1 : register >> 1 ^ 0x82F6_3B78 }
        }
        return ~register
    }

    /// Source: RFC 3720, appendix B.4. The last one is the usual check value.
    static let checksums: [([UInt8], UInt32)] = [
        ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
        ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
        ((0..<32).map { UInt8($0) }, 0x46DD_794E),
        ((0..<32).map { UInt8(31 - $0) }, 0x113F_DB5C),
        (
            [
                0x01, 0xC0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x14, 0, 0, 0, 0, 0, 0x04, 0, 0, 0, 0, 0x14, 0, 0,
                0,
                0x18, 0x28, 0, 0, 0, 0, 0, 0, 0, 0x02, 0, 0, 0, 0, 0, 0, 0,
            ], 0xD996_3A56
        ),
        (Array("123456789".utf8), 0xE306_9283),
        ([], 0),
    ]

    @Test(arguments: KernelTests.checksums)
    func `the checksums equal the published ones`(bytes: [UInt8], checksum: UInt32) {
        #expect(plainChecksum(bytes[...]) == checksum)
        let best = ck_crc32c(0, bytes, bytes.count)
        #expect(best == checksum)
        for isa in instructionSets + [CK_SCALAR] {
            let made = ck_crc32c_isa(isa, 0, bytes, bytes.count)
            #expect(made == checksum, "set \(isa.rawValue)")
        }
    }

    @Test func `checksums of any length and alignment are right in all variants`() {
        var random = SplitMix64(seed: 1)
        let memory = GuardedMemory((0..<3200).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        let bytes = memory.elements
        // All short lengths, those around the lengths of parallel streams, and those around the size of folded blocks
        // and the length from which they are used.
        let lengths =
            Array(0...70) + [255, 256, 257, 383, 384, 385, 767, 768, 775, 1023, 1024, 1025, 1087, 1088, 1151, 1152]
            + [1153, 1279, 1280, 1281, 3071, 3072, 3073, 3200]
        for length in lengths {
            // The data ends before the inaccessible page, so all alignments modulo eight occur.
            let start = bytes.count - length
            let expected = plainChecksum(bytes[start...])
            for isa in instructionSets + [CK_SCALAR] {
                let made = ck_crc32c_isa(isa, 0, memory.base + start, length)
                #expect(made == expected, "\(length) bytes, set \(isa.rawValue)")
            }
        }
    }

    @Test func `a checksum can be continued piece by piece`() {
        var random = SplitMix64(seed: 2)
        let memory = GuardedMemory((0..<40_000).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        let whole = plainChecksum(memory.elements[...])
        for isa in instructionSets + [CK_SCALAR] {
            for longest in [1, 13, 900, 4000] {
                var checksum: UInt32 = 0
                var place = 0
                while place < memory.count {
                    let length = min(Int.random(in: 0...longest, using: &random), memory.count - place)
                    checksum = ck_crc32c_isa(isa, checksum, memory.base + place, length)
                    place += length
                }
                #expect(checksum == whole, "pieces of up to \(longest) bytes, set \(isa.rawValue)")
            }
        }
        let unchanged = ck_crc32c(whole, nil, 0)
        #expect(unchanged == whole)
    }
}
