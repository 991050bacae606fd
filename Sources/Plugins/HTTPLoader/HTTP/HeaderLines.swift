#if HTTP
import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The header lines of a response as received. A value is parsed only when it is read, to relieve the transfer thread.
///
/// A line that begins with a blank continues the line before. This form is obsolete (RFC 9112, section 5.2).
struct HeaderLines: Sendable {
    /// The maximum length, in bytes, of a value that ``first(_:)`` returns. No sensible response exceeds it.
    private static let longestValue = 8 << 10
    /// The initial capacity in bytes, which suffices for most heads.
    private static let usualByteCount = 512

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// The lines with their line ends, beginning with the status line.
    private var bytes: [UInt8] = []

    /// Adds a line, with or without its line end.
    mutating func append(_ line: UnsafeBufferPointer<CChar>) {
        if bytes.isEmpty { bytes.reserveCapacity(Self.usualByteCount) }
        line.withMemoryRebound(to: UInt8.self) { bytes.append(contentsOf: $0) }
        if bytes.last != Self.lineFeed { bytes.append(Self.lineFeed) }
    }

    /// The number of bytes of all lines.
    var byteCount: Int { bytes.count }

    /// Removes all lines. Frees their memory, because the lines that follow may need much less.
    mutating func removeAll() { bytes = [] }

    /// Returns the value of the first field called `name`. The case of the name does not matter. Returns nil if there
    /// is no such field, or if the value is too long.
    func first(_ name: String) -> String? {
        var first: String?
        forEachValue(of: name) { value in
            first = value.utf8.count <= Self.longestValue ? value : nil
            return false
        }
        return first
    }

    /// Returns the values of all fields called `name`, joined by commas (RFC 9110, section 5.3). The case of the name
    /// does not matter. The length of the result is not limited. Returns nil if there is no such field.
    func joined(_ name: String) -> String? {
        var joined: String?
        forEachValue(of: name) { value in
            guard joined != nil else {
                joined = value
                return true
            }
            // The values are appended in place, because there may be as many as fit into a head.
            joined?.append(", ")
            joined?.append(value)
            return true
        }
        return joined
    }

    /// Calls `body` with the value of each field called `name`, in order, until `body` returns false.
    private func forEachValue(of name: String, _ body: (_ value: String) -> Bool) {
        var name = name
        name.withUTF8 { (name: UnsafeBufferPointer<UInt8>) -> Void in
            bytes.withUnsafeBufferPointer { (bytes: UnsafeBufferPointer<UInt8>) -> Void in
                var start = 0
                while start < bytes.count {
                    var end = Self.end(ofLineAt: start, in: bytes)
                    if Self.isField(bytes[start..<end], called: name) {
                        var value = Self.text(bytes[(start + name.count + 1)..<end], goesOn: false)
                        while end < bytes.count, Self.isBlank(bytes[end]) {
                            let next = Self.end(ofLineAt: end, in: bytes)
                            value += Self.text(bytes[end..<next], goesOn: true)
                            end = next
                        }
                        guard body(value) else { return }
                    }
                    start = end
                }
            }
        }
    }

    /// Returns the end of the line that begins at `start`. The next line begins there.
    private static func end(ofLineAt start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard let base = bytes.baseAddress,
            let found = memchr(base + start, Int32(lineFeed), bytes.count - start)
        else { return bytes.count }
        return UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found)) + 1
    }

    private static func isField(
        _ line: Slice<UnsafeBufferPointer<UInt8>>, called name: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard line.count > name.count, line[line.startIndex + name.count] == UInt8(ascii: ":") else { return false }
        return zip(line, name).allSatisfy { lowercased($0) == lowercased($1) }
    }

    /// Returns the text of a line, without its line end and surrounding blanks.
    /// - Parameter goesOn: Whether the line continues the line before. If true, one leading blank stays as a separator.
    private static func text(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, goesOn: Bool) -> String {
        var text = bytes.prefix { $0 != carriageReturn && $0 != lineFeed }
        while let last = text.last, isSpace(last) { text.removeLast() }
        let kept = goesOn ? 1 : 0
        while text.count > kept, text.prefix(kept + 1).allSatisfy(isBlank) { text.removeFirst() }
        return String(decoding: UnsafeBufferPointer(rebasing: text), as: UTF8.self)
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    /// Returns whether a byte is white space or part of a line end.
    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (0x09...0x0d).contains(byte) }
}
#endif
