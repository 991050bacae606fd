/// Stored bytes that can be read at any offset and at any time, so that a long file need not be in memory as a whole.
///
/// A source is read from several threads at once. It must stay readable as long as it is retained, even after the load
/// that provided it has ended.
public protocol ByteSource: Sendable {
    /// The number of bytes, which never changes.
    var byteCount: Int { get }

    /// Reads the bytes from `offset` on into memory. Blocks.
    ///
    /// Fills `memory` unless the source ends first. Throws if the bytes cannot be read, or if they may have changed
    /// since the source was created. Bytes from before and after a change would not form one file.
    /// - Returns: The number of bytes read.
    func read(at offset: Int, into memory: UnsafeMutableRawBufferPointer) throws -> Int
}

extension ByteSource {
    /// Returns `count` bytes from `offset` on. Blocks. Throws `loadFailed` if the source ends earlier, and
    /// `outOfMemory` if the memory cannot be allocated.
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
