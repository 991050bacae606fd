import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The memory of this process.
enum ResidentMemory {
    /// The resident memory in bytes; nil if unknown.
    static var byteCount: Int? {
        guard let text = try? String(contentsOf: URL(filePath: "/proc/self/statm"), encoding: .utf8) else { return nil }
        let words = text.split(separator: " ")
        guard words.count > 1, let pages = Int(words[1]) else { return nil }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}
