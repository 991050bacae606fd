/// Stored bytes that can be read at any offset and at any time, so that a long file need not be in memory as a whole.
///
/// A source is read from many threads at once, and for as long as it is retained, even after the load that provided it
/// has ended.
public protocol ByteSource: Sendable {
    /// The number of bytes, which never changes.
    var byteCount: Int { get }

    /// Reads bytes from `offset` on into memory; blocks.
    ///
    /// Fills the memory unless the source ends before. Throws if the bytes cannot be read, or may have changed since
    /// the source was made: bytes read before and after a change do not form one file.
    /// - Returns: The number of bytes read.
    func read(at offset: Int, into memory: UnsafeMutableRawBufferPointer) throws -> Int
}

extension ByteSource {
    /// Returns `count` bytes from `offset` on, in one piece. Throws `loadFailed` if there are fewer, and `outOfMemory`.
    /// Blocks.
    func bytes(at offset: Int, count: Int) throws -> Data {
        try Data(count: count, at: .load) { memory in
            let got = try read(at: offset, into: memory)
            guard got == count else {
                throw ImageError(
                    .loadFailed, stage: .load, message: "ends after \(offset + got) of \(byteCount) bytes",
                    advice: "load it again after it has been written completely")
            }
            return got
        }
    }
}
