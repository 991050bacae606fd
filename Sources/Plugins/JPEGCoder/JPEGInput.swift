#if JPEG
import Calotype

/// A reader and the bytes of a complete file. The reader receives bytes in memory all at once, and other bytes in pieces
/// as it needs them. Use an instance on one thread at a time.
final class JPEGInput {
    let header: JPEGHeader
    private let reader: JPEGReader
    private let bytes: ImageBytes
    /// All bytes; nil if they are read in pieces.
    private let whole: Data?
    /// The number of bytes that the reader has received, if they are read in pieces.
    private var offset = 0

    /// Reads the header of a file.
    /// - Parameter options: The options for reading the profile and the metadata; nil if they are not needed.
    convenience init(_ bytes: ImageBytes, options: DecodeOptions?) throws {
        let first = bytes.chunk(at: 0) ?? Data()
        let isWhole = first.count == bytes.byteCount
        try self.init(bytes, whole: isWhole ? first : nil, options: options)
    }

    private init(_ bytes: ImageBytes, whole: Data?, options: DecodeOptions?) throws {
        var (reader, header, offset) = try Self.readHeader(of: bytes, whole: whole, options: options)
        var whole = whole
        if whole == nil, header.isArithmetic {
            // The end of the data is searched before they are decoded.
            let data = try Self.gathered(bytes)
            whole = data
            (reader, header, offset) = try Self.readHeader(of: bytes, whole: data, options: options)
        }
        (self.bytes, self.whole, self.reader, self.header, self.offset) = (bytes, whole, reader, header, offset)
    }

    private static func readHeader(
        of bytes: ImageBytes, whole: Data?, options: DecodeOptions?
    ) throws -> (JPEGReader, JPEGHeader, offset: Int) {
        guard let whole else {
            let reader = try JPEGReader()
            if let options { try reader.keepMetadata(options) }
            var offset = 0
            while true {
                guard try append(bytes, from: &offset, to: reader) else { throw JPEGReader.incomplete }
                if let header = try reader.readHeader() { return (reader, header, offset) }
            }
        }
        return try whole.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) throws -> (JPEGReader, JPEGHeader, Int) in
            let reader = try JPEGReader(bytes)
            if let options { try reader.keepMetadata(options) }
            guard let header = try reader.readHeader() else { throw JPEGReader.incomplete }
            return (reader, header, 0)
        }
    }

    /// Returns all bytes, which are read in pieces.
    private static func gathered(_ bytes: ImageBytes) throws -> Data {
        try Data(count: bytes.byteCount, at: .decode) { memory in
            var offset = 0
            while offset < memory.count, let piece = bytes.chunk(at: offset) {
                piece.withUnsafeBytes { (piece: UnsafeRawBufferPointer) -> Void in
                    UnsafeMutableRawBufferPointer(rebasing: memory[offset...]).copyMemory(from: piece)
                }
                offset += piece.count
            }
            if let failure = bytes.failure { throw failure }
            return offset
        }
    }

    /// Passes the next piece to a reader. Returns false if there is none.
    private static func append(_ bytes: ImageBytes, from offset: inout Int, to reader: JPEGReader) throws -> Bool {
        guard offset < bytes.byteCount else { return false }
        let piece = bytes.chunk(at: offset)
        if let failure = bytes.failure { throw failure }
        guard let piece else { return false }
        offset += piece.count
        let isLast = offset == bytes.byteCount
        try piece.withUnsafeBytes { (piece: UnsafeRawBufferPointer) throws -> Void in
            try reader.append(piece, isLast: isLast)
        }
        return true
    }

    /// Calls `body` with the reader, which has read the header. Call this once.
    func withReader<Result>(_ body: (JPEGReader) throws -> Result) throws -> Result {
        guard let whole else { return try body(reader) }
        return try whole.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) throws -> Result in
            reader.move(to: bytes)
            return try body(reader)
        }
    }

    /// Throws `limitExceeded` if the scans of a file exceed the limits. If the bytes are read in pieces, the reader
    /// checks each scan before it decodes it.
    func checkScans(limits: JPEGScanLimits) throws {
        try whole?.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) throws -> Void in
            try reader.checkScans(of: bytes, limits: limits)
        }
    }

    /// Passes the next piece to the reader. Throws ``JPEGReader/incomplete`` if there is none.
    func provideMore() throws {
        guard whole == nil, try Self.append(bytes, from: &offset, to: reader) else { throw JPEGReader.incomplete }
    }
}
#endif
