#if PNG
import Calotype
import Foundation
import Testing

/// A PNG or APNG with compression level 0, parsed only by the specifications: W3C PNG, third edition, RFC 1950 and RFC
/// 1951.
struct WrittenPNG {
    /// A frame, or the picture of a still image.
    struct Frame {
        /// The contents of fcTL; empty for a still image.
        var control: [UInt8]
        /// The contents of its pixel chunks, without sequence numbers.
        var stream: [UInt8] = []

        func number(at offset: Int, count: Int = 4) -> Int {
            control[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
        }

        var region: PixelRegion {
            PixelRegion(
                x: number(at: 12), y: number(at: 16), size: PixelSize(width: number(at: 4), height: number(at: 8)))
        }
        var delay: [Int] { [number(at: 20, count: 2), number(at: 22, count: 2)] }
        var disposal: UInt8 { control[24] }
        var blend: UInt8 { control[25] }
    }

    let chunks: [PNGChunk]
    let size: PixelSize
    let bitDepth: Int
    let colorType: Int
    private(set) var frames: [Frame] = []
    /// The sequence numbers of all frame chunks, in order.
    private(set) var sequenceNumbers: [Int] = []

    init(_ file: Data) throws {
        chunks = PNGChunk.all(of: file)
        // All checksums are correct, and there are no bytes between chunks or after them.
        #expect(PNGChunk.file(chunks) == file)
        let header = [UInt8](try #require(chunks.first).body)
        #expect(chunks.first?.type == "IHDR")
        #expect(chunks.last?.type == "IEND")
        try #require(header.count == 13)
        size = PixelSize(
            width: header[0..<4].reduce(0) { $0 << 8 | Int($1) }, height: header[4..<8].reduce(0) { $0 << 8 | Int($1) })
        bitDepth = Int(header[8])
        colorType = Int(header[9])
        #expect(header[10...].allSatisfy { $0 == 0 })
        for chunk in chunks {
            let body = [UInt8](chunk.body)
            switch chunk.type {
            case "fcTL":
                try #require(body.count == 26)
                let frame = Frame(control: body)
                frames.append(frame)
                sequenceNumbers.append(frame.number(at: 0))
            case "IDAT":
                if frames.isEmpty { frames.append(Frame(control: [])) }
                #expect(frames.count == 1)
                frames[0].stream += body
            case "fdAT":
                try #require(body.count >= 4 && frames.count > 1)
                sequenceNumbers.append(body[0..<4].reduce(0) { $0 << 8 | Int($1) })
                frames[frames.count - 1].stream += body[4...]
            default: break
            }
        }
    }

    var types: [String] { chunks.map(\.type) }

    func body(of type: String) -> [UInt8]? {
        chunks.first { $0.type == type }.map { [UInt8]($0.body) }
    }

    // MARK: Pixels

    /// Returns the red, green, blue and alpha of the canvas at each frame, in the file's depth, at least 8 bits.
    func canvases() throws -> [[Int]] {
        var canvas = [Int](repeating: 0, count: size.area * 4)
        return try frames.map { frame in
            let region = frame.control.isEmpty ? PixelRegion(size: size) : frame.region
            let samples = try samples(of: frame, region.size)
            // The frame replaces everything below it, and stays.
            for y in 0..<region.size.height {
                let target = ((region.y + y) * size.width + region.x) * 4
                let count = region.size.width * 4
                canvas.replaceSubrange(target..<target + count, with: samples[y * count..<(y + 1) * count])
            }
            return canvas
        }
    }

    /// Returns the bytes of a frame's rows, without filters.
    func rows(of frame: Frame, _ size: PixelSize) throws -> [[UInt8]] {
        let bits = try #require([0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colorType]) * bitDepth
        let count = (size.width * bits + 7) / 8
        let bytes = try Self.inflate(frame.stream)
        try #require(bytes.count == size.height * (count + 1))
        var rows: [[UInt8]] = []
        for y in 0..<size.height {
            let row = bytes[y * (count + 1)..<(y + 1) * (count + 1)]
            let above = rows.last ?? [UInt8](repeating: 0, count: count)
            rows.append(try Self.unfilter(Array(row.dropFirst()), by: bytes[y * (count + 1)], above, max(1, bits / 8)))
        }
        return rows
    }

    private func samples(of frame: Frame, _ size: PixelSize) throws -> [Int] {
        let palette = body(of: "PLTE") ?? []
        let alphas = body(of: "tRNS") ?? []
        let full = bitDepth == 16 ? 65535 : 255
        return try rows(of: frame, size).flatMap { row -> [Int] in
            func sample(_ index: Int) -> Int {
                if bitDepth == 16 { return Int(row[2 * index]) << 8 | Int(row[2 * index + 1]) }
                let bit = index * bitDepth
                return Int(row[bit / 8]) >> (8 - bit % 8 - bitDepth) & (1 << bitDepth - 1)
            }
            return (0..<size.width).flatMap { x -> [Int] in
                switch colorType {
                case 0:
                    let level = bitDepth == 16 ? sample(x) : sample(x) * 255 / (1 << bitDepth - 1)
                    return [level, level, level, full]
                case 2: return (0..<3).map { sample(3 * x + $0) } + [full]
                case 3:
                    let index = sample(x)
                    let color = palette[3 * index..<3 * index + 3].map { Int($0) }
                    return color + [index < alphas.count ? Int(alphas[index]) : 255]
                case 4: return [sample(2 * x), sample(2 * x), sample(2 * x), sample(2 * x + 1)]
                default: return (0..<4).map { sample(4 * x + $0) }
                }
            }
        }
    }

    /// Returns the contents of an uncompressed stream.
    private static func inflate(_ stream: [UInt8]) throws -> [UInt8] {
        try #require(stream.count > 6 && stream[0] & 15 == 8 && (Int(stream[0]) << 8 | Int(stream[1])) % 31 == 0)
        var result: [UInt8] = []
        var place = 2
        var isLast = false
        while !isLast {
            try #require(place + 5 <= stream.count)
            isLast = stream[place] == 1
            // A stored block, whose header ends with the byte.
            try #require(stream[place] <= 1)
            let length = Int(stream[place + 1]) | Int(stream[place + 2]) << 8
            let complement = Int(stream[place + 3]) | Int(stream[place + 4]) << 8
            try #require(length ^ complement == 65535 && place + 5 + length <= stream.count)
            result += stream[place + 5..<place + 5 + length]
            place += 5 + length
        }
        var (a, b) = (1, 0)
        for byte in result {
            a = (a + Int(byte)) % 65521
            b = (b + a) % 65521
        }
        #expect(stream[place...].elementsEqual(PNGChunk.bigEndian(b << 16 | a)))
        return result
    }

    private static func unfilter(
        _ row: [UInt8], by filter: UInt8, _ above: [UInt8], _ bytesPerPixel: Int
    ) throws -> [UInt8] {
        var result = row
        for index in row.indices {
            let left = index < bytesPerPixel ? 0 : Int(result[index - bytesPerPixel])
            let up = Int(above[index])
            let corner = index < bytesPerPixel ? 0 : Int(above[index - bytesPerPixel])
            let prediction: Int
            switch filter {
            case 0: prediction = 0
            case 1: prediction = left
            case 2: prediction = up
            case 3: prediction = (left + up) / 2
            default:
                try #require(filter == 4)
                let estimate = left + up - corner
                let distances = [abs(estimate - left), abs(estimate - up), abs(estimate - corner)]
                if distances[0] <= distances[1] && distances[0] <= distances[2] {
                    prediction = left
                } else {
                    prediction = distances[1] <= distances[2] ? up : corner
                }
            }
            result[index] &+= UInt8(prediction)
        }
        return result
    }
}
#endif
