#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension Data {
    /// Creates data of at most `count` bytes, which `fill` writes.
    ///
    /// Throws `outOfMemory` if the system has no memory for them, and any error of `fill`.
    /// - Parameters:
    ///   - count: The size of the memory in bytes.
    ///   - stage: The stage for errors.
    ///   - fill: Writes into the memory from its start on, and returns the number of bytes written. The memory has
    ///     undefined contents. Not called for a count of 0.
    package init(
        count: Int, at stage: ImageError.Stage, filledBy fill: (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws {
        guard count > 0 else {
            self.init()
            return
        }
        guard MemoryReserve.allows(count), let memory = malloc(count) else {
            throw ImageError.noMemory(forBytes: count, at: stage)
        }
        let filled: Int
        do {
            filled = try fill(UnsafeMutableRawBufferPointer(start: memory, count: count))
        } catch {
            free(memory)
            throw error
        }
        self.init(bytesNoCopy: memory, count: filled, deallocator: .free)
    }
}
