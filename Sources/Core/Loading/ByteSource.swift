/// Bytes that are somewhere already, of which any can be read at any time: a long file need not be in memory as a
/// whole.
///
/// Read from many threads at once, and for as long as it is retained: also when the load that handed it over is long
/// done.
public protocol ByteSource: Sendable {
    /// The number of bytes. Always the same.
    var byteCount: Int { get }

    /// Reads bytes from `offset` on into memory; blocks.
    ///
    /// Fills the memory, unless the end comes before. Throws when the bytes cannot be read, and when they may no longer
    /// be those that were there when the source was made: what was read before and what would be read then are no one
    /// file.
    /// - Returns: How many bytes were read.
    func read(at offset: Int, into memory: UnsafeMutableRawBufferPointer) throws -> Int
}

extension ByteSource {
    /// The bytes from `offset` on, in one piece. Throws `loadFailed` when there are fewer than `count`, and
    /// `outOfMemory`. Blocks.
    func bytes(at offset: Int, count: Int) throws -> Data {
        try Data(count: count, at: .load) { memory in
            let got = try read(at: offset, into: memory)
            guard got == count else {
                throw ImageError(
                    .loadFailed, stage: .load, message: "ends after \(offset + got) of \(byteCount) bytes",
                    advice: "load it again when whoever writes it is done")
            }
            return got
        }
    }
}
