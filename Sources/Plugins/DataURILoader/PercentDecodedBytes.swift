/// The bytes of a text with its percent escapes (`%2B`) decoded.
///
/// A percent sign that does not begin an escape stands for itself. Source: WHATWG, URL standard, "percent-decode".
struct PercentDecodedBytes: Sequence, IteratorProtocol {
    /// The text. The code that creates the sequence must keep the memory of the text valid.
    private let text: UnsafeBufferPointer<UInt8>
    private var index = 0

    init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

    init(_ text: Slice<UnsafeBufferPointer<UInt8>>) { self.init(UnsafeBufferPointer(rebasing: text)) }

    mutating func next() -> UInt8? {
        guard index < text.count else { return nil }
        let byte = text[index]
        index += 1
        guard byte == UInt8(ascii: "%"), index + 1 < text.count, let high = Self.digit(text[index]),
            let low = Self.digit(text[index + 1])
        else { return byte }
        index += 2
        return high << 4 | low
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
