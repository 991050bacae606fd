#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension Data {
    /// Creates data from the bytes that `fill` writes into newly allocated memory.
    ///
    /// Throws `outOfMemory` if the memory cannot be allocated, and any error that `fill` throws.
    /// - Parameters:
    ///   - count: The size of the memory in bytes. If it is 0 or less, `fill` is not called.
    ///   - stage: The stage that the error `outOfMemory` names.
    ///   - fill: A closure that writes bytes from the start of the memory on, and returns their number. The initial
    ///     contents of the memory are undefined.
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
