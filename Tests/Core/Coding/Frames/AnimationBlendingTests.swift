import CalotypeTesting
import Testing

@testable import Calotype

/// The composition of an animation's frames.
@Suite(.timeLimit(.minutes(5)))
struct AnimationBlendingTests {
    typealias Rule = (FrameInfo.Blend, FrameInfo.Disposal)

    static let blends: [FrameInfo.Blend] = [.source, .over]
    static let disposals: [FrameInfo.Disposal] = [.keep, .background, .previous]

    private func expectFrames(of animation: SampleAnimation, isWide: Bool, seed: UInt64) async throws {
        let manager = ImageManager(context: [.off(.imageCache)])
        manager.registry.coders.add(RawImageCoder())
        let image = try await manager.decode(animation.file, context: isWide ? [.nativeDepth] : [])
        let frames = try #require(image.frames)
        let expected = animation.pictures(isWide: isWide)
        #expect(image.pixels.seenLevels == expected[0])
        #expect(frames.frameCount == expected.count)
        let held = try expected.indices.map { try frames.frame($0, job: Job()) }
        for index in expected.indices {
            // Later frames were drawn while it was retained, and have not changed it.
            #expect(held[index].seenLevels == expected[index], "held frame \(index) of seed \(seed)")
            let pixels = try frames.frame(index, job: Job())
            #expect(pixels.format == (isWide ? .rgba16 : .rgba8))
            #expect(pixels.seenLevels == expected[index], "frame \(index) of seed \(seed)")
            if pixels.isOpaque {
                let alphas = stride(from: 3, to: expected[index].count, by: 4).map { expected[index][$0] }
                #expect(alphas.allSatisfy { $0 == pixels.format.fullLevel })
            }
        }
    }

    @Test(arguments: AnimationBlendingTests.blends, AnimationBlendingTests.disposals)
    func `frames of each kind are drawn as specified`(
        blend: FrameInfo.Blend, disposal: FrameInfo.Disposal
    ) async throws {
        for seed in 0..<6 as Range<UInt64> {
            let rules = [Rule](repeating: (blend, disposal), count: 7)
            for bits in [8, 16] {
                let animation = SampleAnimation(rules, bits: bits, seed: seed)
                try await expectFrames(of: animation, isWide: bits == 16, seed: seed)
            }
        }
    }

    @Test(arguments: [false, true])
    func `a sequence of frames of all kinds is drawn as specified`(isOpaque: Bool) async throws {
        var random = SplitMix64(seed: 12)
        for seed in 0..<40 as Range<UInt64> {
            let rules: [Rule] = (0..<12).map { _ in
                (Self.blends.randomElement(using: &random)!, Self.disposals.randomElement(using: &random)!)
            }
            let bits = seed.isMultiple(of: 4) ? 16 : 8
            let animation = SampleAnimation(rules, bits: bits, isOpaque: isOpaque, seed: seed)
            try await expectFrames(of: animation, isWide: bits == 16, seed: seed)
        }
    }

    @Test func `16-bit frames are composed in 16 bits before they are rounded to 8`() async throws {
        let animation = SampleAnimation([Rule](repeating: (.over, .keep), count: 5), bits: 16, seed: 3)
        let manager = ImageManager(context: [.off(.imageCache)])
        manager.registry.coders.add(RoundingCoder())
        let image = try await manager.decode(animation.file)
        let frames = try #require(image.frames)
        for (index, wide) in animation.pictures(isWide: true).enumerated() {
            let pixels = try frames.frame(index, job: Job())
            #expect(pixels.format == .rgba8)
            #expect(pixels.seenLevels == SampleAnimation.seen(wide.map { ($0 / 257).rounded() }), "frame \(index)")
        }
    }

    /// A coder that delivers all bits of a raw file, whether they are requested or not.
    private struct RoundingCoder: ImageCoder {
        private let coder = RawImageCoder()
        var formats: [ImageFormat] { coder.formats }

