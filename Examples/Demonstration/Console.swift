import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Prints lines without buffering, so that a program that reads the output through a pipe gets each line at once.
enum Console {
    /// Prints one or more lines to standard output. Ends the process if writing fails.
    static func say(_ text: String) {
        guard let code = send("\(text)\n", to: STDOUT_FILENO) else { return }
        complain(
            "cannot write to standard output: \(String(cString: strerror(code))); check where it is redirected to")
        exit(1)
    }

    /// Prints a failure to standard error. If writing fails, the failure is lost.
    static func complain(_ text: String) { _ = send("calotype-demo: \(text)\n", to: STDERR_FILENO) }

    /// Returns the failure and the advice of an error, without the subject of the error. The caller prints the name
    /// that the user gave instead.
    static func describe(_ error: any Error) -> String {
        guard var error = error as? ImageError else { return "\(error)" }
        error.subject = nil
        return error.description
    }

    /// Writes a text to a file descriptor. Returns the error number if writing fails, otherwise nil.
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
    /// The text in one line, shortened to 60 characters, with each control character replaced by a question mark.
    var printable: String {
        let text = String(
            map { (character: Character) -> Character in
                character.unicodeScalars.contains { $0.properties.generalCategory == .control } ? "?" : character
            })
        return text.count > 60 ? "\(text.prefix(59))…" : text
    }
}
