import Calotype

/// A coder of one picture, whose decoder calls its sink in a configurable way, correctly or not.
struct ScriptedCoder: ImageCoder {
    /// The way in which the decoder calls its sink.
    enum Conduct: Sendable, CaseIterable {
        /// Delivers each row once, from the top.
        case rows
        /// Delivers all rows at once.
        case whole
        /// Stops before the last row.
        case lastRowMissing
        /// Delivers the first row twice.
        case rowTwice
        /// Omits the second row.
        case rowSkipped
        /// Delivers one row too many.
        case rowTooMany
        /// Delivers a row before it begins.
        case rowBeforeBegin
        /// Delivers all rows at once before it begins.
        case wholeBeforeBegin
        /// Begins twice.
        case secondBegin
        /// Delivers a row and then all rows at once.
        case wholeAfterRow
        /// Delivers all rows at once and then one more.
        case rowAfterWhole
        /// Delivers all rows at once, twice.
        case wholeTwice
        /// Begins, and delivers nothing.
        case nothing
        /// Calls nothing.
        case silence
    }

    static let format = ImageFormat(
        name: "scripted", mimeTypes: [], fileExtensions: [],
        signatures: [ImageFormat.Signature(Array("SCRIPTED".utf8))])
    /// The file that the coder recognizes.
    static let file = Data("SCRIPTED".utf8)

    let conduct: Conduct
    let pixels: PixelBuffer
    var orientation = Orientation.up
    var profile = ColorProfile.sRGB
    /// The channels that the decoder declares.
    var channels = RowChannels.rgba
    /// The size in the file's header; nil for that of the picture.
    var statedSize: PixelSize?
    /// The size that the decoder declares to the sink; nil for that of the picture.
    var announcedSize: PixelSize?
    /// The frames in the file's header.
    var frames: [FrameInfo] = []
    /// The metadata of the file.
    var metadata = ImageMetadata()
    /// The position at which the decoder breaks off, if it delivers rows in order; nil for none.
    var failure: Failure?
    /// Whether the decoder replaces the span of each filled row by an empty one.
    var emptiesSpans = false

    /// The error after a number of rows. It is thrown in the middle of the next row, if there is one.
    struct Failure: Sendable {
        let rowCount: Int
        let error: any Error

        /// Throws the error if `row` is the first row that is not delivered.
        func check(_ row: Int) throws {
            if row == rowCount { throw error }
        }
    }

    var formats: [ImageFormat] { [Self.format] }

    func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
        guard recognizes(bytes) else { return nil }
        var script = self
        if !options.keepsMetadata { script.metadata = ImageMetadata() }
        return Decoder(script: script)
    }

    private struct Decoder: ImageDecoder {
        let script: ScriptedCoder

        var info: ImageInfo {
            ImageInfo(
                format: ScriptedCoder.format, pixelSize: script.statedSize ?? script.pixels.size,
                orientation: script.orientation, hasAlpha: !script.pixels.isOpaque, profile: script.profile,
                frames: script.frames, metadata: script.metadata)
        }

        func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
            let height = script.pixels.height
            var layout = script.pixels.layout
            layout.size = script.announcedSize ?? layout.size
            switch script.conduct {
            case .rowBeforeBegin, .wholeBeforeBegin, .silence: break
            default: try sink.begin(layout, channels: script.channels)
            }
            switch script.conduct {
            case .rows:
                try giveRows(0..<height, to: &sink)
            case .whole, .wholeBeforeBegin:
                try giveAll(to: &sink)
            case .lastRowMissing:
                try giveRows(0..<height - 1, to: &sink)
            case .rowTwice:
                try giveRows(0..<1, to: &sink)
                try giveRows(0..<height, to: &sink)
            case .rowSkipped:
                try giveRows(0..<1, to: &sink)
                try giveRows(2..<height, to: &sink)
            case .rowTooMany:
                try giveRows(0..<height, to: &sink)
                try sink.row(height) { _ in }
            case .rowBeforeBegin:
                try giveRows(0..<1, to: &sink)
            case .secondBegin:
                try sink.begin(layout)
            case .wholeAfterRow:
                try giveRows(0..<1, to: &sink)
                try giveAll(to: &sink)
            case .rowAfterWhole:
                try giveAll(to: &sink)
                try giveRows(0..<1, to: &sink)
            case .wholeTwice:
                try giveAll(to: &sink)
                try giveAll(to: &sink)
            case .nothing, .silence:
                break
            }
        }

        private func giveRows(_ rows: Range<Int>, to sink: inout some RowSink & ~Copyable) throws {
            for y in rows {
                let bytes = storedRow(y)
                try sink.row(y) { row in
                    for (index, byte) in bytes.enumerated() {
                        if index == bytes.count / 2 { try script.failure?.check(y) }
                        row.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
                    }
                    if script.emptiesSpans { row = MutableRawSpan() }
                }
            }
            try script.failure?.check(rows.upperBound)
        }

        private func giveAll(to sink: inout some RowSink & ~Copyable) throws {
            let rows = (0..<script.pixels.height).map { storedRow($0) }
            try sink.whole { memory, bytesPerRow in
                for (y, bytes) in rows.enumerated() {
                    try script.failure?.check(y)
                    for (index, byte) in bytes.enumerated() {
                        memory.storeBytes(of: byte, toByteOffset: y * bytesPerRow + index, as: UInt8.self)
                    }
                }
                if script.emptiesSpans { memory = MutableRawSpan() }
                try script.failure?.check(rows.count)
            }
        }

        private func storedRow(_ y: Int) -> [UInt8] {
            script.pixels.withRow(y) { row in row.withUnsafeBytes { Array($0) } }
        }
    }
}
