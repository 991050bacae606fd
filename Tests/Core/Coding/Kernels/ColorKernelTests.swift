import CKernels
import CalotypeTesting
import Testing

/// The kernels for conversions by curves and a matrix, which are compared with their formulas. Buffers end with their
/// data.
@Suite(.timeLimit(.minutes(5)))
struct ColorKernelTests {
    /// The instruction sets whose variants are tested. Unsupported ones are replaced by those that the processor
    /// supports.
    private static let instructionSets: [ck_isa] = [CK_SCALAR, CK_SSE42, ck_best_isa()]

    private func numbers<Number: FixedWidthInteger>(
        _ count: Int, in range: ClosedRange<Number>, _ random: inout SplitMix64
    ) -> [Number] {
        (0..<count).map { _ in Number.random(in: range, using: &random) }
    }

    private func pointers<Number>(
        _ memories: [GuardedMemory<Number>]
    ) -> (UnsafePointer<Number>, UnsafePointer<Number>, UnsafePointer<Number>) {
        (UnsafePointer(memories[0].base), UnsafePointer(memories[1].base), UnsafePointer(memories[2].base))
    }

    // MARK: 8 bits

    /// Returns a pixel as the formula converts it.
    private func converted(_ pixel: ArraySlice<UInt8>, _ shares: [Int32], _ levels: [[UInt8]]) -> [UInt8] {
        let pixel = Array(pixel)
        let colors = (0..<3).map { channel in
            let sum = (0..<3).reduce(0.0) { sum, source in
                sum + Double(shares[4 * (256 * source + Int(pixel[source])) + channel])
            }
            let light = (sum / Double(1 << CK_COLOR8_FRACTION)).rounded(.down)
            return levels[channel][Int(min(max(light, 0), Double(CK_COLOR_LIGHT)))]
        }
        return colors + pixel.suffix(1)
    }

    @Test(arguments: [2.0, 8.0])
    func `colors of 8 bits are shares, added and looked up, for all widths`(most: Double) {
        var random = SplitMix64(seed: UInt64(most))
        let limit = Int32(most * Double(CK_COLOR_LIGHT << CK_COLOR8_FRACTION))
        // Sums below 0 and above the maximum are frequent.
        let shares = GuardedMemory(numbers(3 * 256 * 4, in: -limit / 2...limit / 3 * 2, &random))
        let levels = (0..<3).map { _ in GuardedMemory(numbers(CK_COLOR_LIGHT + 1, in: 0...UInt8.max, &random)) }
        var color = ck_color8(shares: shares.base, levels: pointers(levels))
        for width in 0...70 {
            let pixels = numbers(4 * width, in: 0...UInt8.max, &random)
            let expected = stride(from: 0, to: pixels.count, by: 4).flatMap {
                converted(pixels[$0..<$0 + 4], shares.elements, levels.map(\.elements))
            }
            for isa in Self.instructionSets {
                let row = GuardedMemory(pixels)
                ck_convert_color8_isa(isa, &color, row.base, width)
                #expect(row.elements == expected, "width \(width)")
            }
        }
    }

    // MARK: 16 bits

    @Test func `colors of 16 bits are light, multiplied by a matrix and interpolated`() {
        var random = SplitMix64(seed: 16)
        let full = UInt32(CK_COLOR_LIGHT) << UInt32(CK_COLOR16_FRACTION)
        let light = (0..<3).map { _ in GuardedMemory(numbers(1 << 16, in: 0...full, &random)) }
        let most = UInt32(UInt16.max) << UInt32(CK_COLOR16_LEVEL)
        let levels = (0..<3).map { _ in GuardedMemory(numbers(CK_COLOR_LIGHT + 2, in: 0...most, &random)) }
        let one = Double(1 << CK_COLOR16_MATRIX)
        let matrix = [1.7, -0.6, -0.1, -0.9, 2.1, 0.0, 0.1, 15.9, -15.9].map { Int32($0 * one) }
        var color = ck_color16(
            light: pointers(light),
            matrix: (
                matrix[0], matrix[1], matrix[2], matrix[3], matrix[4], matrix[5], matrix[6], matrix[7], matrix[8]
            ),
            levels: pointers(levels))
        let pixels = numbers(4 * 5000, in: 0...UInt16.max, &random)
        let row = GuardedMemory(pixels)
        ck_convert_color16(&color, row.base, pixels.count / 4)
        let made = row.elements
        for start in stride(from: 0, to: pixels.count, by: 4) {
            #expect(made[start + 3] == pixels[start + 3])
            for channel in 0..<3 {
                let sum = (0..<3).reduce(0.0) {
                    $0 + Double(matrix[3 * channel + $1]) / one * Double(light[$1].elements[Int(pixels[start + $1])])
                }
                let place = min(max(sum, 0), Double(full)) / Double(1 << CK_COLOR16_FRACTION)
                let index = Int(place)
                let (low, high) = (levels[channel].elements[index], levels[channel].elements[index + 1])
                let level = Double(low) + (Double(high) - Double(low)) * (place - Double(index))
                let distance = level / Double(1 << CK_COLOR16_LEVEL) - Double(made[start + channel])
                // The kernel rounds the light, and then the level, whose neighbors are random here.
                #expect(abs(distance) <= 0.5 + 2, "pixel \(start / 4), channel \(channel)")
            }
        }
    }

    @Test func `black and white of 16 bits are exact`() {
        let full = UInt32(CK_COLOR_LIGHT) << UInt32(CK_COLOR16_FRACTION)
        let light = GuardedMemory((0..<1 << 16).map { UInt32((UInt64($0) * UInt64(full) + 32767) / 65535) })
        let most = UInt64(UInt16.max) << UInt64(CK_COLOR16_LEVEL)
        let levels = GuardedMemory(
            (0...CK_COLOR_LIGHT + 1).map { UInt32(most * UInt64(min($0, CK_COLOR_LIGHT)) / UInt64(CK_COLOR_LIGHT)) })
        let one = Int32(1 << CK_COLOR16_MATRIX)
        var color = ck_color16(
            light: pointers([light, light, light]), matrix: (one, 0, 0, 0, one, 0, 0, 0, one),
            levels: pointers([levels, levels, levels]))
        let pixels = (0...UInt16.max).flatMap { (level: UInt16) -> [UInt16] in [level, .max - level, 0, level] }
        let row = GuardedMemory(pixels)
        ck_convert_color16(&color, row.base, pixels.count / 4)
        // The identity is exact at every level.
        #expect(row.elements == pixels)
    }
}
