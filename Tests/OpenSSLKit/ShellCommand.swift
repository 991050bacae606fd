import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A command of the shell that runs beside the test, with what it says. All calls block.
///
/// Not Foundation's `Process`, which never lets go of itself on Linux: the leak checker would have to be told to look
/// away from the loader too.
final class ShellCommand: Sendable {
    #if canImport(Musl)
    private typealias Stream = OpaquePointer
    #else
    private typealias Stream = UnsafeMutablePointer<FILE>
    #endif

    /// What it says; nil when it has ended.
    private let output: Lock<Stream?>

    /// Starts a command; nil when the system cannot.
    init?(_ command: String) {
        guard let stream = popen(command, "r") else { return nil }
        output = Lock(stream)
    }

    deinit { end() }

    /// The next line, without its end; nil after the last one.
    func nextLine() -> String? {
        output.withLock { stream in
            guard let stream else { return nil }
            var line = [CChar](repeating: 0, count: 1000)
            guard fgets(&line, Int32(line.count), stream) != nil else { return nil }
            return String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    /// Waits until it has ended. Returns its status, 0 for success.
    @discardableResult
    func end() -> Int32 {
        output.withLock { stream in
            defer { stream = nil }
            return stream.map { pclose($0) } ?? 0
        }
    }
}
