#if PNG && DEFLATE
import CDeflate
import CPNG
import Calotype

/// A way to filter and to compress the rows of a picture.
struct PNGCompression {
    /// The repetitions that are searched.
    enum Repetitions {
        /// All repetitions, by libdeflate, at a level from 0 (none) to 9 (smallest and slowest).
        case all(level: Int)
        /// Only runs of equal bytes, by zlib. In noise, short repetitions are frequent by chance, and referring to them
        /// takes more bits than the bytes themselves. This is also much faster.
        case runs
    }

    let rule: PNGRowFilter.Rule
    let repetitions: Repetitions

    /// The compression of photographs with noise.
    static let noise = PNGCompression(rule: .smallestSum, repetitions: .runs)

    /// Returns the compression for files that are read soon and often, such as cached variants. It has the lowest total
    /// time of encoding, writing, reading and decoding.
    ///
    /// With ``PNGRowFilter/Rule/up``, rows are filtered once, and a decoder undoes the filter of many bytes at once.
    static func fastest(ofCodes: Bool) -> PNGCompression {
        PNGCompression(rule: ofCodes ? .none : .up, repetitions: .all(level: 1))
    }

    /// This compression at the next level; nil if it has none, or is at level 0 or at the highest level.
    var slower: PNGCompression? {
        guard case .all(let level) = repetitions, 1..<9 ~= level else { return nil }
        return PNGCompression(rule: rule, repetitions: .all(level: level + 1))
    }

    /// Returns the maximum number of bytes of a stream for rows with `byteCount` bytes.
    private static func byteLimit(for byteCount: Int) -> Int {
        max(libdeflate_zlib_compress_bound(nil, byteCount), Int(deflateBound(nil, uLong(byteCount))))
    }

    /// Compresses filtered rows, fewer than 4 GiB, to a zlib stream. Throws `outOfMemory` if there is no memory.
    func compressed(_ rows: Data) throws -> Data {
        try Data(count: Self.byteLimit(for: rows.count), at: .encode) { target in
            let count = rows.withUnsafeBytes { (rows: UnsafeRawBufferPointer) -> Int? in
                switch repetitions {
                case .all(let level): compressAll(rows, level: level, into: target)
                case .runs: compressRuns(rows, into: target)
                }
            }
            guard let count else { throw ImageError.noMemoryForPNG(.encode) }
            return count
        }
    }

    private func compressAll(
        _ rows: UnsafeRawBufferPointer, level: Int, into target: UnsafeMutableRawBufferPointer
    ) -> Int? {
        guard let compressor = libdeflate_alloc_compressor(Int32(level)) else { return nil }
        defer { libdeflate_free_compressor(compressor) }
        let count = libdeflate_zlib_compress(
            compressor, rows.baseAddress, rows.count, target.baseAddress, target.count)
        return count > 0 ? count : nil
    }

    private func compressRuns(
        _ rows: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
    ) -> Int? {
        var memory = z_stream()
        // zlib requires the same address in each call.
        return withUnsafeMutablePointer(to: &memory) { stream in
            guard
                deflateInit2_(
                    stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS, MAX_MEM_LEVEL, Z_RLE, ZLIB_VERSION,
                    Int32(MemoryLayout<z_stream>.size)) == Z_OK
            else { return nil }
            defer { deflateEnd(stream) }
            // zlib does not change its input.
            let input = UnsafeMutableRawPointer(mutating: rows.baseAddress)
            stream.pointee.next_in = input?.assumingMemoryBound(to: Bytef.self)
            stream.pointee.avail_in = uInt(rows.count)
            stream.pointee.next_out = target.baseAddress?.assumingMemoryBound(to: Bytef.self)
            stream.pointee.avail_out = uInt(clamping: target.count)
            return deflate(stream, Z_FINISH) == Z_STREAM_END ? Int(stream.pointee.total_out) : nil
        }
    }
}
#endif
