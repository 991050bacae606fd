#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension String {
    /// Returns whether both texts have the same bytes. Use it to compare keys: Swift's `==` ignores differences in
    /// Unicode composition, but file systems and servers do not.
    package func isSame(as other: String) -> Bool {
        let same = other.utf8.withContiguousStorageIfAvailable { self.isSame(as: UnsafeRawBufferPointer($0)) }
        return same ?? utf8.elementsEqual(other.utf8)
    }

    /// Returns whether the UTF-8 form of the text equals `bytes`.
    func isSame(as bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count == utf8.count else { return false }
        guard let base = bytes.baseAddress, !bytes.isEmpty else { return true }
        let same = utf8.withContiguousStorageIfAvailable { memcmp($0.baseAddress!, base, bytes.count) == 0 }
        return same ?? bytes.elementsEqual(utf8)
    }
}

extension String? {
    /// Returns whether both texts have the same bytes, or both are nil.
    package func isSame(as other: String?) -> Bool {
        switch (self, other) {
        case (let one?, let other?): one.isSame(as: other)
        case (nil, nil): true
        default: false
        }
    }
}
