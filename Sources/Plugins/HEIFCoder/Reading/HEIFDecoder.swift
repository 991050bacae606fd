#if HEIF
import Calotype

/// A decoder for one complete HEIF file.
final class HEIFDecoder: ImageDecoder {
    private let file: HEIFFile
    private let data: Data
    private let options: DecodeOptions

    /// Creates a decoder for a file with a HEIF signature. Throws `badData` if the file is damaged or of an unsupported
    /// kind, and `limitExceeded` if a limit is exceeded.
    init(_ data: Data, options: DecodeOptions) throws {
        self.data = data
        self.options = options
        file = try data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) throws -> HEIFFile in
            try HEIFFile(bytes, options: options)
        }
    }

    var info: ImageInfo { file.info }

    /// The memory in bytes that decoding needs. It always suffices for the picture, because a damaged thumbnail is
    /// replaced with the picture.
    var workingByteCount: Int {
        max(file.view.picture.workingByteCount, view.picture.workingByteCount)
            + (file.view.alpha?.workingByteCount ?? 0)
    }

    func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
        guard frame == 0 else { throw ImageError.noSuchFrame(frame, of: 1) }
        try data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) throws -> Void in
            let rows = try rows(in: bytes, job: job)
            try decode(rows, into: &sink, job: job)
        }
    }

    /// Returns the rows of ``view``, or the rows of the picture if ``view`` is a damaged thumbnail.
    private func rows(in bytes: UnsafeRawBufferPointer, job: Job) throws -> ViewRows {
        let rows = ViewRows(view, in: bytes)
        guard rows.view.size != file.view.size else { return rows }
        do {
            // Only decoding reveals whether the thumbnail is damaged. If it is, the picture is used instead.
            try rows.begin(job: job)
            return rows
        } catch let error as ImageError where error.code == .badData {
            return ViewRows(file.view, in: bytes)
        }
    }

    private func decode(_ rows: ViewRows, into sink: inout some RowSink & ~Copyable, job: Job) throws {
        let view = rows.view
        let isDeep = view.picture.header.bitDepth > 8
        let light = view.transfer.map { transfer in
            HDRRows(
                transfer, luma: (ICCProfile.Primaries(codePoint: UInt8(clamping: view.colors.primaries)) ?? .sRGB).luma,
                peak: view.picture.properties.maxLight, keepsLight: options.highDynamicRange)
        }
        try sink.begin(
            PixelLayout(
                size: view.size, format: light?.format ?? (isDeep ? .rgba16 : .rgba8), isOpaque: view.alpha == nil,
                isGray: view.picture.header.isGray))
        var levels = light == nil ? [] : [UInt16](repeating: 0, count: 4 * view.size.width)
        for y in 0..<view.size.height {
            try sink.row(y) { (row: inout MutableRawSpan) throws -> Void in
                try row.withUnsafeMutableBytes { (row: UnsafeMutableRawBufferPointer) throws -> Void in
                    if let light {
                        try levels.withUnsafeMutableBufferPointer {
                            (levels: inout UnsafeMutableBufferPointer<UInt16>) in
                            try rows.writeDeep(y, to: levels.baseAddress!, job: job)
                            light.convert(levels.baseAddress!, to: row)
                        }
                    } else if isDeep {
                        try rows.write(y, to: row.baseAddress!.assumingMemoryBound(to: UInt16.self), job: job)
                    } else {
                        try rows.write(y, to: row.baseAddress!.assumingMemoryBound(to: UInt8.self), job: job)
                    }
                }
            }
        }
    }

    /// The smallest thumbnail that suffices for the requested size. The picture itself is used if no thumbnail
    /// suffices, or if the options do not permit thumbnails.
    private var view: HEIFView {
        guard let margin = options.smallerPictureMargin else { return file.view }
        let wanted = options.targetSize(of: info)
        let enough = file.thumbnails.filter {
            $0.size.width >= margin * wanted.width && $0.size.height >= margin * wanted.height
        }
        return enough.min { $0.size.area < $1.size.area } ?? file.view
    }
}
#endif
