#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The memory that this process may use.
enum SystemMemory {
    /// The limit in bytes: the lowest limit of the control groups that the process is in, at most the machine's memory.
    static let limit: Int = {
        let machine = max(64 << 20, Int(sysconf(Int32(_SC_PHYS_PAGES))) * Int(sysconf(Int32(_SC_PAGESIZE))))
        return min(machine, controlGroupFiles.compactMap(ControlGroup.number).min() ?? machine)
    }()

    /// The files that contain the memory limits of the process's own control group and of all groups above it.
    private static var controlGroupFiles: [String] {
        ControlGroup.directories.map { "\($0)/memory.max" }
            + ControlGroup.memoryDirectories.map { "\($0)/memory.limit_in_bytes" }
    }
}
