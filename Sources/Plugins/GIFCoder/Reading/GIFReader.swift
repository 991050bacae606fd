#if GIF
import CGIF
import Calotype

/// A reader that decodes the palette indices of frames with giflib. The reader passes giflib the pixel data of the
/// file, and headers that it creates itself. Use a reader on one thread at a time.
final class GIFReader {
    /// The file header that giflib receives. The values in it do not matter.
    private static let fileHeader = Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0]
    /// The length of ``frameHeader(of:)`` in bytes.
    private static let frameHeaderByteCount = 11

    /// The unread bytes of the current piece of giflib's input. The input consists of headers and parts of the file.
    private var piece = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The pieces that giflib reads after ``piece``. After them, giflib reads zeros, which end the sub-blocks.
    private var pieces: ArraySlice<UnsafeRawBufferPointer> = []
    /// The memory for a header, and for the length byte of a truncated sub-block.
    private let header = UnsafeMutableRawBufferPointer.allocate(
        byteCount: max(fileHeader.count, frameHeaderByteCount) + 1, alignment: 1)
    private var file: UnsafeMutablePointer<GifFileType>?
    private var width = 0
    private var indices = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)

    /// Creates a reader without a frame. Throws `outOfMemory`.
    init() throws(ImageError) {
        header.copyBytes(from: Self.fileHeader)
        piece = UnsafeRawBufferPointer(rebasing: header[..<Self.fileHeader.count])
        var code: Int32 = 0
        file = DGifOpen(
            Unmanaged.passUnretained(self).toOpaque(),
            { file, target, count in GIFReader.read(file, target, count) }, &code)
        guard file != nil else { throw .readingGIF(code, in: "the header") }
    }

    /// Begins a frame, even if the previous one was not read completely. Throws `badData` and `outOfMemory`.
    /// - Parameter bytes: The bytes of the file, which must stay valid until the last line of the frame has been read.
    func begin(_ frame: GIFFrame, in bytes: UnsafeRawBufferPointer) throws(ImageError) {
        width = frame.size.width
        if indices.count < width {
            indices.deallocate()
            indices = .allocate(capacity: width)
        }
        header.copyBytes(from: Self.frameHeader(of: frame))
        let end = Self.frameHeaderByteCount
        piece = UnsafeRawBufferPointer(rebasing: header[..<end])
        pieces = [UnsafeRawBufferPointer(rebasing: bytes[frame.data])]
        if let rest = frame.rest, !rest.isEmpty {
            header[end] = UInt8(rest.count)
            pieces += [
                UnsafeRawBufferPointer(rebasing: header[end...end]), UnsafeRawBufferPointer(rebasing: bytes[rest]),
            ]
        }
        guard let file else { return }
        // Resetting the count discards giflib's list of previous frames.
        file.pointee.ImageCount = 0
        var type = UNDEFINED_RECORD_TYPE
        guard DGifGetRecordType(file, &type) == GIF_OK, DGifGetImageDesc(file) == GIF_OK else {
            throw .readingGIF(file.pointee.Error, in: "the header of a frame")
        }
    }

    /// Returns the bytes before the sub-blocks of a frame: a header without a palette.
    private static func frameHeader(of frame: GIFFrame) -> [UInt8] {
        func bytes(_ number: Int) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
        return [UInt8(ascii: ","), 0, 0, 0, 0] + bytes(frame.size.width) + bytes(frame.size.height)
            + [frame.isInterlaced ? 0x40 : 0, frame.codeSize]
    }

    deinit {
        var code: Int32 = 0
        if let file { DGifCloseFile(file, &code) }
        header.deallocate()
        indices.deallocate()
    }

    /// Returns the palette indices of the next stored line, which are valid until the next call of a method. Throws
    /// `badData` if the line is damaged or missing.
    /// - Parameter number: The number of the line, from 0, for errors.
    func line(_ number: Int) throws(ImageError) -> UnsafeBufferPointer<UInt8> {
        guard DGifGetLine(file, indices.baseAddress, Int32(width)) == GIF_OK else {
            throw .readingGIF(file!.pointee.Error, in: "line \(number + 1)")
        }
        return UnsafeBufferPointer(rebasing: indices[..<width])
    }

    private static func read(
        _ file: UnsafeMutablePointer<GifFileType>?, _ target: UnsafeMutablePointer<UInt8>?, _ count: Int32
    ) -> Int32 {
        guard let file, let target, let context = file.pointee.UserData else { return 0 }
        Unmanaged<GIFReader>.fromOpaque(context).takeUnretainedValue().read(into: target, Int(count))
        return count
    }

    private func read(into target: UnsafeMutablePointer<UInt8>, _ count: Int) {
        let target = UnsafeMutableRawBufferPointer(start: target, count: count)
        var filled = 0
        while filled < count {
            if piece.isEmpty {
                guard let next = pieces.popFirst() else { break }
                piece = next
            }
            let taken = min(count - filled, piece.count)
            target[filled...].copyBytes(from: piece.prefix(taken))
            filled += taken
            piece = UnsafeRawBufferPointer(rebasing: piece.dropFirst(taken))
        }
        target[filled...].initializeMemory(as: UInt8.self, repeating: 0)
    }
}
#endif
