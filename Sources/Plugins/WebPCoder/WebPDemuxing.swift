#if WEBP
import CWebP
import Calotype

/// A file that libwebpdemux has opened. The bytes are not copied, so the memory of the file must outlive this value.
struct WebPDemuxing: ~Copyable {
    private let demuxer: OpaquePointer
    private let file: UnsafePointer<UInt8>
    /// Whether the file contains all bytes that its header announces.
    let isDone: Bool

    /// Opens a file or its beginning. Throws `badData` if the file is damaged. A truncated header causes `badData` if
    /// `isWhole` is true, and `incomplete` otherwise.
    /// - Parameter isWhole: Whether no more bytes will arrive.
    init(_ file: UnsafeRawBufferPointer, isWhole: Bool) throws(ImageError) {
        guard let base = file.baseAddress else { throw isWhole ? .cutOffWebP(in: "the header") : .incompleteWebP }
        let bytes = base.assumingMemoryBound(to: UInt8.self)
        var data = WebPData(bytes: bytes, size: file.count)
        var state = WEBP_DEMUX_PARSE_ERROR
        let demuxer = WebPDemuxPartial(&data, &state)
        guard state != WEBP_DEMUX_PARSE_ERROR else { throw .damagedWebP }
        guard let demuxer else { throw isWhole ? .cutOffWebP(in: "the header") : .incompleteWebP }
        self.demuxer = demuxer
        self.file = bytes
        isDone = state == WEBP_DEMUX_DONE
    }

    deinit { WebPDemuxDelete(demuxer) }

    var canvasSize: PixelSize {
        PixelSize(width: number(WEBP_FF_CANVAS_WIDTH), height: number(WEBP_FF_CANVAS_HEIGHT))
    }

    var isAnimation: Bool { number(WEBP_FF_FORMAT_FLAGS) & Int(ANIMATION_FLAG.rawValue) != 0 }

    /// Whether the header announces EXIF or XMP that the file does not contain.
    var lacksMetadata: Bool {
        let flags = number(WEBP_FF_FORMAT_FLAGS)
        return [(EXIF_FLAG, "EXIF"), (XMP_FLAG, "XMP ")].contains { flag, name in
            flags & Int(flag.rawValue) != 0 && chunk(name) == nil
        }
    }

    /// The number of times that the animation plays; 0 means forever.
    var loopCount: Int { number(WEBP_FF_LOOP_COUNT) }

    /// The still image, or the frames of the animation. The last of them may be incomplete.
    var pictures: [WebPFrame] {
        var iterator = WebPIterator()
        defer { WebPDemuxReleaseIterator(&iterator) }
        guard WebPDemuxGetFrame(demuxer, 1, &iterator) != 0 else { return [] }
        var pictures: [WebPFrame] = []
        repeat { pictures.append(WebPFrame(iterator, in: file)) } while WebPDemuxNextFrame(&iterator) != 0
        return pictures
    }

    /// Returns the body of the first chunk with a name of four characters, or nil if there is no such chunk.
    func chunk(_ name: String) -> UnsafeRawBufferPointer? {
        var iterator = WebPChunkIterator()
        defer { WebPDemuxReleaseChunkIterator(&iterator) }
        guard WebPDemuxGetChunk(demuxer, name, 1, &iterator) != 0 else { return nil }
        return UnsafeRawBufferPointer(start: iterator.chunk.bytes, count: iterator.chunk.size)
    }

    private func number(_ feature: WebPFormatFeature) -> Int { Int(WebPDemuxGetI(demuxer, feature)) }
}
#endif
