#if PNG
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A terminal for a process to write to, and its other end to see what it shows.
final class PseudoTerminal {
    private let master: Int32
    private let slave: Int32
    /// All that was shown so far.
    private(set) var shown = ""

    init() throws {
        var master: Int32 = -1
        var slave: Int32 = -1
        guard openpty(&master, &slave, nil, nil, nil) == 0 else { throw CocoaError(.fileNoSuchFile) }
        self.master = master
        self.slave = slave
        // Other tests begin processes too: none of them should keep the terminal open.
        for descriptor in [master, slave] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }

    deinit { close(master) }

    /// The end that a process writes to.
    func handle() -> FileHandle { FileHandle(fileDescriptor: slave, closeOnDealloc: false) }

    /// Says that the process has the terminal now: what it shows ends when the process does.
    func release() { close(slave) }

    /// Watches until `text` was shown, or, when that is nil, to the end. Blocks.
    func watch(until text: String? = nil) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            if let text, shown.contains(text) { return }
            let count = buffer.withUnsafeMutableBytes { read(master, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            shown += String(decoding: buffer[..<count], as: UTF8.self)
        }
    }
}
#endif
