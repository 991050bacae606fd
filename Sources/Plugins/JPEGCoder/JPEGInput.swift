#if JPEG
import Calotype

/// A reader and the bytes of a complete file. Use an instance on one thread at a time.
///
/// The reader receives bytes that are in memory all at once. Other bytes are passed to it in pieces while rows are
/// decoded, unless the file has several scans or arithmetic coding. These files are read into memory before their
/// pixels are decoded: the scans must be counted first, and missing data of arithmetic coding are only noticed in this
/// way.
final class JPEGInput {
    let header: JPEGHeader
    private let bytes: ImageBytes
    private var reader: JPEGReader
    /// All bytes; nil if they are not in memory.
    private var whole: Data?
    /// The number of bytes that the reader has received, if they are not in memory.
    private var offset = 0

    /// Reads the header of a file.
    /// - Parameter options: The options for reading the profile and the metadata; nil if they are not needed.
    init(_ bytes: ImageBytes, options: DecodeOptions?) throws {
        self.bytes = bytes
        let first = try Self.piece(of: bytes, at: 0)
        if first.count == bytes.byteCount {
            whole = first
            (reader, header) = try Self.read(first, options: options)
            return
        }
        let reader = try JPEGReader()
        if let options { try reader.keepMetadata(options) }
        var known: JPEGHeader?
        var (piece, offset) = (first, 0)
        while true {
            offset += piece.count
            try Self.append(piece, isLast: offset == bytes.byteCount, to: reader)
            known = try reader.readHeader()
            if known != nil || offset == bytes.byteCount { break }
            piece = try Self.piece(of: bytes, at: offset)
        }
        guard let known else { throw JPEGReader.incomplete }
        (self.reader, header, self.offset) = (reader, known, offset)
    }

    /// The number of bytes that are read into memory before pixels are decoded.
    var gatheredByteCount: Int {
        whole == nil && (header.hasScans || header.isArithmetic) ? bytes.byteCount : 0
    }

    /// Calls `body` with the reader, which has read the header. A reader cannot read twice, so call this once.
    func withReader<Result>(job: Job, _ body: (JPEGReader) throws -> Result) throws -> Result {
        if gatheredByteCount > 0 {
            let data = try gathered(job: job)
            (reader, _) = try Self.read(data, options: nil)
            whole = data
        }
        guard let whole else { return try body(reader) }
        return try whole.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) throws -> Result in
            reader.move(to: bytes)
            return try body(reader)
        }
    }

    /// Throws `limitExceeded` if the scans of a file exceed the limits. Call this in ``withReader(job:_:)``.
    func checkScans(limits: JPEGScanLimits) throws {
        try whole?.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) throws -> Void in
            try reader.checkScans(of: bytes, limits: limits)
        }
    }

    /// Passes the next piece to the reader. Throws ``JPEGReader/incomplete`` if there is none.
    func provideMore(job: Job) throws {
        try job.check()
        guard whole == nil, offset < bytes.byteCount else { throw JPEGReader.incomplete }
        let piece = try Self.piece(of: bytes, at: offset)
        offset += piece.count
        try Self.append(piece, isLast: offset == bytes.byteCount, to: reader)
    }

    // MARK: Pieces

    private static func piece(of bytes: ImageBytes, at offset: Int) throws -> Data {
        let piece = bytes.chunk(at: offset)
        if let failure = bytes.failure { throw failure }
        guard let piece else { throw JPEGReader.incomplete }
        return piece
    }

    private static func append(_ piece: Data, isLast: Bool, to reader: JPEGReader) throws {
        try piece.withUnsafeBytes { (piece: UnsafeRawBufferPointer) throws -> Void in
            try reader.append(piece, isLast: isLast)
        }
    }

    /// Returns all bytes, which are read in pieces.
    private func gathered(job: Job) throws -> Data {
        try Data(count: bytes.byteCount, at: .decode) { memory in
            var offset = 0
            while offset < memory.count {
                try job.check()
                let piece = try Self.piece(of: bytes, at: offset)
                piece.withUnsafeBytes { (piece: UnsafeRawBufferPointer) -> Void in
                    UnsafeMutableRawBufferPointer(rebasing: memory[offset...]).copyMemory(from: piece)
                }
                offset += piece.count
            }
            return offset
        }
    }

    /// Returns a reader that has read the header of a file in memory.
    private static func read(_ data: Data, options: DecodeOptions?) throws -> (JPEGReader, JPEGHeader) {
        try data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) throws -> (JPEGReader, JPEGHeader) in
            let reader = try JPEGReader(bytes)
            if let options { try reader.keepMetadata(options) }
            guard let header = try reader.readHeader() else { throw JPEGReader.incomplete }
            return (reader, header)
        }
    }
}
#endif
