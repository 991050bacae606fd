#if PNG
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A terminal that a process writes to, whose output the test reads.
final class PseudoTerminal {
    private let master: Int32
    private let slave: Int32
    /// The output so far.
    private(set) var shown = ""

    init() throws {
        var master: Int32 = -1
        var slave: Int32 = -1
        guard openpty(&master, &slave, nil, nil, nil) == 0 else { throw CocoaError(.fileNoSuchFile) }
        self.master = master
        self.slave = slave
        // Other tests start processes too, which must not keep the terminal open.
        for descriptor in [master, slave] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }

    deinit { close(master) }

    /// Returns the end that a process writes to.
    func handle() -> FileHandle { FileHandle(fileDescriptor: slave, closeOnDealloc: false) }

    /// Leaves the terminal to the process. The output then ends with the process.
    func release() { close(slave) }

    /// Reads the output until `text` appears; to the end if it is nil. Blocks.
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
