import CalotypeStandard
import CalotypeTesting

/// Damages valid files.
struct Mutator: Sendable {
    private let corpus: Corpus

    /// Numbers that often reveal errors in parsers.
    fileprivate static let numbers: [UInt64] = [
        0, 1, 2, 3, 4, 7, 8, 15, 16, 63, 64, 100, 127, 128, 254, 255, 256, 1_023, 4_096, 32_767, 32_768, 65_500, 65_534,
        65_535, 65_536, 1 << 24, (1 << 31) - 1, 1 << 31, (1 << 32) - 1,
    ]

    init(_ corpus: Corpus) {
        self.corpus = corpus
    }

    /// Returns a damaged file, and the extension for its format.
    func input(_ random: inout SplitMix64) -> (data: Data, fileExtension: String) {
        let file = choice(&random)
        let structure = FileStructure(file.format)
        var parts = structure.parts(of: file.bytes)
        for _ in 0..<Int.random(in: 1...4, using: &random) { damage(&parts, structure, &random) }
        if Bool.random(using: &random) { structure.mend(&parts, &random) }
        var bytes = Array(parts.joined())
        switch Int.random(in: 0..<8, using: &random) {
        case 0: bytes.damage(&random, other: choice(&random).bytes)
        case 1: bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
        default: break
        }
        return (Data(bytes), file.format.fileExtensions.first ?? file.format.name)
    }

    private func choice(_ random: inout SplitMix64) -> Corpus.File {
        corpus.files[Int.random(in: 0..<corpus.files.count, using: &random)]
    }

    /// Damages a file's parts: chunks, segments, or the equivalent of its format.
    private func damage(_ parts: inout [[UInt8]], _ structure: FileStructure, _ random: inout SplitMix64) {
        guard !parts.isEmpty else { return }
        let other = choice(&random).bytes
        let index = Int.random(in: 0..<parts.count, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0: parts.remove(at: index)
        case 1: parts.insert(parts[index], at: Int.random(in: 0...parts.count, using: &random))
        case 2: parts.swapAt(index, Int.random(in: 0..<parts.count, using: &random))
        case 3:
            // A part of another file, which may be of another format.
            guard let part = structure.parts(of: other).randomElement(using: &random) else { return }
            if Bool.random(using: &random) { parts[index] = part } else { parts.insert(part, at: index) }
        case 4:
            // The remainder of another file.
            let otherParts = structure.parts(of: other)
            parts.removeSubrange((index + 1)...)
            parts += otherParts[Int.random(in: 0...otherParts.count, using: &random)...]
        default: parts[index].damage(&random, other: other)
        }
    }
}

extension [UInt8] {
    /// Overwrites, removes or repeats some bytes, or replaces them with those of another file.
    fileprivate mutating func damage(_ random: inout SplitMix64, other: [UInt8]) {
        guard !isEmpty else { return }
        let start = Int.random(in: 0..<count, using: &random)
        let part = start..<Swift.min(count, start + Int.random(in: 1...40, using: &random))
        switch Int.random(in: 0..<9, using: &random) {
        case 0: removeSubrange(part)
        case 1: insert(contentsOf: Array(self[part]), at: Int.random(in: 0...count, using: &random))
        case 2: insert(contentsOf: part.map { _ in UInt8.random(in: 0...255, using: &random) }, at: start)
        case 3:
            guard !other.isEmpty else { return }
            let place = Int.random(in: 0..<other.count, using: &random)
            replaceSubrange(part, with: other[place..<Swift.min(other.count, place + part.count)])
        case 4: write(Mutator.numbers.randomElement(using: &random) ?? 0, byteCount: 4, at: start)
        case 5: write(Mutator.numbers.randomElement(using: &random) ?? 0, byteCount: 2, at: start)
        case 6: self[start] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        default: self[start] = UInt8.random(in: 0...255, using: &random)
        }
    }

    /// Writes a big-endian number, as far as it fits.
    mutating func write(_ number: UInt64, byteCount: Int, at start: Int) {
        for index in 0..<byteCount where indices.contains(start + index) {
            self[start + index] = UInt8(truncatingIfNeeded: number >> UInt64(8 * (byteCount - 1 - index)))
        }
    }

    /// Returns the big-endian number at a position; nil if there are too few bytes.
    func number(byteCount: Int, at start: Int) -> Int? {
        guard start >= 0, start + byteCount <= count else { return nil }
        return self[start..<start + byteCount].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Splits the bytes into parts.
    /// - Parameter length: Returns the length of the next part; nil if all remaining bytes are the last part.
    func parts(_ length: (ArraySlice<UInt8>) -> Int?) -> [[UInt8]] {
        var parts: [[UInt8]] = []
        var rest = self[...]
        while !rest.isEmpty {
            let part = rest.prefix(length(rest) ?? rest.count)
            parts.append(Array(part))
            rest = rest.dropFirst(part.count)
        }
        return parts
    }
}
