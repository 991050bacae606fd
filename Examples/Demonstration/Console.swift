import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Prints lines without buffering, so that the reader of a pipe sees them at once.
enum Console {
    /// Prints one or more lines.
    static func say(_ text: String) {
        guard let code = send("\(text)\n", to: STDOUT_FILENO) else { return }
        complain(
            "cannot write to standard output: \(String(cString: strerror(code))); check where it is redirected to")
        exit(1)
    }

    /// Prints a failure. If even this cannot be written, nothing can be done.
    static func complain(_ text: String) { _ = send("calotype-demo: \(text)\n", to: STDERR_FILENO) }

    /// Returns the failure and the advice of an error, without the subject. The caller adds the name that the user
    /// gave.
    static func describe(_ error: any Error) -> String {
        guard var error = error as? ImageError else { return "\(error)" }
        error.subject = nil
        return error.description
    }

    /// Writes a text. Returns the error number on failure, else nil.
    private static func send(_ text: String, to descriptor: Int32) -> Int32? {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Int32? in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                guard count > 0 || errno == EINTR else { return errno }
                rest = rest.dropFirst(max(0, count))
            }
            return nil
        }
    }
}

extension String {
    /// The text in one line, without control characters, and not much longer than a column.
    var printable: String {
        let text = String(
            map { (character: Character) -> Character in
                character.unicodeScalars.contains { $0.properties.generalCategory == .control } ? "?" : character
            })
        return text.count > 60 ? "\(text.prefix(59))…" : text
    }
}
