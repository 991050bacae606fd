import CalotypeTesting
import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct DecodeLimitsTests {
    /// Returns the error for a size; nil if it is accepted.
    private func refusal(of size: PixelSize, _ context: ImageContext = []) -> ImageError? {
        do {
            try DecodeLimits(ResolvedContext(context)).check(size)
            return nil
        } catch {
            return error
        }
    }

    /// Returns the error for a file of 40 by 30 pixels; nil if it is accepted.
    private func refusal(
        of frames: [FrameInfo] = [], profile: ColorProfile = .sRGB, metadata: ImageMetadata = ImageMetadata(),
        _ context: ImageContext = []
    ) -> ImageError? {
        do {
            try DecodeLimits(ResolvedContext(context)).check(
                ImageInfo(
                    format: RawImageCoder.format, pixelSize: PixelSize(40, 30), hasAlpha: false, profile: profile,
                    frames: frames, metadata: metadata))
            return nil
        } catch {
            return error
        }
    }

    /// Returns frames of one region, usually a single pixel.
    private func frames(
        _ count: Int, _ region: PixelRegion = PixelRegion(size: PixelSize(1, 1))
    ) -> [FrameInfo] {
        Array(repeating: FrameInfo(duration: .seconds(1), region: region), count: count)
    }

    @Test func `sizes up to the limits are accepted`() {
        #expect(refusal(of: PixelSize(1, 1)) == nil)
        #expect(refusal(of: PixelSize(65_535, 1)) == nil)
        #expect(refusal(of: PixelSize(16_000, 16_000)) == nil)
        #expect(refusal(of: PixelSize(40, 30), [.maxPixels(1200)]) == nil)
        #expect(refusal(of: PixelSize(40, 30), [.maxSidePixels(40)]) == nil)
    }

    @Test func `a side that is too long is refused, and the error gives the limit`() {
        for size in [PixelSize(41, 1), PixelSize(1, 41)] {
            let error = refusal(of: size, [.maxSidePixels(40)])
            #expect(error?.code == .limitExceeded)
            #expect(error?.stage == .decode)
            #expect(
                error?.description
                    == "\(size) pixels; at most 40 are allowed on a side; "
                    + "raise the context value `maxSidePixels` if the source is trusted")
        }
        #expect(refusal(of: PixelSize(65_536, 1))?.code == .limitExceeded)
    }

    @Test func `too many pixels are refused, and the error gives the limit`() {
        let error = refusal(of: PixelSize(40, 30), [.maxPixels(1199)])
        #expect(error?.code == .limitExceeded)
        #expect(error?.stage == .decode)
        #expect(
            error?.description
                == "40x30 is 1200 pixels; at most 1199 are allowed; "
                + "raise the context value `maxPixels` if the source is trusted")
        #expect(refusal(of: PixelSize(20_000, 20_000))?.code == .limitExceeded)
    }

    @Test func `a pixel count that overflows is refused`() {
        let limits: ImageContext = [.maxSidePixels(.max), .maxPixels(.max - 1)]
        #expect(refusal(of: PixelSize(.max, .max), limits)?.code == .limitExceeded)
        #expect(refusal(of: PixelSize(.max, 2), limits)?.code == .limitExceeded)
    }

    @Test func `too many frames are refused, whichever frame is requested`() {
        #expect(refusal(of: frames(5), [.maxFrames(5)]) == nil)
        for context: ImageContext in [[.maxFrames(4)], [.maxFrames(4), .frame(0)]] {
            let error = refusal(of: frames(5), context)
            #expect(error?.code == .limitExceeded)
            #expect(
                error?.description
                    == "has 5 frames; at most 4 are allowed; "
                    + "raise the context value `maxFrames` if the source is trusted")
        }
        #expect(refusal(of: [], [.maxFrames(1)]) == nil)
        #expect(refusal(of: frames(4096)) == nil)
        #expect(refusal(of: frames(4097))?.code == .limitExceeded)
    }

    @Test func `too many pixels in all frames together are refused`() {
        #expect(refusal(of: frames(5), [.maxTotalPixels(6000)]) == nil)
        let error = refusal(of: frames(5), [.maxTotalPixels(5999)])
        #expect(error?.code == .limitExceeded)
        #expect(
            error?.description
                == "5 frames of 40x30 have 6000 pixels; at most 5999 are allowed; "
                + "raise the context value `maxTotalPixels` if the source is trusted")
        #expect(refusal(of: frames(5), [.maxTotalPixels(1), .frame(4)]) == nil, "a single frame is a still")
        #expect(refusal(of: [], [.maxTotalPixels(1)]) == nil, "a still has its own limit")
        #expect(refusal(of: frames(5), [.maxTotalPixels(.max)]) == nil)
    }

    @Test func `the pictures of an animation in memory at once count together`() {
        #expect(refusal(of: frames(2), [.maxPixels(7 * 1200)]) == nil)
        let error = refusal(of: frames(2), [.maxPixels(7 * 1200 - 1)])
        #expect(error?.code == .limitExceeded)
        #expect(
            error?.description
                == "an animation of 40x30 needs 7 pictures at once, or 8400 pixels; at most 8399 are allowed; "
                + "raise the context value `maxPixels` if the source is trusted")
        #expect(refusal(of: frames(1), [.maxPixels(1200)]) == nil, "a single frame is a still")
        // A single frame is drawn on a canvas, unless it covers the whole picture.
        #expect(refusal(of: frames(2), [.maxPixels(2 * 1200), .frame(1)]) == nil)
        #expect(refusal(of: frames(2), [.maxPixels(2 * 1200 - 1), .frame(1)])?.code == .limitExceeded)
        let whole = frames(2, PixelRegion(size: PixelSize(40, 30)))
        #expect(refusal(of: whole, [.maxPixels(1200), .frame(1)]) == nil)
        #expect(
            refusal(of: whole, [.maxPixels(1200), .frame(2)]) == nil,
            "the frame does not exist, which is a different error")
        #expect(refusal(of: whole, [.maxPixels(1200), .frame(-1)]) == nil)
    }

    @Test func `the pixels of the frames needed for a single frame count together`() {
        // Two canvases have 2400 pixels; a frame of nearly the whole picture has 1160.
        let part = PixelRegion(size: PixelSize(40, 29))
        func chain(_ disposal: FrameInfo.Disposal, _ region: PixelRegion) -> [FrameInfo] {
            Array(repeating: FrameInfo(duration: .seconds(1), region: region, disposal: disposal), count: 10)
        }
        // Each frame depends on all previous ones.
        #expect(refusal(of: chain(.keep, part), [.maxPixels(11_600), .frame(9)]) == nil)
        let error = refusal(of: chain(.keep, part), [.maxPixels(11_599), .frame(9)])
        #expect(error?.code == .limitExceeded)
        #expect(error?.message.contains("frame 9, with the frames that it builds upon, has 11600 pixels") == true)
        #expect(refusal(of: chain(.keep, part), [.maxPixels(5800), .frame(4)]) == nil)
        // Each frame begins with an empty canvas, or covers the whole picture.
        #expect(refusal(of: chain(.background, part), [.maxPixels(2400), .frame(9)]) == nil)
        #expect(refusal(of: chain(.previous, part), [.maxPixels(2400), .frame(9)]) == nil)
        #expect(refusal(of: chain(.keep, PixelRegion(size: PixelSize(40, 30))), [.maxPixels(1200), .frame(9)]) == nil)
        // Frames before a cleared canvas are counted as well.
        let cleared = frames(1) + chain(.background, part)
        #expect(refusal(of: cleared, [.maxPixels(11_601), .frame(10)]) == nil)
        #expect(refusal(of: cleared, [.maxPixels(11_600), .frame(10)])?.code == .limitExceeded)
        // Only the actual size of regions counts.
        #expect(refusal(of: frames(10), [.maxPixels(2400), .frame(9)]) == nil)
    }

    @Test func `a frame outside its canvas is bad data`() {
        let whole = PixelRegion(size: PixelSize(40, 30))
        #expect(refusal(of: frames(2, whole)) == nil)
        #expect(refusal(of: frames(2, PixelRegion(x: 39, y: 29, size: PixelSize(1, 1)))) == nil)
        for region in [
            PixelRegion(x: 1, y: 0, size: PixelSize(40, 30)), PixelRegion(x: 0, y: 1, size: PixelSize(40, 30)),
            PixelRegion(x: -1, y: 0, size: PixelSize(3, 3)), PixelRegion(x: 0, y: -1, size: PixelSize(3, 3)),
            PixelRegion(x: .max, y: 0, size: PixelSize(.max, 1)), PixelRegion(size: PixelSize(0, 30)),
        ] {
            let error = refusal(of: frames(1, whole) + frames(1, region))
            #expect(error?.code == .badData)
            #expect(
                error?.message
                    == "frame 1, \(region.size) at (\(region.x), \(region.y)), extends beyond the canvas of 40x30")
        }
    }

    @Test func `a long profile and much metadata are refused, and the error gives the limit`() {
        let profile = ColorProfile.icc(Data(count: 100))
        #expect(refusal(profile: profile, [.maxProfileBytes(100)]) == nil)
        let tooLong = refusal(profile: profile, [.maxProfileBytes(99)])
        #expect(tooLong?.code == .limitExceeded)
        #expect(
            tooLong?.description
                == "the color profile has 100 bytes; at most 99 are allowed; "
                + "raise the context value `maxProfileBytes` if the source is trusted")

        let metadata = ImageMetadata(exif: Data(count: 30), xmp: Data(count: 70))
        #expect(refusal(metadata: metadata, [.maxMetadataBytes(100)]) == nil)
        let tooMuch = refusal(metadata: metadata, [.maxMetadataBytes(99)])
        #expect(tooMuch?.code == .limitExceeded)
        #expect(
            tooMuch?.description
                == "the metadata has 100 bytes; at most 99 are allowed; "
                + "raise the context value `maxMetadataBytes` if the source is trusted")
    }

    @Test func `an empty picture is bad data, not too large`() {
        for size in [PixelSize(0, 0), PixelSize(0, 5), PixelSize(5, 0), PixelSize(-1, 5), PixelSize(5, -1)] {
            let error = refusal(of: size)
            #expect(error?.code == .badData)
            #expect(error?.message == "the picture has no pixels: its size is \(size)")
        }
    }

    @Test func `the limits for untrusted bytes are stricter`() {
        #expect(refusal(of: PixelSize(16_384, 3000), .server) == nil)
        #expect(refusal(of: PixelSize(16_385, 1), .server)?.code == .limitExceeded)
        #expect(refusal(of: PixelSize(8000, 8000), .server)?.code == .limitExceeded)
        #expect(refusal(of: PixelSize(8000, 8000)) == nil)
        #expect(refusal(of: frames(1000), .server) == nil)
        #expect(refusal(of: frames(1001), .server)?.code == .limitExceeded)
        #expect(ResolvedContext(.server)[.maxTotalPixels] < ResolvedContext.builtIn[.maxTotalPixels])
        let much = ImageMetadata(xmp: Data(count: (1 << 20) + 1))
        #expect(refusal(metadata: much) == nil)
        #expect(refusal(metadata: much, .server)?.code == .limitExceeded)
        #expect(ResolvedContext(.server)[.decodeTimeout] == .seconds(10))
    }

    @Test func `limits are judged by the header, before any row is decoded`() async throws {
        let bench = Bench()
        for limit: ImageContext in [[.maxPixels(1199)], [.maxSidePixels(39)]] {
            let error = await imageError { try await bench.manager.image(for: bench.request(limit)) }
            #expect(error?.code == .limitExceeded)
        }
        #expect(bench.coder.decodeCount == 0)
    }

    @Test func `reading info applies the decode limits`() async throws {
        var coder = ScriptedCoder(conduct: .rows, pixels: try PixelBuffer.noise(PixelSize(40, 30), seed: 1))
        coder.frames = frames(5)
        let manager = ImageManager(context: [.off(.imageCache), .imageCoder(coder)])
        for limit: ImageContext in [[.maxPixels(1199)], [.maxFrames(4)], [.maxTotalPixels(5999)]] {
            let error = await imageError { try await manager.info(of: ScriptedCoder.file, context: limit) }
            #expect(error?.code == .limitExceeded)
        }
        #expect(try await manager.info(of: ScriptedCoder.file).frameCount == 5)
    }
}
