/// A line of the exposition format, read token by token.
struct ExpositionLine {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    var isAtEnd: Bool { position == bytes.count }

    mutating func skipBlanks() {
        while next == UInt8(ascii: " ") || next == UInt8(ascii: "\t") { position += 1 }
    }

    /// Returns whether a character comes next, and skips it.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Returns all characters up to the next blank.
    mutating func word() -> String {
        let word = taking { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        skipBlanks()
        return word
    }

    func end() throws {
        guard isAtEnd else { throw Exposition.Violation(description: "more than there may be") }
    }

    mutating func metricName() throws -> String {
        let name = taking { Self.isLetter($0) || Self.isDigit($0) || $0 == UInt8(ascii: ":") }
        guard let first = name.utf8.first, !Self.isDigit(first) else {
            throw Exposition.Violation(description: "no name of a metric")
        }
        skipBlanks()
        return name
    }

    mutating func labels() throws -> [String: String] {
        var labels: [String: String] = [:]
        guard take("{") else { return labels }
        skipBlanks()
        while !take("}") {
            let name = taking { Self.isLetter($0) || Self.isDigit($0) }
            guard let first = name.utf8.first, !Self.isDigit(first), labels[name] == nil else {
                throw Exposition.Violation(description: "no name of a label")
            }
            skipBlanks()
            guard take("=") else { throw Exposition.Violation(description: "a label without a value") }
            skipBlanks()
            guard take("\"") else { throw Exposition.Violation(description: "a value without quotes") }
            labels[name] = try unescaped(until: UInt8(ascii: "\""))
            guard take("\"") else { throw Exposition.Violation(description: "a value without an end") }
            skipBlanks()
            if take(",") {
                skipBlanks()
            } else if next != UInt8(ascii: "}") {
                throw Exposition.Violation(description: "labels without a comma between them")
            }
        }
        skipBlanks()
        return labels
    }

    mutating func number() throws -> Double {
        guard let number = Double(word()) else { throw Exposition.Violation(description: "no number") }
        return number
    }

    mutating func docstring() throws -> String { try unescaped(until: nil) }

    /// Returns a text with `\\`, `\n` and, within quotes, `\"` unescaped.
    private mutating func unescaped(until end: UInt8?) throws -> String {
        var text: [UInt8] = []
        while let byte = next, byte != end {
            position += 1
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            switch next {
            case UInt8(ascii: "\\"): text.append(UInt8(ascii: "\\"))
            case UInt8(ascii: "n"): text.append(UInt8(ascii: "\n"))
            case UInt8(ascii: "\"") where end != nil: text.append(UInt8(ascii: "\""))
            default: throw Exposition.Violation(description: "a backslash before something else")
            }
            position += 1
        }
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func taking(while isMeant: (UInt8) -> Bool) -> String {
        let start = position
        while let byte = next, isMeant(byte) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
