public import Calotype

/// A coder for an artificial format: a line of JSON, followed by plain pixels. Use this coder in tests that need images
/// but should not depend on an image library such as libpng.
///
/// The format supports the features of real formats: depths, orientation, profile, metadata and animations. The coder
/// counts its calls, and a decode can wait at a gate after its first row.
public final class RawImageCoder: ImageCoder, TruthfulCoder {
    /// The artificial format: `CALORAW `, a ``Header`` as JSON, a line feed, then the rows of each frame without
    /// padding.
    public static let format = ImageFormat(
        name: "raw", mimeTypes: ["image/x-calotype-raw"], fileExtensions: ["raw"],
        signatures: [ImageFormat.Signature(Array("CALORAW ".utf8))], isLossless: true)

    /// The header before the pixels.
    public struct Header: Codable, Sendable {
        /// The width in pixels, as stored.
        public var width: Int
        /// The height in pixels, as stored.
        public var height: Int
        /// The number of bits per channel: 8 or 16.
        public var bitsPerChannel = 8
        /// Whether all pixels are opaque.
        public var isOpaque = true
        /// The EXIF orientation of the pixels, 1...8.
        public var orientation: UInt8 = 1
        /// The embedded color profile; nil for none.
        public var profile: Data?
        /// The EXIF block; nil for none.
        public var exif: Data?
        /// The XMP packet; nil for none.
        public var xmp: Data?
        /// The number of pictures in the file; ignored if `frames` is set. Several pictures form an animation; each is
        /// a full frame that is shown for 100 milliseconds.
        public var frameCount = 1
        /// The frames of an animation; nil to use `frameCount`.
        public var frames: [Frame]?
        /// The number of times that an animation plays; 0 means forever.
        public var loopCount = 0
        /// The quality with which the file was written, 0...1; nil if unknown.
        public var quality: Double?

        /// Creates a header for an opaque 8-bit still image of this size.
        public init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }

        /// The frames of an animation; empty for a still image.
        fileprivate var placedFrames: [FrameInfo] {
            if let frames { return frames.map(\.info) }
            guard frameCount > 1 else { return [] }
            let region = PixelRegion(size: PixelSize(width, height))
            return Array(repeating: FrameInfo(duration: .milliseconds(100), region: region), count: frameCount)
        }

