#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// How much memory this process may use.
enum SystemMemory {
    /// Bytes: the lowest limit of the control groups that the process is in, at most the machine's memory.
    static let limit: Int = {
        let machine = max(64 << 20, Int(sysconf(Int32(_SC_PHYS_PAGES))) * Int(sysconf(Int32(_SC_PAGESIZE))))
        return min(machine, controlGroupFiles.compactMap(number).min() ?? machine)
    }()

    /// The files that hold a limit: of the process's own group and of all above it.
    ///
    /// Source: the kernel's documentation of control groups, v2 `memory.max` and v1 `memory.limit_in_bytes`. A line of
    /// `/proc/self/cgroup` is `0::PATH` in v2 and `N:CONTROLLERS:PATH` in v1.
    private static var controlGroupFiles: [String] {
        guard let text = try? String(contentsOf: URL(filePath: "/proc/self/cgroup"), encoding: .utf8) else { return [] }
        return text.split(separator: "\n").flatMap { line -> [String] in
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { return [] }
            let folder: String
            let file: String
            if parts[1].isEmpty {
                (folder, file) = ("/sys/fs/cgroup", "memory.max")
            } else if parts[1].split(separator: ",").contains("memory") {
                (folder, file) = ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            } else {
                return []
            }
            var files = ["\(folder)/\(file)"]
            var path = folder
            for name in parts[2].split(separator: "/") {
                path += "/\(name)"
                files.append("\(path)/\(file)")
            }
            return files
        }
    }

    /// The number in a small file; nil when there is none, as in `max`, which means "no limit".
    private static func number(inFile path: String) -> Int? {
        guard let text = try? String(contentsOf: URL(filePath: path), encoding: .utf8) else { return nil }
        return Int(text.filter { !$0.isWhitespace })
    }
}
