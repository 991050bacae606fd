import CKernels
import CalotypeTesting
import Testing

/// The kernels for the rows of PNG, which are compared with the formulas of the specification. Buffers end with their
/// data.
@Suite(.timeLimit(.minutes(5)))
struct PNGRowKernelTests {
    /// The instruction sets whose variants are tested. Unsupported ones are replaced by those that the processor
    /// supports.
    private static let instructionSets: [ck_isa] = [CK_SCALAR, CK_SSE42, ck_best_isa()]

    private func bytes(_ count: Int, _ random: inout SplitMix64) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    // MARK: Filters

    /// Returns the row of which `filtered` is the filtered form. Source: W3C PNG, third edition, sections 9.2 and 9.4.
    private func unfiltered(_ filtered: [UInt8], _ filter: Int, above: [UInt8], step: Int) -> [UInt8] {
        var row: [UInt8] = []
        for (index, byte) in filtered.enumerated() {
            let a = index >= step ? Int(row[index - step]) : 0
            let b = Int(above[index])
            let c = index >= step ? Int(above[index - step]) : 0
            let prediction: Int
            switch filter {
            case 1: prediction = a
            case 2: prediction = b
            case 3: prediction = (a + b) / 2
            case 4:
                let p = a + b - c
                let (pa, pb, pc) = (abs(p - a), abs(p - b), abs(p - c))
                prediction = pa <= pb && pa <= pc ? a : pb <= pc ? b : c
            default: prediction = 0
            }
            row.append(UInt8(truncatingIfNeeded: Int(byte) + prediction))
        }
        return row
    }

    @Test(arguments: 0..<Int(CK_FILTER_COUNT.rawValue))
    func `a filter is undone as specified, for all sizes of pixels`(filter: Int) {
        var random = SplitMix64(seed: UInt64(filter))
        for step in [1, 2, 3, 4, 6, 8] {
            for width in 1...70 {
                let filtered = bytes(width * step, &random)
                let isFirst = width.isMultiple(of: 5)
                let above = isFirst ? [UInt8](repeating: 0, count: width * step) : bytes(width * step, &random)
                let expected = unfiltered(filtered, filter, above: above, step: step)
                for isa in Self.instructionSets {
                    let (row, before) = (GuardedMemory(filtered), GuardedMemory(above))
                    ck_unfilter_isa(
                        isa, ck_filter(UInt32(filter)), row.base, before.base, filtered.count, step)
                    #expect(row.elements == expected, "step \(step), width \(width)")
                }
            }
        }
    }

    @Test(arguments: 0..<Int(CK_FILTER_COUNT.rawValue))
    func `a filter is applied as specified, and its sum is that of the distances from 0`(filter: Int) {
        var random = SplitMix64(seed: UInt64(filter))
        for step in [1, 2, 3, 4, 6, 8] {
            for width in 1...70 {
                let row = bytes(width * step, &random)
                let isFirst = width.isMultiple(of: 5)
                let above = isFirst ? [UInt8](repeating: 0, count: width * step) : bytes(width * step, &random)
                for isa in Self.instructionSets {
                    let (target, source, before) = (GuardedMemory(row), GuardedMemory(row), GuardedMemory(above))
                    let sum = ck_filter_row_isa(
                        isa, ck_filter(UInt32(filter)), target.base, source.base, before.base, row.count, step)
                    let filtered = target.elements
                    #expect(unfiltered(filtered, filter, above: above, step: step) == row, "\(step), \(width)")
                    #expect(sum == filtered.reduce(0) { $0 + UInt64(abs(Int(Int8(bitPattern: $1)))) })
                }
            }
        }
    }

    @Test func `a filter with ties is applied as specified`() {
        // All combinations of few levels, which contain all ties.
        let levels: [UInt8] = [0, 1, 2, 3, 127, 128, 254, 255]
        // Long enough for whole vectors.
        let step = 16
        for a in levels {
            for b in levels {
                for c in levels {
                    let row = [UInt8](repeating: a, count: step) + [UInt8](repeating: 77, count: step)
                    let above = [UInt8](repeating: c, count: step) + [UInt8](repeating: b, count: step)
                    for isa in Self.instructionSets {
                        let (target, source, before) = (GuardedMemory(row), GuardedMemory(row), GuardedMemory(above))
                        _ = ck_filter_row_isa(
                            isa, CK_FILTER_PAETH, target.base, source.base, before.base, row.count, step)
                        #expect(unfiltered(target.elements, 4, above: above, step: step) == row)
                    }
                }
            }
        }
    }

    @Test func `different pairs of adjacent bytes are counted, in more rows than one number can count`() {
        var random = SplitMix64(seed: 7)
        let pairs = UnsafeMutablePointer<ck_pairs>.allocate(capacity: 1)
        defer { pairs.deallocate() }
        pairs.initialize(to: ck_pairs())
        for round in 0..<600 {
            let count = round % 90
            // Few levels in some rows, so that bytes repeat in runs of all lengths.
            let levels = UInt8(1 + round % 7)
            let row = bytes(count, &random).map { round.isMultiple(of: 3) ? $0 : $0 % levels }
            let expected = Set(zip(row, row.dropFirst()).map { Int($0) << 8 | Int($1) }).count
            let memory = GuardedMemory(row)
            #expect(ck_count_pairs(pairs, memory.base, count, .max) == expected, "round \(round)")
            let limit = round % 11
            #expect(ck_count_pairs(pairs, memory.base, count, limit) == min(expected, limit), "round \(round)")
        }
    }