        /// The sizes of the pictures in the file, in their order.
        fileprivate var pictureSizes: [PixelSize] {
            let frames = placedFrames
            return frames.isEmpty ? [PixelSize(width, height)] : frames.map(\.region.size)
        }
    }

    /// A frame of an animation: its position, its size, and the way in which it is shown.
    public struct Frame: Codable, Sendable {
        /// The distance from the left edge of the canvas in pixels.
        public var x = 0
        /// The distance from the top edge of the canvas in pixels.
        public var y = 0
        /// The width in pixels.
        public var width: Int
        /// The height in pixels.
        public var height: Int
        /// The time for which the frame is shown, in milliseconds.
        public var milliseconds = 100.0
        /// The way in which the frame's pixels are drawn on the canvas.
        public var blend = FrameInfo.Blend.source
        /// The way in which the frame's region is treated before the next frame is drawn.
        public var disposal = FrameInfo.Disposal.keep

        /// Creates a frame of this size at the top left.
        public init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }

        fileprivate var info: FrameInfo {
            FrameInfo(
                duration: .milliseconds(milliseconds), region: PixelRegion(x: x, y: y, size: PixelSize(width, height)),
                blend: blend, disposal: disposal)
        }
    }

    private struct State {
        var decodeCount = 0
        var encodeCount = 0
        var rowCount = 0
    }

    public let name: String
    public let readsInPieces: Bool
    public let isPureComputation: Bool

    public var acceptsUntrustedBytes: Bool { true }
    private let state = Lock(State())
    /// The gate at which each decode waits after its first row; nil for none.
    private let gate: BlockingGate?

    /// Creates a coder.
    /// - Parameters:
    ///   - name: The name of the coder.
    ///   - gate: The gate at which each decode blocks its thread after its first row; nil for none.
    ///   - readsInPieces: The reported value of `readsInPieces`; the coder always reads all bytes at once. Default:
    ///     false.
    ///   - isPureComputation: The reported value of `isPureComputation`. Decoding is pure computation unless the coder
    ///     has a gate. Default: false, so that all decodes run on a ``Lane``.
    public init(
        name: String = "RawImageCoder", gate: BlockingGate? = nil, readsInPieces: Bool = false,
        isPureComputation: Bool = false
    ) {
        self.readsInPieces = readsInPieces
        self.isPureComputation = isPureComputation
        self.name = name
        self.gate = gate
    }

    /// The number of decodes that have begun, including those that failed.
    public var decodeCount: Int { state.withLock { $0.decodeCount } }
    /// The number of encodes that have begun, including those that failed.
    public var encodeCount: Int { state.withLock { $0.encodeCount } }
    /// The number of rows that all decodes have delivered.
    public var rowCount: Int { state.withLock { $0.rowCount } }

    public var formats: [ImageFormat] { [Self.format] }

    public func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
        guard recognizes(bytes) else { return nil }
        return try Decoder(coder: self, data: bytes.data, options: options)
    }

    public func progressiveDecoder(
        for head: ImageBytes, options: DecodeOptions
    ) throws -> (any ProgressiveDecoder)? {
        recognizes(head) ? Session(coder: self, options: options) : nil
    }

    public func encoder(for format: ImageFormat) -> (any ImageEncoder)? {
        format == Self.format ? Encoder(coder: self) : nil
    }

    /// Returns a file whose pixels a closure determines.
    /// - Parameters:
    ///   - header: The header of the file.
    ///   - color: A closure that returns the red, green, blue and alpha of a pixel, 0...255. Its arguments are the
    ///     column and the row of the pixel in its frame, and the index of the frame.
    public static func file(
        _ header: Header, color: (_ x: Int, _ y: Int, _ frame: Int) -> SIMD4<UInt8>
    ) -> Data {
        var pixels = Data()
        for (frame, size) in header.pictureSizes.enumerated() {
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let value = color(x, y, frame)
                    for channel in 0..<4 {
                        pixels.append(value[channel])
                        // Repeating a byte expands 8 bits to 16: v * 257.
                        if header.bitsPerChannel == 16 { pixels.append(value[channel]) }
                    }
                }
            }
        }
        return file(header, pixels: pixels)
    }

    /// Returns a file with a picture of this size, whose pattern makes neighboring pixels differ.
    public static func file(width: Int, height: Int) -> Data {
        file(Header(width: width, height: height)) { x, y, frame in
            SIMD4(UInt8((x * 7 + frame) & 255), UInt8((y * 5) & 255), UInt8((x + y) & 255), 255)
        }
    }

    fileprivate static func file(_ header: Header, pixels: Data) -> Data {
        var file = Data("CALORAW ".utf8)
        // Encoding a header fails only if a duration or the quality is infinite or not a number.
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        file.append((try? encoder.encode(header)) ?? Data())
        file.append(10)
        file.append(pixels)
        return file
    }

    /// A decoder for bytes that are still arriving.
    private final class Session: ProgressiveDecoder {
        private let coder: RawImageCoder
        private let options: DecodeOptions
        private var data = Data()
        private var isComplete = false

        init(coder: RawImageCoder, options: DecodeOptions) {
            self.coder = coder
            self.options = options
        }

        /// The number of bytes in the copy of the received data.
        var workingByteCount: Int { data.count }

        func append(_ bytes: RawSpan, isLast: Bool) throws {
            bytes.withUnsafeBytes { data.append(contentsOf: $0) }
            isComplete = isLast
        }

        var info: ImageInfo {
            get throws { try decoder().info }
        }

        func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
            try decoder().decode(frame: frame, into: &sink, job: job)
        }

        private func decoder() throws -> Decoder {
            try Decoder(coder: coder, data: data, options: options, isWhole: isComplete)
        }
    }

    private struct Decoder: ImageDecoder {
        let coder: RawImageCoder
        let header: Header
        let pixels: Data
        let options: DecodeOptions
        /// Whether missing rows are an error; otherwise they are transparent.
        let isWhole: Bool

        init(coder: RawImageCoder, data: Data, options: DecodeOptions, isWhole: Bool = true) throws {
            self.coder = coder
            self.options = options
            self.isWhole = isWhole
            guard let end = data.firstIndex(of: 10) else {
                throw isWhole ? Self.damaged("has no header") : Self.incomplete
            }
            do {
                header = try JSONDecoder().decode(Header.self, from: data[8..<end])
            } catch {
                throw Self.damaged("has an unreadable header")
            }
            pixels = data[(end + 1)...]
        }

        static let incomplete = ImageError(
            .incomplete, stage: .decode, message: "has no row yet",
            advice: "decode again when more bytes have arrived")

        static func damaged(_ message: String) -> ImageError {
            ImageError(.badData, stage: .decode, message: message, advice: "get an intact copy of the file")
        }

        var info: ImageInfo {
            get throws {
                guard let orientation = Orientation(rawValue: header.orientation) else {
                    throw Self.damaged("has the invalid orientation \(header.orientation)")
                }
                if let profile = header.profile, profile.count > options.context[.maxProfileBytes] {
                    throw ImageError(
                        .limitExceeded, stage: .decode, message: "has a profile of \(profile.count) bytes",
                        advice: "raise the context value `maxProfileBytes` if the source is trusted")
                }
                let frames = header.placedFrames
                var info = ImageInfo(
                    format: RawImageCoder.format, pixelSize: PixelSize(header.width, header.height),
                    orientation: orientation, hasAlpha: !header.isOpaque, bitDepth: header.bitsPerChannel,
                    profile: header.profile.map { .icc($0) } ?? .sRGB, frames: frames,
                    loopCount: frames.isEmpty ? 1 : header.loopCount,
                    metadata: options.keepsMetadata
                        ? ImageMetadata(exif: header.exif, xmp: header.xmp) : ImageMetadata())
                info.hasEmbeddedProfile = header.profile != nil
                return info
            }
        }

        func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
            coder.state.withLock { $0.decodeCount += 1 }
            let isWide = header.bitsPerChannel == 16
            let keepsDepth = isWide && options.nativeDepth
            let sizes = header.pictureSizes
            guard sizes.indices.contains(frame) else {
                throw ImageError.noSuchFrame(frame, of: sizes.count)
            }
            let size = sizes[frame]
            let pixelBytes = isWide ? 8 : 4
            let rowBytes = size.width * pixelBytes
            let first = pixels.startIndex + sizes[..<frame].reduce(0) { $0 + $1.area * pixelBytes }
            let rowCount = max(0, pixels.endIndex - first) / max(1, rowBytes)
            guard isWhole || rowCount > 0 else { throw Self.incomplete }
            try sink.begin(
                PixelLayout(
                    size: size, format: keepsDepth ? .rgba16 : .rgba8,
                    isOpaque: header.isOpaque && rowCount >= size.height))
            for y in 0..<size.height {
                let start = first + y * rowBytes
                guard y < rowCount || !isWhole else { throw Self.damaged("is truncated: it ends in row \(y)") }
                try sink.row(y) { row in
                    guard y < rowCount else {
                        row.withUnsafeMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 0) }
                        return
                    }
                    for index in 0..<rowBytes {
                        let byte = pixels[start + index]
                        if keepsDepth || !isWide {
                            row.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
                        } else if index.isMultiple(of: 2) {
                            row.storeBytes(of: byte, toByteOffset: index / 2, as: UInt8.self)
                        }
                    }
                }
                coder.state.withLock { $0.rowCount += 1 }
                if y == 0 { coder.gate?.pass() }
            }
        }
    }

    private struct Encoder: ImageEncoder {
        let coder: RawImageCoder
        let writesAnimations = true
        let storesOrientation = true

        func encode(_ image: Image, options: EncodeOptions, job: Job) throws -> Data {
            coder.state.withLock { $0.encodeCount += 1 }
            var header = Header(width: image.width, height: image.height)
            header.bitsPerChannel = image.pixels.format == .rgba8 ? 8 : 16
            header.isOpaque = image.pixels.isOpaque
            header.quality = options.quality
            header.orientation = image.attributes.orientation.rawValue
            header.exif = options.metadata.exif
            header.xmp = options.metadata.xmp
            if options.embedsProfile, case .icc(let profile) = image.attributes.profile { header.profile = profile }
            var pixels = Data()
            try append(image.pixels, to: &pixels, job: job)
            if let frames = image.frames {
                header.loopCount = frames.loopCount
                header.frames = (0..<frames.frameCount).map { index in
                    var frame = Frame(width: image.width, height: image.height)
                    frame.milliseconds = frames.duration(ofFrame: index) / .milliseconds(1)
                    return frame
                }
                for index in 1..<max(1, frames.frameCount) {
                    let frame = try frames.frame(index, job: job)
                    header.isOpaque = header.isOpaque && frame.isOpaque
                    try append(frame, to: &pixels, job: job)
                }
            }
            return RawImageCoder.file(header, pixels: pixels)
        }

        private func append(_ picture: PixelBuffer, to pixels: inout Data, job: Job) throws {
            for y in 0..<picture.height {
                try job.check()
                picture.withRow(y) { row in row.withUnsafeBytes { pixels.append(contentsOf: $0) } }
            }
        }
    }
}
