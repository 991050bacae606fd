import Calotype

/// A Base64 decoder with the rules of web browsers: white space is skipped, padding is optional, and bits at the end
/// that do not fill a byte are dropped.
///
/// The URL-safe alphabet (`-` and `_`) is an error, as in browsers. Source: WHATWG, Infra standard, "forgiving-base64
/// decode"; the alphabet is that of RFC 4648, section 4.
enum ForgivingBase64 {
    /// The value in ``meanings`` for white space. It follows 63, the highest value of a Base64 digit.
    private static let space: UInt8 = 64
    /// The value in ``meanings`` for the padding character, `=`.
    private static let padding: UInt8 = 65
    /// The value in ``meanings`` for `-` and `_`, the digits of the URL-safe alphabet.
    private static let urlSafe: UInt8 = 66
    /// The value in ``meanings`` for bytes that occur neither in Base64 nor in its URL-safe variant.
    private static let invalid: UInt8 = 67

    /// The meaning of each byte: a Base64 digit (0...63), ``space``, ``padding``, ``urlSafe`` or ``invalid``.
    private static let meanings = makeMeanings()

    private static func makeMeanings() -> [UInt8] {
        var meanings = [UInt8](repeating: invalid, count: 256)
        let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (value, byte) in digits.utf8.enumerated() { meanings[Int(byte)] = UInt8(value) }
        for byte in "\t\n\u{C}\r ".utf8 { meanings[Int(byte)] = space }
        for byte in "-_".utf8 { meanings[Int(byte)] = urlSafe }
        meanings[Int(UInt8(ascii: "="))] = padding
        return meanings
    }

    /// Returns the number of bytes that a text encodes. Throws `badData` if the text is not Base64.
    static func byteCount(of text: PercentDecodedBytes) throws(ImageError) -> Int {
        let meanings = Self.meanings
        var (digitCount, paddingCount) = (0, 0)
        for byte in text {
            let meaning = meanings[Int(byte)]
            if meaning < space, paddingCount == 0 {
                digitCount += 1
            } else if meaning == padding {
                paddingCount += 1
            } else if meaning != space {
                throw misfit(meaning)
            }
        }
        let isWhole = paddingCount == 0 ? digitCount % 4 != 1 : (digitCount + paddingCount) % 4 == 0
        guard isWhole, paddingCount <= 2 else {
            throw ImageError(
                .badData, stage: .load,
                message: "has invalid Base64: \(digitCount) digits do not match \(paddingCount) padding characters",
                advice: "check that the text was copied completely")
        }
        return digitCount / 4 * 3 + max(0, digitCount % 4 - 1)
    }

    /// Writes the decoded bytes of a text to `bytes`, which must have room for ``byteCount(of:)`` bytes.
    static func decode(_ text: PercentDecodedBytes, into bytes: UnsafeMutableRawBufferPointer) {
        let meanings = Self.meanings
        var (bits, bitCount, filled): (UInt32, UInt32, Int) = (0, 0, 0)
        for byte in text {
            let meaning = meanings[Int(byte)]
            guard meaning < space else { continue }
            bits = bits &<< 6 | UInt32(meaning)
            bitCount += 6
            guard bitCount >= 8 else { continue }
            bitCount -= 8
            bytes[filled] = UInt8(truncatingIfNeeded: bits &>> bitCount)
            filled += 1
        }
    }

    /// Returns the error for a byte that is not allowed at its position. `meaning` is the value of the byte in
    /// ``meanings``.
    private static func misfit(_ meaning: UInt8) -> ImageError {
        guard meaning != urlSafe else {
            return ImageError(
                .badData, stage: .load, message: "has Base64 in the URL-safe alphabet",
                advice: "use + instead of -, and / instead of _")
        }
        return ImageError(
            .badData, stage: .load,
            message: meaning < space
                ? "has Base64 that continues after its padding"
                : "has Base64 with a character outside its alphabet",
            advice: "check that the text was copied completely")
    }
}
