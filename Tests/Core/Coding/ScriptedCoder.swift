import Calotype

/// A coder of one picture, whose decoder treats its sink as a test wants, properly or not.
struct ScriptedCoder: ImageCoder {
    /// How the decoder treats its sink.
    enum Conduct: Sendable, CaseIterable {
        /// Each row once, from the top.
        case rows
        /// All rows at once.
        case whole
        /// Stops before the last row.
        case lastRowMissing
        /// Gives the first row twice.
        case rowTwice
        /// Leaves out the second row.
        case rowSkipped
        /// Gives one row more than there are.
        case rowTooMany
        /// Gives a row before it says what follows.
        case rowBeforeBegin
        /// Gives all rows before it says what follows.
        case wholeBeforeBegin
        /// Says twice what follows.
        case secondBegin
        /// Gives a row and then all.
        case wholeAfterRow
        /// Gives all rows and then one.
        case rowAfterWhole
        /// Gives all rows twice.
        case wholeTwice
        /// Says what follows, and then nothing does.
        case nothing
        /// Does not even say that.
        case silence
    }

    static let format = ImageFormat(
        name: "scripted", mimeTypes: [], fileExtensions: [],
        signatures: [ImageFormat.Signature(Array("SCRIPTED".utf8))])
    /// The file that the coder knows.
    static let file = Data("SCRIPTED".utf8)

    let conduct: Conduct
    let pixels: PixelBuffer
    var orientation = Orientation.up
    var profile = ColorProfile.sRGB
    /// What the sink is told that the pixels' channels hold.
    var channels = RowChannels.rgba
    /// The size that the file's header has instead of the picture's; nil for none.
    var statedSize: PixelSize?
    /// The size that the sink is told instead of the picture's; nil for none.
    var announcedSize: PixelSize?
    /// The frames that the file's header has.
    var frames: [FrameInfo] = []
    /// The metadata of the file.
    var metadata = ImageMetadata()
    /// Where the decoder breaks off, if it gives rows in order; nil for nowhere.
    var failure: Failure?
    /// Whether the decoder leaves an empty span in place of that of each row that it has filled.
    var emptiesSpans = false

    /// What a decoder throws after so many rows: in the middle of the next one, where there is one.
    struct Failure: Sendable {
        let rowCount: Int
        let error: any Error

        /// Throws the error where `row` is the row that is not given any more.
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
