#if HTTP
/// A check of the transfer codings in the head of a response, made line by line as the head arrives.
///
/// Only `chunked` and `identity` are accepted, both without parameters. libcurl before 8.7 also decodes codings such as
/// `gzip`, up to five in a row, so that a few hundred bytes could become many megabytes. Source: RFC 9112, sections
/// 6.1, 7 and 7.1.
struct TransferCodingCheck {
    private static let name = Array("transfer-encoding".utf8)
    private static let accepted = [Array("chunked".utf8), Array("identity".utf8)]

    /// Whether a line that begins with a blank would continue a `Transfer-Encoding` header.
    private var isInField = false

    /// Returns the first unacceptable transfer coding in a line of the head; nil if there is none. Call this with every
    /// line, in order, because a header can continue on the next line.
    mutating func refusedCoding(in line: UnsafeBufferPointer<CChar>) -> String? {
        let (coding, isInField) = line.withMemoryRebound(to: UInt8.self) {
            [isInField] (line: UnsafeBufferPointer<UInt8>) -> (String?, Bool) in
            if let first = line.first, Self.isBlank(first) {
                return (isInField ? Self.refusedCoding(of: line[...]) : nil, isInField)
            }
            guard let value = Self.value(of: line) else { return (nil, false) }
            return (Self.refusedCoding(of: value), true)
        }
        self.isInField = isInField
        return coding
    }

    /// Returns the value of a `Transfer-Encoding` line. Returns nil for any other line.
    private static func value(of line: UnsafeBufferPointer<UInt8>) -> Slice<UnsafeBufferPointer<UInt8>>? {
        // This rejects most lines.
        guard let first = line.first, lowercased(first) == UInt8(ascii: "t"), line.count > name.count,
            zip(line, name).allSatisfy({ lowercased($0) == $1 })
        else { return nil }
        // A blank before the colon is not allowed, but some implementations ignore it (RFC 9112, section 5.1).
        let rest = line[name.count...].drop(while: isBlank)
        return rest.first == UInt8(ascii: ":") ? rest.dropFirst() : nil
    }

    private static func refusedCoding(of value: Slice<UnsafeBufferPointer<UInt8>>) -> String? {
        let codings = value.split { $0 == UInt8(ascii: ",") || isSpace($0) }
        let refused = codings.first { coding in
            !accepted.contains { $0.elementsEqual(coding.lazy.map(lowercased)) }
        }
        return refused.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    /// Returns whether a byte is white space or part of a line end.
    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (0x09...0x0d).contains(byte) }
}
#endif
