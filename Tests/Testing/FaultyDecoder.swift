import Calotype
import CalotypeTesting

/// A decoder of ``FaultyCoder``'s files, with the coder's defect.
final class FaultyDecoder: ImageDecoder {
    let coder: FaultyCoder
    private let file: FaultyFile
    private let options: DecodeOptions
    /// The substitute for missing or damaged rows; nil to throw an error.
    private let substitute: UInt8?
    /// Whether incomplete frames were omitted.
    private let lacksFrames: Bool
    private var decodeCount = 0

    init(coder: FaultyCoder, file: FaultyFile, options: DecodeOptions, substitute: UInt8? = nil) {
        var file = file
        let wholeCount = max(1, file.wholeFrames.count)
        lacksFrames = options.allowsPartial && substitute == nil && wholeCount < file.frames.count
        if lacksFrames { file.frames.removeLast(file.frames.count - wholeCount) }
        self.coder = coder
        self.file = file
        self.options = options
        self.substitute = substitute ?? (coder.defect == .halfPictureOfCutOffFile ? 0 : nil)
    }

    var defect: CoderDefect? { coder.defect }

    var info: ImageInfo {
        get throws {
            var info = ImageInfo(
                format: FaultyCoder.format, pixelSize: file.size, orientation: file.orientation,
                hasAlpha: file.hasAlpha, bitDepth: file.isDeep ? 16 : 8, frames: file.frames, loopCount: file.loopCount)
            info.lacksFrames = lacksFrames && defect != .silentlyLacksFrames
            try addBlocks(to: &info)
            switch defect {
            case .wrongSize: info.pixelSize.width += 1
            case .hiddenAlpha: info.hasAlpha = false
            case .infoChangesByDecoding where decodeCount > 0: info.orientation = .down
            case .shorterAnimationOfCutOffFile: info.frames = file.wholeFrames
            case .frameOutside where !info.frames.isEmpty: info.frames[0].region.x = file.size.width
            default: break
            }
            return info
        }
    }

    /// Adds the profile and metadata. Throws if they exceed their limits.
    private func addBlocks(to info: inout ImageInfo) throws(ImageError) {
        let context = options.context
        if let profile = file.profile {
            if profile.count <= context[.maxProfileBytes] {
                info.profile = .icc(profile)
            } else if defect != .dropsLongProfile {
                throw ImageError(.limitExceeded, stage: .decode, message: "has a profile of \(profile.count) bytes")
            }
        }
        if options.keepsMetadata, let exif = file.exif {
            if exif.count <= context[.maxMetadataBytes] {
                info.metadata.exif = exif
            } else if defect != .dropsLongMetadata {
                throw ImageError(.limitExceeded, stage: .decode, message: "has \(exif.count) bytes of EXIF")
            }
        }
    }

    func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
        guard (0..<file.frameCount).contains(frame) || defect == .anyFrame else {
            throw ImageError(.noSuchFrame, stage: .decode, message: "has no frame \(frame)")
        }
        let frame = min(max(frame, 0), file.frameCount - 1)
        let file = defect == .stateInCoder ? coder.lastFile ?? self.file : self.file
        let layout = layout(ofFrame: min(frame, file.frameCount - 1), file)
        if try givePlanes(of: file, layout, to: &sink) { return }
        guard try begin(layout, in: &sink) else { return }
        var rows = Array(0..<layout.size.height)
        if defect == .rowsFromTheBottom { rows.reverse() }
        if defect == .lastRowMissing { rows.removeLast() }
        for y in rows {
            do {
                try give(row: y, ofFrame: min(frame, file.frameCount - 1), layout, file, to: &sink)
            } catch {
                if defect == .ignoresCancelling { continue }
                if defect == .wrapsErrorsOfTheSink {
                    throw ImageError(.badData, stage: .decode, message: "failed", cause: error)
                }
                throw error
            }
        }
        decodeCount += 1
    }

    private func layout(ofFrame frame: Int, _ file: FaultyFile) -> PixelLayout {
        let isDeep = file.isDeep && options.nativeDepth && defect != .ignoresDepth
        var size = file.size(ofFrame: frame)
        if defect == .thumbnailTooSmall, let box = options.thumbnailPixelSize {
            size = PixelSize(max(1, min(size.width, box.width) / 2), max(1, min(size.height, box.height) / 2))
        }
        let isOpaque = !file.hasAlpha && substitute == nil
        return PixelLayout(size: size, format: isDeep ? .rgba16 : .rgba8, isOpaque: isOpaque)
    }

    /// Begins the rows. Returns whether they are to follow.
    private func begin(_ layout: PixelLayout, in sink: inout some RowSink & ~Copyable) throws -> Bool {
        do {
            try sink.begin(layout)
            if defect == .beginsTwice { try sink.begin(layout) }
            return true
        } catch {
            if defect == .swallowsRefusal { return false }
            if defect == .goesOnAfterRefusal { return true }
            throw error
        }
    }

    private func give(
        row y: Int, ofFrame frame: Int, _ layout: PixelLayout, _ file: FaultyFile,
        to sink: inout some RowSink & ~Copyable
    ) throws {
        var bytes = Data()
        switch file.row(y, ofFrame: frame) {
        case .there(let row): bytes = row
        case .missing where defect == .inventsRowsBeforeError && y < layout.size.height - 1:
            bytes = Data(repeating: 0, count: file.size(ofFrame: frame).width * (file.isDeep ? 8 : 4))
        case .missing where substitute == nil:
            throw defect == .errorOfItsOwnWhenCutOff
                ? ImageError(.outOfMemory, stage: .decode, message: "lost its way")
                : FaultyFile.damaged("ends in row \(y)")
        case .damaged where substitute == nil: throw FaultyFile.damaged("is damaged in row \(y)")
        case .missing, .damaged:
            let count = file.size(ofFrame: frame).width * (file.isDeep ? 8 : 4)
            bytes = Data(repeating: substitute ?? 0, count: count)
        }
        if defect == .frameDependsOnThoseBefore { bytes[0] ^= UInt8(truncatingIfNeeded: decodeCount) }
        let samples = Self.samples(in: bytes, isDeep: file.isDeep)
        let leaves = defect == .unwrittenRowEnd ? 1 : 0
        try sink.row(y) { (row: inout MutableRawSpan) throws -> Void in
            for index in 0..<layout.size.width * 4 - leaves {
                if layout.format == .rgba16 {
                    row.storeBytes(of: samples[index], toByteOffset: index * 2, as: UInt16.self)
                } else {
                    let sample = file.isDeep ? (Int(samples[index]) * 255 + 32_895) >> 16 : Int(samples[index])
                    row.storeBytes(of: UInt8(sample), toByteOffset: index, as: UInt8.self)
                }
            }
        }
    }

    /// Returns the samples of a row; 16-bit samples are little-endian.
    private static func samples(in row: Data, isDeep: Bool) -> [UInt16] {
        let bytes = row.map { UInt16($0) }
        guard isDeep else { return bytes }
        return stride(from: 0, to: bytes.count, by: 2).map { bytes[$0] | bytes[$0 + 1] << 8 }
    }
}
