#if HTTP
import Calotype
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeHTTP

/// The resources of a loader, for checks after its end.
struct Leftovers {
    /// The engine, which is retained by the thread, each transfer and each handle.
    private weak var engine: CurlEngine?

    init(of loader: CurlImageLoader) throws {
        engine = try #require(
            Mirror(reflecting: loader).children.lazy.compactMap { $0.value as? CurlEngine }.first)
    }

    /// Waits until the thread, all transfers and all handles are gone.
    func waitUntilGone() async throws {
        try await waitUntil("the loader's thread, transfers and handles are gone") { engine == nil }
    }

    /// Returns the number of this machine's sockets that lead to a port and are not closed at this end, though the
    /// other end may be. Available only on Linux; 0 elsewhere.
    ///
    /// Source: proc_pid_net(5); the states are those of the kernel's `tcp_states.h`.
    static func socketCount(to port: Int) -> Int {
        // `1: 0100007F:C350 0100007F:1F90 01 ...`: number, local address, remote address, state, all hexadecimal. Read
        // to its end: reading it as a string stops after the first page.
        let bytes = try? FileHandle(forReadingAtPath: "/proc/self/net/tcp")?.readToEnd()
        let table = String(decoding: bytes ?? Data(), as: UTF8.self)
        let (established, closeWait) = ("01", "08")
        return table.split(separator: "\n").count { line in
            let columns = line.split(separator: " ")
            guard columns.count > 3, let other = columns[2].split(separator: ":").last else { return false }
            return Int(other, radix: 16) == port && (columns[3] == established || columns[3] == closeWait)
        }
    }
}
#endif