    @Test func `the nearest neighbor is chosen in the specified order`() {
        // All combinations of few levels, which contain all ties.
        let levels: [UInt8] = [0, 1, 2, 3, 127, 128, 254, 255]
        for a in levels {
            for b in levels {
                for c in levels {
                    for step in [1, 2, 3, 4, 6, 8] {
                        let above = [UInt8](repeating: c, count: step) + [UInt8](repeating: b, count: step)
                        // The first pixel becomes a: the one above it is nearest.
                        let filtered = [UInt8](repeating: a &- c, count: step) + [UInt8](repeating: 0, count: step)
                        let expected = unfiltered(filtered, 4, above: above, step: step)
                        for isa in Self.instructionSets {
                            let (row, before) = (GuardedMemory(filtered), GuardedMemory(above))
                            ck_unfilter_isa(isa, CK_FILTER_PAETH, row.base, before.base, 2 * step, step)
                            #expect(row.elements == expected)
                        }
                    }
                }
            }
        }
    }

    // MARK: Expanding

    private func output<Sample: FixedWidthInteger>(
        _ width: Int, of type: Sample.Type, _ body: (UnsafeMutablePointer<Sample>) -> Void
    ) -> [Sample] {
        let memory = GuardedMemory<Sample>(count: 4 * width)
        body(memory.base)
        return memory.elements
    }

    @Test(arguments: [1, 2, 4, 8])
    func `codes are replaced with their colors`(depth: Int) {
        var random = SplitMix64(seed: UInt64(depth))
        let colors = (0..<1 << depth).map { _ in UInt32(truncatingIfNeeded: random.next()) }
        for width in 1...70 {
            let codes = (0..<width).map { _ in Int.random(in: 0..<1 << depth, using: &random) }
            var packed = [UInt8](repeating: 0, count: (width * depth + 7) / 8)
            for (index, code) in codes.enumerated() {
                packed[index * depth / 8] |= UInt8(code << (8 - depth - index * depth % 8))
            }
            let row = GuardedMemory(packed)
            let pixels = output(width, of: UInt8.self) { ck_expand_codes(row.base, width, depth, colors, $0) }
            let expected = codes.flatMap { code in withUnsafeBytes(of: colors[code]) { Array($0) } }
            #expect(pixels == expected, "width \(width)")
        }
    }

    @Test func `gray and alpha are expanded`() {
        var random = SplitMix64(seed: 2)
        for width in 1...70 {
            let row = GuardedMemory(bytes(2 * width, &random))
            let pixels = output(width, of: UInt8.self) { ck_expand_gray_alpha8(row.base, width, $0) }
            let expected = (0..<width).flatMap { x -> [UInt8] in
                let (gray, alpha) = (row.base[2 * x], row.base[2 * x + 1])
                return [gray, gray, gray, alpha]
            }
            #expect(pixels == expected)
        }
    }

    @Test(arguments: [false, true])
    func `colors are expanded, and one is transparent`(hasKey: Bool) {
        var random = SplitMix64(seed: 3)
        for width in 1...70 {
            // Few levels, so that many pixels have the color.
            let row = GuardedMemory((0..<3 * width).map { _ in UInt8.random(in: 7...8, using: &random) })
            let key: [UInt8] = [7, 8, 7]
            let expected = (0..<width).flatMap { x -> [UInt8] in
                let color = Array(row.elements[3 * x..<3 * x + 3])
                let alpha: UInt8 = hasKey && color == key ? 0 : 255
                return color + [alpha]
            }
            for isa in Self.instructionSets {
                let pixels = output(width, of: UInt8.self) {
                    ck_expand_rgb8_isa(isa, row.base, width, hasKey ? key : nil, $0)
                }
                #expect(pixels == expected, "width \(width)")
            }
        }
    }

    @Test(arguments: 1...4, [false, true])
    func `samples of 16 bits are expanded to 16 and to 8 bits`(channels: Int, hasKey: Bool) {
        var random = SplitMix64(seed: UInt64(channels))
        // An alpha channel and a transparent color exclude each other.
        guard !hasKey || !channels.isMultiple(of: 2) else { return }
        let key: [UInt16] = [0x1234, 0x1235, 0x1234]
        for width in 1...70 {
            let samples = (0..<channels * width).map { _ -> UInt16 in
                hasKey ? UInt16.random(in: 0x1234...0x1235, using: &random) : UInt16(truncatingIfNeeded: random.next())
            }
            let row = GuardedMemory(samples.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
            let expected = (0..<width).flatMap { x -> [UInt16] in
                let pixel = Array(samples[channels * x..<channels * (x + 1)])
                let color = channels < 3 ? [pixel[0], pixel[0], pixel[0]] : Array(pixel.prefix(3))
                let isKey = hasKey && pixel == Array(key.prefix(channels))
                let alpha: UInt16 = channels.isMultiple(of: 2) ? pixel[channels - 1] : isKey ? 0 : .max
                return color + [alpha]
            }
            let deep = output(width, of: UInt16.self) {
                ck_expand_16(row.base, width, channels, hasKey ? key : nil, $0)
            }
            #expect(deep == expected)
            let shallow = output(width, of: UInt8.self) {
                ck_expand_16_to_8(row.base, width, channels, hasKey ? key : nil, $0)
            }
            #expect(shallow == expected.map { UInt8((Double($0) * 255 / 65535).rounded()) })
        }
    }
}
