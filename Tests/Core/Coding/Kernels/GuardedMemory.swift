#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Memory for plain values, followed by an inaccessible page. An access beyond the end ends the process at once.
final class GuardedMemory<Element> {
    let base: UnsafeMutablePointer<Element>
    let count: Int
    private let mapping: UnsafeMutableRawPointer
    private let mappedByteCount: Int

    /// Allocates zeroed memory for `count` elements. It ends at a page boundary, so its alignment is that of its
    /// length.
    init(count: Int) {
        let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
        let byteCount = count * MemoryLayout<Element>.stride
        let usable = (byteCount + pageSize - 1) / pageSize * pageSize
        let mapped = mmap(nil, usable + pageSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let mapped, mapped != MAP_FAILED else { preconditionFailure("could not map \(byteCount) bytes") }
        mprotect(mapped + usable, pageSize, PROT_NONE)
        mapping = mapped
        mappedByteCount = usable + pageSize
        base = (mapped + (usable - byteCount)).bindMemory(to: Element.self, capacity: count)
        self.count = count
    }

    /// Allocates memory that contains these elements.
    convenience init(_ elements: [Element]) {
        self.init(count: elements.count)
        for (index, element) in elements.enumerated() { base[index] = element }
    }

    deinit { munmap(mapping, mappedByteCount) }

    /// The elements of the memory.
    var elements: [Element] { Array(UnsafeBufferPointer(start: base, count: count)) }
}
