#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Memory for plain values, with a page behind its end that nobody may touch: whoever reads or writes too far ends the
/// process at once.
final class GuardedMemory<Element> {
    let base: UnsafeMutablePointer<Element>
    let count: Int
    private let mapping: UnsafeMutableRawPointer
    private let mappedByteCount: Int

    /// Memory for `count` elements, all zero. Begins at a multiple of what its length in bytes is one of.
    init(count: Int) {
        let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
        let byteCount = count * MemoryLayout<Element>.stride
        let usable = (byteCount + pageSize - 1) / pageSize * pageSize
        let mapped = mmap(nil, usable + pageSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let mapped, mapped != MAP_FAILED else { preconditionFailure("no memory for \(byteCount) bytes") }
        mprotect(mapped + usable, pageSize, PROT_NONE)
        mapping = mapped
        mappedByteCount = usable + pageSize
        base = (mapped + (usable - byteCount)).bindMemory(to: Element.self, capacity: count)
        self.count = count
    }

    /// Memory that holds these elements.
    convenience init(_ elements: [Element]) {
        self.init(count: elements.count)
        for (index, element) in elements.enumerated() { base[index] = element }
    }

    deinit { munmap(mapping, mappedByteCount) }

    /// What it holds.
    var elements: [Element] { Array(UnsafeBufferPointer(start: base, count: count)) }
}
