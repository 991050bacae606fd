#if GIF
import Calotype

/// A parser that finds the frames, the profile and the metadata of a file.
///
/// Source: Graphics Interchange Format, version 89a.
struct GIFParser {
    /// The size of the canvas according to the file. A side of 0 means that the first frame determines it.
    let canvas: PixelSize
    /// The number of bits of a palette index, 1...8.
    private(set) var bitDepth = 8
    private(set) var frames: [GIFFrame] = []
    /// The number of times that the animation plays; 0 means forever.
    private(set) var loopCount = 1
    private(set) var profile: Data?
    private(set) var xmp: Data?
    /// The error if the file is truncated or has a frame without pixels; nil if neither is the case.
    private(set) var failure: ImageError?

    private let file: UnsafeRawBufferPointer
    private let options: DecodeOptions
    private var cursor: GIFCursor
    private var globalPalette: Range<Int>?
    /// The number of pixels of all frames so far, including parts beyond the canvas.
    private var storedPixelCount = 0
    /// The contents of the graphic control extension for the next frame.
    private var control = GIFControl()

    /// Reads the header of a file that has GIF's signature. Throws `badData` if the header or the palette is truncated.
    init(_ file: UnsafeRawBufferPointer, options: DecodeOptions) throws(ImageError) {
        self.file = file
        self.options = options
        cursor = GIFCursor(file, at: "GIF89a".utf8.count)
        guard let width = cursor.number(), let height = cursor.number(), let flags = cursor.byte(),
            cursor.take(2) != nil
        else { throw .cutOffGIF(in: "the header") }
        canvas = PixelSize(width: width, height: height)
        guard flags & 0x80 != 0 else { return }
        globalPalette = cursor.take(Self.paletteByteCount(flags))
        guard globalPalette != nil else { throw .cutOffGIF(in: "the palette") }
        bitDepth = Int(flags & 7) + 1
    }

    /// Parses all blocks. An invalid block counts as the end of the file. Sets ``failure``, and stops, if the file is
    /// truncated or a frame has no pixels. Throws `limitExceeded` if a limit is exceeded.
    mutating func parse() throws(ImageError) {
        while let introducer = cursor.byte() {
            let isWhole: Bool
            switch introducer {
            case UInt8(ascii: ","):
                isWhole = try readFrame()
                if failure != nil { return }
            case UInt8(ascii: "!"): isWhole = try readExtension()
            // Some programs write zeros between blocks.
            case 0: isWhole = true
            // The end of the file, or an invalid block, which has the same effect.
            default: return
            }
            guard isWhole else {
                failure = .cutOffGIF(in: frames.isEmpty ? "the header" : "frame \(frames.count)")
                // The only frame is kept, because it may have complete rows.
                if frames.count > 1, frames.last?.isWhole == false { frames.removeLast() }
                return
            }
        }
    }

    /// Returns the number of bytes of a palette, from the flags of the block that contains it.
    private static func paletteByteCount(_ flags: UInt8) -> Int { 3 << (Int(flags & 7) + 1) }

