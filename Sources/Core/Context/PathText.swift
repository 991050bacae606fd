#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The text form of paths in context values. Equal texts stand for paths that are equal, byte for byte.
///
/// Colons and percent signs are escaped (`%3A`, `%25`), so that colons can separate several paths. Bytes outside
/// printable ASCII are escaped too, so that no two paths look alike.
package enum PathText {
    /// Returns the text of a path, made absolute and without `.` and redundant slashes. Keeps `..`, because its meaning
    /// depends on links. Returns nil for an empty path, or if the working directory cannot be determined.
    package static func text(of path: String) -> String? {
        guard var path = path.isEmpty ? nil : path else { return nil }
        let slash = UInt8(ascii: "/")
        if path.utf8.first != slash {
            guard let current = getcwd(nil, 0) else { return nil }
            defer { free(current) }
            path = "\(String(cString: current))/\(path)"
        }
        let names = path.utf8.split(separator: slash).filter { !$0.elementsEqual(".".utf8) }
        return "/" + names.map(escaped).joined(separator: "/")
    }

    /// Returns the path of a text; nil if an escape sequence is invalid, or if the path is not UTF-8.
    package static func path(of text: Substring) -> String? {
        var (path, rest): ([UInt8], Substring.UTF8View) = ([], text.utf8)
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                path.append(byte)
                continue
            }
            let digits = rest.prefix(2).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
            guard digits.count == 2 else { return nil }
            rest = rest.dropFirst(2)
            path.append(UInt8(digits[0] << 4 | digits[1]))
        }
        return String(validating: path, as: UTF8.self)
    }

    private static func escaped(_ name: Substring.UTF8View) -> String {
        name.reduce(into: "") { text, byte in
            if (0x20...0x7E).contains(byte), byte != UInt8(ascii: ":"), byte != UInt8(ascii: "%") {
                text.append(Character(UnicodeScalar(byte)))
            } else {
                text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}
