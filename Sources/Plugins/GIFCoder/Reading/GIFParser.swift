#if GIF
import Calotype

/// Goes through the blocks of a file, and remembers where its frames are.
///
/// It takes no memory but for them, for the profile and for metadata that are wanted.
///
/// Source: Graphics Interchange Format, version 89a.
struct GIFParser {
    /// The canvas as the file says it; 0 for a side that it leaves to its first frame.
    let canvas: PixelSize
    /// The number of bits of an index into the palette.
    private(set) var bitDepth = 8
    private(set) var frames: [GIFFrame] = []
    /// The number of times the frames play; 0 is for ever.
    private(set) var loopCount = 1
    private(set) var profile: Data?
    private(set) var xmp: Data?
    /// The error of a file that is cut off, or has a frame without pixels; nil for others.
    private(set) var failure: ImageError?

    private let file: UnsafeRawBufferPointer
    private let options: DecodeOptions
    private var cursor: GIFCursor
    private var globalPalette: Range<Int>?
    /// The number of pixels of all frames so far, as they are stored.
    private var storedPixelCount = 0
    /// The extension that describes the next frame.
    private var control = GIFControl()

    /// Reads the header of a file that has GIF's signature. Throws `badData` where it is cut off.
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

    /// Goes through all blocks. Throws `limitExceeded`.
    mutating func parse() throws(ImageError) {
        while let introducer = cursor.byte() {
            let isWhole: Bool
            switch introducer {
            case UInt8(ascii: ","):
                isWhole = try readFrame()
                if failure != nil { return }
            case UInt8(ascii: "!"): isWhole = try readExtension()
            // Some programs leave a few between blocks.
            case 0: isWhole = true
            // The end, or, like it, what is no block.
            default: return
            }
            guard isWhole else {
                failure = .cutOffGIF(in: frames.isEmpty ? "the header" : "frame \(frames.count)")
                // Of a single one there may be rows.
                if frames.count > 1, frames.last?.isWhole == false { frames.removeLast() }
                return
            }
        }
    }

    /// Returns the number of bytes of a palette, by the flags that announce it.
    private static func paletteByteCount(_ flags: UInt8) -> Int { 3 << (Int(flags & 7) + 1) }

    /// Returns whether the frame is there as a whole.
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
        // Where a part is allowed, the frames before one without pixels are shown, as browsers show them.
        guard !size.isEmpty else {
            failure = .damagedGIF("frame \(frames.count) has no pixels: \(size)")
            return true
        }
        // Of what lies beyond the canvas, too, each pixel has to be read.
        let maxPixels = options.context[.maxPixels]
        guard size.area <= maxPixels else {
            throw .beyondLimit("a frame of \(size) is \(size.area) pixels", maxPixels, key: "maxPixels")
        }
        let maxTotalPixels = options.context[.maxTotalPixels]
        let (sum, overflow) = storedPixelCount.addingReportingOverflow(size.area)
        // A single frame that is asked for is held to its own limit.
        let isCounted = !frames.isEmpty && options.context[.frame] == nil
        guard !overflow, !isCounted || sum <= maxTotalPixels else {
            throw .beyondLimit(
                "\(frames.count + 1) frames, the parts beyond the canvas included, are \(sum) pixels", maxTotalPixels,
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

    /// Returns whether the extension is there as a whole.
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
            // The first byte tells what the block is: 1 is for loops, 2 for buffering.
            if block.count >= 3, body[block.lowerBound] & 7 == 1 {
                let repeatCount = Int(body[block.lowerBound + 1]) | Int(body[block.lowerBound + 2]) << 8
                // It counts after the first time, and 0 is for ever.
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

    /// The packet stands there as it is. Behind it, 258 bytes lead readers that take its bytes for lengths of
    /// sub-blocks to the end.
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
