import Calotype

/// A file of ``FaultyCoder``: a head, then the rows of each frame's region.
///
/// The head is eight bytes of signature, then a byte each for width, height, flags (1 alpha, 2 sixteen bits, 4 a
/// profile, 8 EXIF), orientation, loop count and number of frames, which is 0 for a still image. Five bytes for each
/// frame follow, its region and its duration in hundredths of a second; then profile and EXIF, each after its length. A
/// row is four or eight bytes for each pixel, and their sum as a byte.
struct FaultyFile: Sendable {
    /// The state of a row in a file.
    enum Row {
        case there(Data)
        case missing
        case damaged
    }

    var size: PixelSize
    var hasAlpha = false
    var isDeep = false
    var orientation = Orientation.up
    /// The profile, with at most 255 bytes.
    var profile: Data?
    /// The EXIF block, with at most 255 bytes.
    var exif: Data?
    var loopCount = 1
    var frames: [FrameInfo] = []
    /// The present rows.
    private var body = Data()

    private static let headByteCount = 14
    private static let frameByteCount = 5

    /// Creates a still image without rows.
    init(size: PixelSize) {
        self.size = size
    }

    /// Parses a file. Throws `incomplete` if it ends within the head.
    init(_ data: Data) throws(ImageError) {
        let bytes = [UInt8](data)
        guard bytes.count >= Self.headByteCount else { throw Self.incomplete }
        let (width, height, flags) = (bytes[8], bytes[9], bytes[10])
        let (turning, frameCount) = (bytes[11], Int(bytes[13]))
        guard width > 0, height > 0, flags <= 15, let orientation = Orientation(rawValue: turning) else {
            throw Self.damaged("has a damaged head")
        }
        size = PixelSize(Int(width), Int(height))
        hasAlpha = flags & 1 != 0
        isDeep = flags & 2 != 0
        self.orientation = orientation
        var end = Self.headByteCount + frameCount * Self.frameByteCount
        guard bytes.count >= end else { throw Self.incomplete }
        for frame in 0..<frameCount {
            let place = bytes[(Self.headByteCount + frame * Self.frameByteCount)...].prefix(5).map { Int($0) }
            let region = PixelRegion(x: place[0], y: place[1], size: PixelSize(place[2], place[3]))
            guard region.isInside(size) else { throw Self.damaged("has a frame outside") }
            frames.append(FrameInfo(duration: .milliseconds(place[4] * 10), region: region))
        }
        loopCount = frames.isEmpty ? 1 : Int(bytes[12])
        if flags & 4 != 0 { profile = try Self.block(of: bytes, at: &end) }
        if flags & 8 != 0 { exif = try Self.block(of: bytes, at: &end) }
        body = Data(bytes[end...])
    }

    /// Returns bytes that follow their length, and advances the position.
    private static func block(of bytes: [UInt8], at place: inout Int) throws(ImageError) -> Data {
        guard place < bytes.count, place + Int(bytes[place]) < bytes.count else { throw incomplete }
        let block = bytes[(place + 1)...].prefix(Int(bytes[place]))
        place += 1 + block.count
        return Data(block)
    }

    /// The bytes of the file.
    var data: Data {
        var data = Data("CTFAULTY".utf8)
        let flags = (hasAlpha ? 1 : 0) + (isDeep ? 2 : 0) + (profile == nil ? 0 : 4) + (exif == nil ? 0 : 8)
        let head = [size.width, size.height, flags, Int(orientation.rawValue), loopCount, frames.count]
        data += head.map { UInt8($0) }
        for frame in frames {
            let duration = Int((frame.duration.milliseconds / 10).rounded())
            let region = frame.region
            let numbers = [region.x, region.y, region.size.width, region.size.height, duration]
            data += numbers.map { UInt8($0) }
        }
        for block in [profile, exif].compactMap(\.self) { data += [UInt8(block.count)] + block }
        return data + body
    }

    var frameCount: Int { max(1, frames.count) }

    /// Returns the size of a frame's region.
    func size(ofFrame frame: Int) -> PixelSize { frames.isEmpty ? size : frames[frame].region.size }

    private var bytesPerPixel: Int { isDeep ? 8 : 4 }

    /// Appends the next row.
    mutating func append(row: Data) {
        body += row
        body.append(Self.sum(of: row))
    }

    /// Returns row `y` of a frame.
    func row(_ y: Int, ofFrame frame: Int) -> Row {
        let before = (0..<frame).reduce(0) { $0 + rowByteCount(ofFrame: $1) * size(ofFrame: $1).height }
        let start = before + y * rowByteCount(ofFrame: frame)
        let end = start + rowByteCount(ofFrame: frame) - 1
        guard end < body.count else { return .missing }
        let row = Data(body[start..<end])
        return Self.sum(of: row) == body[end] ? .there(row) : .damaged
    }

    private func rowByteCount(ofFrame frame: Int) -> Int { size(ofFrame: frame).width * bytesPerPixel + 1 }

    private static func sum(of row: Data) -> UInt8 {
        var sum: UInt8 = 0
        for byte in row { sum &+= byte }
        return sum
    }

    /// The frames whose rows are all present.
    var wholeFrames: [FrameInfo] {
        var whole: [FrameInfo] = []
        for (index, frame) in frames.enumerated() {
            if case .missing = row(frame.region.size.height - 1, ofFrame: index) { break }
            whole.append(frame)
        }
        return whole
    }

    /// The same file with another first pixel.
    var withOtherCorner: FaultyFile {
        var other = self
        other.body.removeAll()
        for frame in 0..<frameCount {
            for y in 0..<size(ofFrame: frame).height {
                guard case .there(var row) = row(y, ofFrame: frame) else { return other }
                if frame == 0, y == 0 { row[0] ^= 1 }
                other.append(row: row)
            }
        }
        return other
    }

    static let incomplete = ImageError(.incomplete, stage: .decode, message: "ends in the head")

    static func damaged(_ message: String) -> ImageError { ImageError(.badData, stage: .decode, message: message) }
}
