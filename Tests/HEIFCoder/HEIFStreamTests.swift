#if HEIF
import Calotype
import Foundation
import Testing

@testable import CalotypeHEIF

/// Stream headers that claim more than the picture needs.
@Suite(.timeLimit(.minutes(5)))
struct HEIFStreamTests {
    /// A sequence of bits and Exp-Golomb codes.
    private struct Bits {
        private var bits: [UInt8] = []

        mutating func add(_ number: Int, _ count: Int) {
            for shift in (0..<count).reversed() { bits.append(UInt8(number >> shift & 1)) }
        }

        mutating func addGolomb(_ numbers: Int...) {
            for number in numbers {
                let count = Int.bitWidth - (number + 1).leadingZeroBitCount
                add(0, count - 1)
                add(number + 1, count)
            }
        }

        /// The bits as bytes, followed by zeros.
        var bytes: [UInt8] {
            let padded = bits + [UInt8](repeating: 0, count: 64)
            return stride(from: 0, to: padded.count - 7, by: 8).map { start in
                padded[start..<start + 8].reduce(0) { $0 << 1 | $1 }
            }
        }

        /// The same bytes with emulation prevention: an extra byte before those that would look like the start of a
        /// unit.
        var escapedBytes: [UInt8] {
            bytes.reduce(into: []) { escaped, byte in
                if byte <= 3, escaped.suffix(2) == [0, 0] { escaped.append(3) }
                escaped.append(byte)
            }
        }
    }

    /// Returns a parameter set up to the size.
    private func parameters(_ size: PixelSize, edges: [Int] = [], bitDepth: Int = 8) -> Bits {
        var bits = Bits()
        bits.add(0, 8)
        bits.add(0, 96)
        bits.addGolomb(0, 1, size.width, size.height)
        bits.add(edges.isEmpty ? 0 : 1, 1)
        for edge in edges { bits.addGolomb(edge) }
        bits.addGolomb(bitDepth - 8, bitDepth - 8)
        return bits
    }

    private func read(_ bits: Bits) throws -> StreamHeader {
        try HEVCParameters(bits.escapedBytes[...]).header
    }

    /// Adds the parameters between the size and the reference pictures.
    private func plain(_ bits: Bits, order: Int = 0) -> Bits {
        var bits = bits
        bits.addGolomb(order)
        bits.add(1, 1)
        bits.addGolomb(0, 0, 0, 0, 0, 0, 0, 0, 0)
        bits.add(0, 4)
        bits.addGolomb(0)
        return bits
    }

    @Test func `the size is the coded size minus the cropped edges`() throws {
        var bits = plain(parameters(PixelSize(64, 64), edges: [0, 5, 0, 7]))
        bits.add(0, 8)
        let header = try read(bits)
        #expect(header.size == PixelSize(54, 50))
        #expect(header.codedSize == PixelSize(64, 64))
        #expect(header.bitDepth == 8)
    }

    @Test(arguments: [
        (PixelSize(65_528, 65_528), [0, 32_763, 0, 32_763]), (PixelSize(128, 128), [0, 32, 0, 0]),
        (PixelSize(Int(Int32.max), 1 << 30), []), (PixelSize(64, 64), [32, 0, 0, 0]),
        (PixelSize(64, 64), [0, 40, 0, 0]),
    ])
    func `a stream that crops most of its picture is refused`(size: PixelSize, edges: [Int]) {
        var bits = plain(parameters(size, edges: edges))
        bits.add(0, 8)
        do {
            let header = try read(bits)
            // Only an uncropped header may declare this size.
            #expect(edges.isEmpty && header.size == size)
        } catch {
            #expect((error as? ImageError)?.code == .badData)
        }
    }

    @Test func `cropping at the left is refused for more than eight bits`() {
        #expect(throws: ImageError.self) {
            var bits = plain(parameters(PixelSize(64, 64), edges: [1, 0, 0, 0], bitDepth: 10))
            bits.add(0, 8)
            _ = try read(bits)
        }
    }

    @Test(arguments: [13, 1 << 30, (1 << 31) - 2])
    func `numbers beyond the standard's are refused`(order: Int) {
        #expect(throws: ImageError.self) {
            var bits = plain(parameters(PixelSize(64, 64)), order: order)
            bits.add(1, 1)
            bits.addGolomb((1 << 31) - 2)
            _ = try read(bits)
        }
    }

    @Test func `references beyond the standard's are refused`() {
        #expect(throws: ImageError.self) {
            var bits = plain(parameters(PixelSize(64, 64)))
            bits.add(1, 1)
            bits.addGolomb((1 << 31) - 2)
            _ = try read(bits)
        }
    }

    @Test func `pictures in the configuration are refused`() throws {
        let header = [UInt8](repeating: 1, count: 21)
        // A list with one unit, which is a slice.
        let configuration = header + [3, 1, 0x93, 0, 1, 0, 3, 0x26, 1, 0x80]
        let error = #expect(throws: ImageError.self) { try HEVCStream(configuration: configuration, data: []) }
        #expect(error?.message.contains("other units than parameter sets") == true)
    }

    @Test func `an endless list of units is refused`() throws {
        let unit: [UInt8] = [0, 0, 0, 3, 0x4E, 1, 0]
        let data = (0..<1_000).flatMap { _ in unit }
        let error = #expect(throws: ImageError.self) {
            try HEVCStream(configuration: [UInt8](repeating: 0, count: 21) + [3, 0], data: data)
        }
        #expect(error?.message.contains("units") == true)
    }

    /// Returns a sequence header of 16x16 with frames up to 65,536x65,536: no still picture, not reduced, one operating
    /// point.
    private func roomySequence() -> [UInt8] {
        var bits = Bits()
        // The profile, no still picture, not reduced, no timing, no delays.
        for (number, count) in [(0, 3), (0, 2), (0, 1), (0, 1), (0, 5), (0, 12), (0, 5)] { bits.add(number, count) }
        for (number, count) in [(15, 4), (15, 4), (15, 16), (15, 16)] { bits.add(number, count) }
        // No frame numbers, no tools, no order hints; each frame chooses screen content tools and motion vectors.
        for (number, count) in [(0, 1), (0, 3), (0, 4), (0, 1), (1, 1), (1, 1)] { bits.add(number, count) }
        return bits.bytes
    }

    /// Returns a displayed key frame.
    private func frame(hasOwnSize: Bool) -> [UInt8] {
        var bits = Bits()
        // Not an existing frame; key frame, displayed; no updates, no screen content tools.
        for (number, count) in [(0, 1), (0, 2), (1, 1), (0, 1), (0, 1)] { bits.add(number, count) }
        bits.add(hasOwnSize ? 1 : 0, 1)
        return bits.bytes
    }

    /// Returns a unit with its length.
    private func unit(_ kind: UInt8, _ body: [UInt8]) -> [UInt8] { [kind << 3 | 2, UInt8(body.count)] + body }

    @Test func `an AV1 frame that may be much larger than its sequence is refused`() throws {
        let sequence = unit(1, roomySequence())
        let header = try AV1Stream(sequence + unit(6, frame(hasOwnSize: false))).header
        #expect(header.size == PixelSize(16, 16))
        for kind: UInt8 in [3, 6, 7] {
            let data = sequence + unit(kind, frame(hasOwnSize: true))
            let error = #expect(throws: ImageError.self) { try AV1Stream(data) }
            #expect(error?.message.contains("larger than 16x16") == true)
        }
        // Data before the sequence header cannot be checked.
        let early = unit(6, frame(hasOwnSize: false)) + sequence
        #expect(throws: ImageError.self) { try AV1Stream(early) }
    }
}
#endif
