#if HTTP
import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The lines of an answer's head as they came: what a field says is read when it is asked for.
///
/// So the thread that all transfers run on reads those fields alone that decide how a transfer goes on, and its reader
/// all others. A line that begins with a blank goes on with the field before it, which nobody should send any more
/// (RFC 9112, section 5.2).
struct HeaderLines: Sendable {
    /// A field that is to be alone is not longer in any sensible answer.
    private static let longestValue = 8 << 10
    /// Most heads are shorter.
    private static let usualByteCount = 512

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// Lines with their ends, from that of the status on.
    private var bytes: [UInt8] = []

    /// Takes a line, with or without its end.
    mutating func append(_ line: UnsafeBufferPointer<CChar>) {
        if bytes.isEmpty { bytes.reserveCapacity(Self.usualByteCount) }
        line.withMemoryRebound(to: UInt8.self) { bytes.append(contentsOf: $0) }
        if bytes.last != Self.lineFeed { bytes.append(Self.lineFeed) }
    }

    /// The number of bytes of all lines.
    var byteCount: Int { bytes.count }

    /// Forgets all lines. Their memory goes too: what follows long ones may be short, and be kept for a while.
    mutating func removeAll() { bytes = [] }

    /// The value of the first field of a name, the case of which does not count; nil when there is none, and when it is
    /// longer than any sensible one.
    func first(_ name: String) -> String? {
        var first: String?
        forEachValue(of: name) { value in
            first = value.utf8.count <= Self.longestValue ? value : nil
            return false
        }
        return first
    }

    /// The value of a field however long, several of its name joined by commas (RFC 9110, section 5.3); nil when there
    /// is none.
    func joined(_ name: String) -> String? {
        var joined: String?
        forEachValue(of: name) { value in
            guard joined != nil else {
                joined = value
                return true
            }
            // In place: there may be as many as a head has room for.
            joined?.append(", ")
            joined?.append(value)
            return true
        }
        return joined
    }

    /// Calls `body` with the values of a name, in their order, until it says that it wants no more.
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

    /// Returns the start of the line after the one at `start`.
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

    /// Returns the text of a line, without its end and the blanks at both sides.
    /// - Parameter goesOn: Whether it goes on with the value of another, from which a blank parts it.
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

    /// Whether a byte stands for a blank in any form, a line's end included.
    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (0x09...0x0d).contains(byte) }
}
#endif
