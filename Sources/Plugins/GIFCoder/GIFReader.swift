#if GIF
import CGIF
import Calotype

/// Reads the indices of a frame with giflib, which is given nothing else of the file. Used by one thread at a time.
final class GIFReader {
    /// The bytes that giflib reads next.
    private var piece: UnsafeRawBufferPointer
    /// The pieces behind it. Zeros follow, which end the sub-blocks.
    private var pieces: ArraySlice<UnsafeRawBufferPointer>
    /// The header of a file with this frame alone, and the length of a sub-block that is cut off.
    private let header: UnsafeMutableRawBufferPointer
    private var file: UnsafeMutablePointer<GifFileType>?
    private let width: Int
    private let indices: UnsafeMutablePointer<UInt8>

    /// Throws `badData` and `outOfMemory`.
    /// - Parameter file: The file, which stays as long as the reader.
    init(_ frame: GIFFrame, in file: UnsafeRawBufferPointer) throws(ImageError) {
        width = frame.size.width
        indices = .allocate(capacity: width)
        let bytes = Self.header(of: frame)
        header = .allocate(byteCount: bytes.count + 1, alignment: 1)
        header.copyBytes(from: bytes)
        piece = UnsafeRawBufferPointer(rebasing: header[..<bytes.count])
        pieces = [UnsafeRawBufferPointer(rebasing: file[frame.data])]
        if let rest = frame.rest, !rest.isEmpty {
            header[bytes.count] = UInt8(rest.count)
            pieces += [
                UnsafeRawBufferPointer(rebasing: header[bytes.count...]), UnsafeRawBufferPointer(rebasing: file[rest]),
            ]
        }
        var code: Int32 = 0
        self.file = DGifOpen(
            Unmanaged.passUnretained(self).toOpaque(),
            { file, target, count in GIFReader.read(file, target, count) }, &code)
        guard let opened = self.file else { throw .readingGIF(code, in: "the header") }
        var type = UNDEFINED_RECORD_TYPE
        guard DGifGetRecordType(opened, &type) == GIF_OK, DGifGetImageDesc(opened) == GIF_OK else {
            throw .readingGIF(opened.pointee.Error, in: "the header of a frame")
        }
    }

    /// The header of a file with a frame alone, of which nothing but its pixels is to be read.
    private static func header(of frame: GIFFrame) -> [UInt8] {
        func bytes(_ number: Int) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
        let size = bytes(frame.size.width) + bytes(frame.size.height)
        return Array("GIF89a".utf8) + size + [0, 0, 0]
            + [UInt8(ascii: ","), 0, 0, 0, 0] + size + [frame.isInterlaced ? 0x40 : 0, frame.codeSize]
    }

    deinit {
        var code: Int32 = 0
        if let file { DGifCloseFile(file, &code) }
        header.deallocate()
        indices.deallocate()
    }

    /// The indices of the next line that is stored, until the one after it is read. Throws `badData` where they are
    /// damaged or missing.
    func line(_ number: Int) throws(ImageError) -> UnsafeBufferPointer<UInt8> {
        guard DGifGetLine(file, indices, Int32(width)) == GIF_OK else {
            throw .readingGIF(file!.pointee.Error, in: "line \(number + 1)")
        }
        return UnsafeBufferPointer(start: indices, count: width)
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
