#if WEBP
import CWebP
import Calotype

/// The properties of a parsed file, and the positions of its pictures.
struct WebPFile {
    /// The properties of the file.
    let info: ImageInfo
    /// The still image, or the frames of an animation.
    let pictures: [WebPFrame]
    /// The error if frames of an animation or metadata of a still image may be missing. Nil if only rows are missing.
    let failure: ImageError?

    /// Parses a file with WebP's signature, or its beginning. Throws `badData` if the file is damaged, and
    /// `limitExceeded` if it exceeds a limit. A missing first picture causes `badData` if `isWhole` is true, and
    /// `incomplete` otherwise.
    /// - Parameter isWhole: Whether no more bytes will arrive.
    init(_ file: UnsafeRawBufferPointer, isWhole: Bool, options: DecodeOptions) throws(ImageError) {
        try WebPChunkCount.check(file, maxFrames: options.context[.maxFrames])
        let demuxer = try WebPDemuxing(file, isWhole: isWhole)
        var pictures = demuxer.pictures
        guard let first = pictures.first, first.isLossy != nil || first.isWhole else {
            throw isWhole ? .cutOffWebP(in: "the header") : .incompleteWebP
        }
        var info = ImageInfo(
            format: .webp, pixelSize: demuxer.canvasSize, hasAlpha: pictures.contains(where: \.hasAlpha),
            colorModel: first.isLossy == true ? .yCbCr : .rgb)
        try Self.readMetadata(demuxer, into: &info, options: options)
        var failure: ImageError?
        if demuxer.isAnimation {
            if !demuxer.isDone {
                failure = .cutOffWebP(in: "frame \(pictures.count)")
                // The only frame is kept, because it may have complete rows.
                if pictures.count > 1, pictures.last?.isWhole == false { pictures.removeLast() }
            }
            info.frames = pictures.map(\.info)
            info.loopCount = demuxer.loopCount
            info.hasAlpha = info.hasAlpha || info.frames.leaveGaps(on: info.pixelSize)
            info.lacksFrames = failure != nil
        } else if isWhole, !demuxer.isDone, first.isWhole, demuxer.lacksMetadata {
            failure = .cutOffWebP(in: "the metadata after the picture")
        }
        self.info = info
        self.pictures = pictures
        self.failure = failure
    }

    private static func readMetadata(
        _ demuxer: borrowing WebPDemuxing, into info: inout ImageInfo, options: DecodeOptions
    ) throws(ImageError) {
        if let profile = demuxer.chunk("ICCP") {
            info.hasEmbeddedProfile = true
            let maxByteCount = options.context[.maxProfileBytes]
            guard profile.count <= maxByteCount else {
                throw .beyondLimit(
                    "has a color profile of \(profile.count) bytes", maxByteCount, key: "maxProfileBytes")
            }
            // An empty profile counts as damaged.
            info.isProfileDamaged = profile.isEmpty
            if let profile = data(profile) { info.profile = .icc(profile) }
        }
        let exif = demuxer.chunk("EXIF")
        if let exif { info.orientation = EXIF.orientation(of: RawSpan(_unsafeBytes: exif)) }
        guard options.keepsMetadata else { return }
        let xmp = demuxer.chunk("XMP ")
        let (byteCount, maxByteCount) = (
            (exif?.count ?? 0) + (xmp?.count ?? 0), options.context[.maxMetadataBytes]
        )
        guard byteCount <= maxByteCount else {
            throw .beyondLimit("has \(byteCount) bytes of EXIF and XMP", maxByteCount, key: "maxMetadataBytes")
        }
        info.metadata.exif = exif.flatMap { Self.data($0) }.map { EXIF.withoutPrefix($0) }
        info.metadata.xmp = xmp.flatMap { Self.data($0) }
    }

    /// Returns a copy of the bytes of a chunk, or nil if the chunk is empty.
    private static func data(_ chunk: UnsafeRawBufferPointer) -> Data? {
        chunk.isEmpty ? nil : Data(bytes: chunk.baseAddress!, count: chunk.count)
    }
}
#endif
