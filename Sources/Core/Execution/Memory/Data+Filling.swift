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
    /// Throws `outOfMemory` when the system has no memory for them, and whatever `fill` throws.
    /// - Parameters:
    ///   - count: The size of the memory in bytes.
    ///   - stage: The step that an error names.
    ///   - fill: Writes into the memory, whose contents are undefined, from its start on. Returns how many bytes it
    ///     has written; is not called for a count of 0.
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
