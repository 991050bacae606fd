#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// How much memory this process may use.
enum SystemMemory {
    /// Bytes: the control group's limit where there is one, else the machine's memory.
    ///
    /// Source: the kernel's documentation of control groups, v2 `memory.max` and v1 `memory.limit_in_bytes`.
    static let limit: Int = {
        let machine = max(64 << 20, Int(sysconf(Int32(_SC_PHYS_PAGES))) * Int(sysconf(Int32(_SC_PAGESIZE))))
        let candidates = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
        let group = candidates.compactMap(number).min()
        return min(machine, group ?? machine)
    }()

    /// The number in a small file; nil when there is none, as in `max`, which means "no limit".
    private static func number(inFile path: String) -> Int? {
        guard let text = try? String(contentsOf: URL(filePath: path), encoding: .utf8) else { return nil }
        return Int(text.filter { !$0.isWhitespace })
    }
}
