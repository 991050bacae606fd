#if WEBP
import CWebP
import Calotype

/// A file that libwebpdemux has opened. Use it while the memory of the file exists.
struct WebPDemuxing: ~Copyable {
    private let demuxer: OpaquePointer
    private let file: UnsafePointer<UInt8>
    /// Whether the file is complete.
    let isDone: Bool

    /// Opens a file. Throws `badData` if the file is damaged. If the header is truncated, throws `badData` if the file
    /// is whole, and otherwise `incomplete`.
    /// - Parameters:
    ///   - file: The file, or its beginning.
    ///   - isWhole: Whether no more bytes will arrive.
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

    /// Whether EXIF or XMP is missing that the header announces.
    var lacksMetadata: Bool {
        let flags = number(WEBP_FF_FORMAT_FLAGS)
        return [(EXIF_FLAG, "EXIF"), (XMP_FLAG, "XMP ")].contains { flag, name in
            flags & Int(flag.rawValue) != 0 && chunk(name) == nil
        }
    }

    /// The number of times that the animation plays; 0 means forever.
    var loopCount: Int { number(WEBP_FF_LOOP_COUNT) }

    /// The still image, or the frames of the animation, including an incomplete one.
    var pictures: [WebPFrame] {
        var iterator = WebPIterator()
        defer { WebPDemuxReleaseIterator(&iterator) }
        guard WebPDemuxGetFrame(demuxer, 1, &iterator) != 0 else { return [] }
        var pictures: [WebPFrame] = []
        repeat { pictures.append(WebPFrame(iterator, in: file)) } while WebPDemuxNextFrame(&iterator) != 0
        return pictures
    }

    /// Returns the body of the first chunk with a name of four characters. Returns nil if there is none.
    func chunk(_ name: String) -> UnsafeRawBufferPointer? {
        var iterator = WebPChunkIterator()
        defer { WebPDemuxReleaseChunkIterator(&iterator) }
        guard WebPDemuxGetChunk(demuxer, name, 1, &iterator) != 0 else { return nil }
        return UnsafeRawBufferPointer(start: iterator.chunk.bytes, count: iterator.chunk.size)
    }

    private func number(_ feature: WebPFormatFeature) -> Int { Int(WebPDemuxGetI(demuxer, feature)) }
}
#endif
