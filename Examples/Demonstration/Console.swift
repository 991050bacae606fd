import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Where lines go, at once: whoever waits at the end of a pipe sees them when they are said.
enum Console {
    /// Prints a line, or several.
    static func say(_ text: String) {
        guard let code = send("\(text)\n", to: STDOUT_FILENO) else { return }
        complain(
            "cannot write to standard output: \(String(cString: strerror(code))); check where it is redirected to")
        exit(1)
    }

    /// Prints what went wrong. Nothing can be done where not even this can be written.
    static func complain(_ text: String) { _ = send("calotype-demo: \(text)\n", to: STDERR_FILENO) }

    /// What happened and what to do, without the subject: whoever reports it names it as the user did.
    static func describe(_ error: any Error) -> String {
        guard var error = error as? ImageError else { return "\(error)" }
        error.subject = nil
        return error.description
    }

    /// Writes a text; returns the number of the error that kept it from that.
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
    /// In one line, without what would steer a terminal, and not much longer than a column.
    var printable: String {
        let text = String(
            map { (character: Character) -> Character in
                character.unicodeScalars.contains { $0.properties.generalCategory == .control } ? "?" : character
            })
        return text.count > 60 ? "\(text.prefix(59))…" : text
    }
}
