import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A shell command that runs beside the test, with its output. All calls block.
///
/// Foundation's `Process` is not used, since it leaks itself on Linux; suppressing that would make the leak checker
/// ignore leaks of the loader too.
final class ShellCommand: Sendable {
    #if canImport(Musl)
    private typealias Stream = OpaquePointer
    #else
    private typealias Stream = UnsafeMutablePointer<FILE>
    #endif

    /// The output; nil after the end.
    private let output: Lock<Stream?>

    /// Starts a command. Returns nil if that fails.
    init?(_ command: String) {
        guard let stream = popen(command, "r") else { return nil }
        output = Lock(stream)
    }

    deinit { end() }

    /// Returns the next line, without the line break; nil after the last one.
    func nextLine() -> String? {
        output.withLock { stream in
            guard let stream else { return nil }
            var line = [CChar](repeating: 0, count: 1000)
            guard fgets(&line, Int32(line.count), stream) != nil else { return nil }
            return String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    /// Waits until the command has ended. Returns its status, 0 for success.
    @discardableResult
    func end() -> Int32 {
        output.withLock { stream in
            defer { stream = nil }
            return stream.map { pclose($0) } ?? 0
        }
    }
}