    /// Reads a frame. Returns false if it is truncated. If it has no pixels, sets ``failure`` and returns true.
    private mutating func readFrame() throws(ImageError) -> Bool {
        let maxFrames = options.context[.maxFrames]
        guard frames.count < maxFrames else { throw .beyondLimit(moreThan: maxFrames, "frames", key: "maxFrames") }
        guard let x = cursor.number(), let y = cursor.number(), let width = cursor.number(),
            let height = cursor.number(), let flags = cursor.byte()
        else { return false }
        var palette = globalPalette
        if flags & 0x80 != 0 {
            palette = cursor.take(Self.paletteByteCount(flags))
            guard palette != nil else { return false }
            if globalPalette == nil { bitDepth = max(frames.isEmpty ? 1 : bitDepth, Int(flags & 7) + 1) }
        }
        guard let codeSize = cursor.byte() else { return false }
        let size = PixelSize(width: width, height: height)
        // If a partial result is allowed, the frames before a frame without pixels are shown, as in browsers.
        guard !size.isEmpty else {
            failure = .damagedGIF("frame \(frames.count) has no pixels: \(size)")
            return true
        }
        // Each pixel must be decoded, even beyond the canvas.
        let maxPixels = options.context[.maxPixels]
        guard size.area <= maxPixels else {
            throw .beyondLimit("frame \(frames.count) of \(size) has \(size.area) pixels", maxPixels, key: "maxPixels")
        }
        let maxTotalPixels = options.context[.maxTotalPixels]
        let (sum, overflow) = storedPixelCount.addingReportingOverflow(size.area)
        // The first frame, and a single requested frame, are only subject to `maxPixels`.
        let isCounted = !frames.isEmpty && options.context[.frame] == nil
        guard !overflow, !isCounted || sum <= maxTotalPixels else {
            throw .beyondLimit(
                "\(frames.count + 1) frames, with their parts beyond the canvas, have \(sum) pixels", maxTotalPixels,
                key: "maxTotalPixels")
        }
        storedPixelCount = sum
        let start = cursor.offset
        let rest = cursor.skipSubBlocks()
        frames.append(
            GIFFrame(
                control: control, x: x, y: y, size: size, isInterlaced: flags & 0x40 != 0, palette: palette,
                codeSize: codeSize, data: start..<cursor.offset, rest: rest))
        control = GIFControl()
        return rest == nil
    }

    /// Reads an extension. Returns whether the extension is complete.
    private mutating func readExtension() throws(ImageError) -> Bool {
        guard let label = cursor.byte(), let block = cursor.subBlock() else { return false }
        guard !block.isEmpty else { return true }
        switch label {
        case 0xF9 where block.count >= 4:
            control = GIFControl(file[block])
        case 0xFF where block.count == GIFApplication.byteCount:
            let name = String(decoding: file[block], as: UTF8.self)
            if let application = GIFApplication(rawValue: name) { return try read(application) }
        default: break
        }
        return cursor.skipSubBlocks() == nil
    }

    private mutating func read(_ application: GIFApplication) throws(ImageError) -> Bool {
        switch application {
        case .netscapeLoops, .animationLoops: readLoops()
        case .profile: try readProfile()
        case .xmp: try readXMP()
        }
    }

    private mutating func readLoops() -> Bool {
        while let block = cursor.subBlock() {
            guard !block.isEmpty else { return true }
            let body = file[block]
            // The first byte is the type of the block: 1 for loops, 2 for buffering.
            if block.count >= 3, body[block.lowerBound] & 7 == 1 {
                let repeatCount = Int(body[block.lowerBound + 1]) | Int(body[block.lowerBound + 2]) << 8
                // The file stores the number of repetitions after the first play; 0 means forever.
                loopCount = repeatCount == 0 ? 0 : repeatCount + 1
            }
        }
        return false
    }

    private mutating func readProfile() throws(ImageError) -> Bool {
        let maxByteCount = options.context[.maxProfileBytes]
        var made = Data()
        while let block = cursor.subBlock() {
            guard !block.isEmpty else {
                if !made.isEmpty { profile = made }
                return true
            }
            guard made.count + block.count <= maxByteCount else {
                throw .beyondLimit(moreThan: maxByteCount, "bytes of color profile", key: "maxProfileBytes")
            }
            made.append(contentsOf: file[block])
        }
        return false
    }

    /// Reads an XMP packet. Returns whether the extension is complete.
    ///
    /// The packet has no sub-blocks. The 258 bytes after it lead a reader of sub-blocks to the end of the extension.
    private mutating func readXMP() throws(ImageError) -> Bool {
        let start = cursor.offset
        guard cursor.skipSubBlocks() == nil else { return false }
        let end = cursor.offset - 258
        guard options.keepsMetadata, end > start, file[end] == 1, file[end + 1] == 0xFF else { return true }
        let maxByteCount = options.context[.maxMetadataBytes]
        guard end - start <= maxByteCount else {
            throw .beyondLimit(moreThan: maxByteCount, "bytes of XMP", key: "maxMetadataBytes")
        }
        xmp = Data(file[start..<end])
        return true
    }
}
#endif
