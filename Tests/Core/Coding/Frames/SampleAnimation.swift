import CalotypeTesting

@testable import Calotype

/// A generated animation: its file, and the expected picture at each frame by the APNG specification, computed in
/// double precision, pixel by pixel, from the first frame on.
struct SampleAnimation {
    let header: RawImageCoder.Header
    /// The pixels of each frame's region, row by row.
    let pixels: [[SIMD4<UInt8>]]

    /// Creates an animation of random pixels. A third of them is transparent and a third opaque, unless all are opaque.
    init(_ header: RawImageCoder.Header, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        self.header = header
        pixels = (header.frames ?? []).map { frame in
            (0..<frame.width * frame.height).map { _ in
                let bits = random.next()
                var color = SIMD4<UInt8>(truncatingIfNeeded: SIMD4(bits, bits >> 8, bits >> 16, bits >> 24))
                switch bits >> 32 % 3 {
                case _ where header.isOpaque: color.w = 255
                case 0: color.w = 0
                case 1: color.w = 255
                default: break
                }
                return color
            }
        }
    }

    /// Creates an animation of frames at random positions, each with its blend and disposal.
    /// - Parameters:
    /// - rules: The blend and disposal of each frame.
    /// - isFull: Returns whether a frame covers everything. Default: a quarter of the frames.
    init(
        _ rules: [(FrameInfo.Blend, FrameInfo.Disposal)], bits: Int = 8, isOpaque: Bool = false,
        size: PixelSize = PixelSize(13, 9), seed: UInt64, isFull: ((Int) -> Bool)? = nil
    ) {
        var random = SplitMix64(seed: seed)
        var header = RawImageCoder.Header(width: size.width, height: size.height)
        header.bitsPerChannel = bits
        header.isOpaque = isOpaque
        header.loopCount = 3
        header.frames = rules.enumerated().map { index, rule in
            var frame = RawImageCoder.Frame(width: size.width, height: size.height)
            if !(isFull?(index) ?? (random.next() % 4 == 0)) {
                frame.x = Int.random(in: 0..<size.width, using: &random)
                frame.y = Int.random(in: 0..<size.height, using: &random)
                frame.width = Int.random(in: 1...size.width - frame.x, using: &random)
                frame.height = Int.random(in: 1...size.height - frame.y, using: &random)
            }
            (frame.blend, frame.disposal) = rule
            frame.milliseconds = 20 + Double(index)
            return frame
        }
        self.init(header, seed: random.next())
    }

    /// The bytes of the file.
    var file: Data {
        let widths = (header.frames ?? []).map(\.width)
        return RawImageCoder.file(header) { x, y, frame in pixels[frame][y * widths[frame] + x] }
    }

    var frameCount: Int { pixels.count }

    /// Returns the picture at each frame, in levels as in ``PixelBuffer/levels``: of 16 bits if `isWide` is true.
    func pictures(isWide: Bool) -> [[Double]] {
        let full = isWide ? 65_535.0 : 255.0
        let width = header.width
        var canvas = [Double](repeating: 0, count: width * header.height * 4)
        return zip(header.frames ?? [], pixels).map { frame, pixels in
            let before = canvas
            for y in 0..<frame.height {
                for x in 0..<frame.width {
                    let place = ((frame.y + y) * width + frame.x + x) * 4
                    let color = pixels[y * frame.width + x]
                    let levels = (0..<4).map { Double(color[$0]) * full / 255 }
                    let below = Array(canvas[place..<place + 4])
                    let result = frame.blend == .source ? levels : Self.over(levels, below, full: full)
                    canvas.replaceSubrange(place..<place + 4, with: result)
                }
            }
            let shown = canvas
            for y in frame.y..<frame.y + frame.height {
                let row = (y * width + frame.x) * 4..<(y * width + frame.x + frame.width) * 4
                switch frame.disposal {
                case .keep: break
                case .background: canvas.replaceSubrange(row, with: repeatElement(0, count: row.count))
                case .previous: canvas.replaceSubrange(row, with: before[row])
                }
            }
            return Self.seen(shown)
        }
    }

    /// Source: Porter and Duff, Compositing Digital Images, 1984, for straight alpha.
    private static func over(_ levels: [Double], _ below: [Double], full: Double) -> [Double] {
        let alpha = levels[3]
        let rest = below[3] * (full - alpha) / full
        guard alpha > 0 else { return below }
        // Multiplied by the full level, the sums are integers, so that ties are recognized exactly.
        let whole = alpha * full + below[3] * (full - alpha)
        let colors = (0..<3).map {
            ((levels[$0] * alpha * full + below[$0] * below[3] * (full - alpha)) / whole).rounded()
        }
        return colors + [(alpha + rest).rounded()]
    }

    /// Returns the levels with invisible pixels set to zero, since their colors do not matter.
    static func seen(_ levels: [Double]) -> [Double] {
        var levels = levels
        for pixel in stride(from: 0, to: levels.count, by: 4) where levels[pixel + 3] == 0 {
            levels.replaceSubrange(pixel..<pixel + 4, with: repeatElement(0, count: 4))
        }
        return levels
    }
}

extension PixelBuffer {
    /// The levels with invisible pixels set to zero.
    var seenLevels: [Double] { SampleAnimation.seen(levels) }
}
