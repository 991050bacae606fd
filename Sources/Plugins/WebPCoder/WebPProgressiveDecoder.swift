#if WEBP
import Calotype

/// A decoder for one still WebP of which more bytes may arrive. For an animation, the decoder throws
/// ``ImageError/nothingEarlyInWebP``.
///
/// Previews are usually not rotated, because EXIF follows the picture.
final class WebPProgressiveDecoder: ProgressiveDecoder {
    private let options: DecodeOptions
    private var isComplete = false
    /// The bytes that have arrived but were not yet passed to libwebp.
    private var held = Data()
    private var file: WebPFile?
    private var reader: WebPReader?
    /// The first error, which all later calls throw again.
    private var failure: ImageError?

    init(options: DecodeOptions) {
        self.options = options
    }

    var info: ImageInfo {
        get throws {
            let file = try knownFile()
            guard !isAnimation else { throw ImageError.nothingEarlyInWebP }
            return file.info
        }
    }

    var isAnimation: Bool { file.map { !$0.info.frames.isEmpty } ?? false }

    /// The memory in bytes that libwebp requires: all rows, and as much again to decode a lossless picture.
    var workingByteCount: Int { file.map { 2 * PixelLayout(size: $0.info.pixelSize).byteCount } ?? 0 }

    func append(_ bytes: RawSpan, isLast: Bool) throws {
        precondition(!isComplete, "bytes were appended after the last ones")
        if let failure { throw failure }
        isComplete = isLast
        guard !isAnimation else { return }
        bytes.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Void in
            held.append(contentsOf: bytes)
        }
        if file == nil { try remembering { () throws(ImageError) in file = try takenApart() } }
        if isAnimation { held = Data() }
    }

    func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
        guard frame == 0 else { throw ImageError.noSuchFrame(frame, of: 1) }
        let file = try knownFile()
        guard !isAnimation else { throw ImageError.nothingEarlyInWebP }
        let reader = try self.reader ?? startedReader(of: file)
        try job.check()
        try remembering { () throws(ImageError) in try read(by: reader) }
        let rowCount = reader.rowCount
        guard rowCount > 0 else { throw ImageError.incompleteWebP }
        var layout = PixelLayout(size: file.info.pixelSize, isOpaque: !file.info.hasAlpha)
        layout.isOpaque = layout.isOpaque && rowCount == layout.size.height
        try sink.begin(layout)
        for y in 0..<layout.size.height {
            try sink.row(y) { (row: inout MutableRawSpan) throws -> Void in
                row.withUnsafeMutableBytes { (row: UnsafeMutableRawBufferPointer) -> Void in
                    reader.copyRow(y, of: rowCount, isOpaque: !file.info.hasAlpha, to: row)
                }
            }
        }
    }

    private func knownFile() throws(ImageError) -> WebPFile {
        if let failure { throw failure }
        guard let file else { throw .incompleteWebP }
        return file
    }

    /// Parses the bytes that have arrived. Returns nil if more bytes are needed to find the picture.
    private func takenApart() throws(ImageError) -> WebPFile? {
        do throws(ImageError) {
            return try held.bytes.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) throws(ImageError) -> WebPFile in
                try WebPFile(bytes, isWhole: isComplete, options: options)
            }
        } catch {
            if error.code == .incomplete { return nil }
            throw error
        }
    }

    /// Creates the reader of the picture, and drops the bytes before the picture.
    private func startedReader(of file: WebPFile) throws(ImageError) -> WebPReader {
        let reader = try WebPReader(size: file.info.pixelSize)
        self.reader = reader
        held = Data(held.dropFirst(file.pictures[0].range.lowerBound))
        return reader
    }

    /// Passes the bytes that have arrived to libwebp. Throws `badData` if the picture is damaged or truncated.
    private func read(by reader: WebPReader) throws(ImageError) {
        let bytes = held
        held = Data()
        try bytes.bytes.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) throws(ImageError) -> Void in
            try reader.append(bytes)
        }
        if isComplete, !reader.isDone { throw .cutOffWebP(in: reader.place) }
    }

    /// Runs `body`. If it throws, stores the error, so that later calls throw it again.
    private func remembering(_ body: () throws(ImageError) -> Void) throws(ImageError) {
        do throws(ImageError) {
            try body()
        } catch {
            failure = error
            throw error
        }
    }
}
#endif