        func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
            var options = options
            options.nativeDepth = true
            return try coder.decoder(for: bytes, options: options)
        }
    }

    @Test(arguments: [PixelFormat.rgba8, .rgba16])
    func `blending rounds like double precision`(format: PixelFormat) throws {
        let full = format.fullLevel
        let some: [Double] = [0, 1, 2, full / 3, full.rounded() - 1, full]
        let alphas = (some + (0..<40).map { Double($0) * full / 40 }).map { $0.rounded() }
        let levels: [Double] = [0, 1, (full / 2).rounded(), full - 1, full]
        var cases: [(drawn: [Double], below: [Double])] = []
        for alpha in alphas {
            for alphaBelow in alphas {
                for level in levels {
                    cases.append(([level, full - level, 7, alpha], [full - 1, level, 0, alphaBelow]))
                }
            }
        }
        func row(_ pixels: [[Double]]) throws -> PixelBuffer {
            try PixelBuffer.drawn(PixelSize(pixels.count, 1), format) { x, _ in pixels[x] }
        }
        let drawn = try row(cases.map(\.drawn))
        let canvas = try Canvas(try row(cases.map(\.below)))
        drawn.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Void in
            format.draw(bytes.baseAddress!, over: canvas.memory(x: 0, y: 0), pixelCount: cases.count)
        }
        let found = try canvas.pixels(in: PixelRegion(size: drawn.size)).levels
        for (index, pair) in cases.enumerated() {
            let (alpha, alphaBelow) = (pair.drawn[3] / full, pair.below[3] / full)
            let whole = pair.drawn[3] * full + pair.below[3] * (full - pair.drawn[3])
            var expected = pair.below
            if alpha > 0 {
                for channel in 0..<3 {
                    let sum =
                        pair.drawn[channel] * pair.drawn[3] * full
                        + pair.below[channel] * pair.below[3] * (full - pair.drawn[3])
                    expected[channel] = (sum / whole).rounded()
                }
                expected[3] = (full * (alpha + alphaBelow * (1 - alpha))).rounded()
            }
            #expect(Array(found[index * 4..<index * 4 + 4]) == expected, "\(pair)")
        }
    }

    @Test func `blending in floating point is exact`() throws {
        let drawn = try PixelBuffer.noise(PixelSize(40, 1), .rgbaFloat, seed: 4)
        let below = try PixelBuffer.noise(PixelSize(40, 1), .rgbaFloat, seed: 5)
        let canvas = try Canvas(below)
        drawn.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Void in
            PixelFormat.rgbaFloat.draw(bytes.baseAddress!, over: canvas.memory(x: 0, y: 0), pixelCount: 40)
        }
        let found = try canvas.pixels(in: PixelRegion(size: drawn.size)).levels
        let (top, bottom) = (drawn.levels, below.levels)
        for pixel in stride(from: 0, to: 160, by: 4) {
            let rest = bottom[pixel + 3] * (1 - top[pixel + 3])
            let alpha = top[pixel + 3] + rest
            #expect(abs(found[pixel + 3] - alpha) < 1e-6)
            for channel in pixel..<pixel + 3 where alpha > 0 {
                let expected = (top[channel] * top[pixel + 3] + bottom[channel] * rest) / alpha
                #expect(abs(found[channel] - expected) < 1e-5)
            }
        }
    }

    @Test func `pixels blended in groups equal pixels blended one by one`() {
        var random = SplitMix64(seed: 8)
        for count in 0...70 {
            // The lengths of runs are below, equal to and above the number of pixels that are processed together.
            var alphas: [UInt8] = []
            while alphas.count < count {
                let alpha = [0, 255, UInt8.random(in: 1...254, using: &random)].randomElement(using: &random)!
                alphas += [UInt8](repeating: alpha, count: .random(in: 1...40, using: &random))
            }
            let drawn = alphas.prefix(count).flatMap { alpha in
                (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) } + [alpha]
            }
            let below = (0..<count * 4).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(Self.draw(drawn, over: below, together: count) == Self.draw(drawn, over: below, together: 1))
        }
    }

    private static func draw(_ drawn: [UInt8], over below: [UInt8], together count: Int) -> [UInt8] {
        var result = below
        result.withUnsafeMutableBytes { target in
            drawn.withUnsafeBytes { row in
                for first in stride(from: 0, to: row.count, by: max(4, count * 4)) {
                    PixelFormat.rgba8.draw(
                        row.baseAddress! + first, over: target.baseAddress! + first, pixelCount: count)
                }
            }
        }
        return result
    }

    @Test func `transparent pixels leave the color below, and opaque pixels replace it`() {
        var below: [UInt8] = [9, 8, 7, 6, 1, 2, 3, 4, 5, 6, 7, 0]
        let drawn: [UInt8] = [200, 200, 200, 0, 10, 20, 30, 255, 40, 50, 60, 70]
        below.withUnsafeMutableBytes { target in
            drawn.withUnsafeBytes { row in
                PixelFormat.rgba8.draw(row.baseAddress!, over: target.baseAddress!, pixelCount: 3)
            }
        }
        #expect(below == [9, 8, 7, 6, 10, 20, 30, 255, 40, 50, 60, 70])
    }
}
