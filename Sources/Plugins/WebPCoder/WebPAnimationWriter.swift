#if WEBP
import CWebP
import Calotype

/// A wrapper around libwebpmux's encoder for animations.
struct WebPAnimationWriter: ~Copyable {
    private let encoder: OpaquePointer
    private let configuration: WebPConfig
    /// The converter of durations to whole milliseconds. libwebp requires positive durations of at most 24 bits.
    private var delays = FrameDelays(unit: .milliseconds(1), bounds: 1...0xFF_FFFF)
    /// The presentation time of the next frame, in milliseconds since the start of the animation.
    private var time = 0

    /// Creates an encoder. Throws `outOfMemory`. A `loopCount` of 0 means forever. `quality` is from 0 to 1 (highest).
    init(
        size: PixelSize, loopCount: Int, frameCount: Int, _ options: WebPOptions, quality: Double
    ) throws(ImageError) {
        var settings = WebPAnimEncoderOptions()
        WebPAnimEncoderOptionsInit(&settings)
        settings.anim_params.loop_count = Int32(min(max(loopCount, 0), Self.mostLoops))
        let distance = options.keyFrameDistance ?? (options.isLossless ? 9...17 : 3...5)
        settings.kmin = Int32(clamping: distance.lowerBound)
        settings.kmax = Int32(clamping: distance.upperBound)
        settings.minimize_size = options.minimizesSize == true ? 1 : 0
        settings.allow_mixed = options.mixesFrames == true ? 1 : 0
        guard let encoder = WebPAnimEncoderNew(Int32(size.width), Int32(size.height), &settings) else {
            throw .noMemoryForWebP(.encode)
        }
        self.encoder = encoder
        var configuration = options.configuration(quality: quality)
        // The target size applies to the file, but libwebp applies it to each frame, so each frame gets an equal share.
        if configuration.target_size > 0 {
            configuration.target_size = max(1, configuration.target_size / Int32(clamping: frameCount))
        }
        self.configuration = configuration
    }

    deinit { WebPAnimEncoderDelete(encoder) }

    /// The maximum loop count that the format can store.
    private static let mostLoops = 65_535

    /// Adds a frame. `pixels` is the whole canvas with 8 bits per channel. Throws `encodeFailed`, `outOfMemory`, and
    /// the errors of the job.
    mutating func add(_ pixels: PixelBuffer, duration: Duration, job: Job) throws(ImageError) {
        let input = try WebPInput(pixels, keepsColors: true, job: job)
        var configuration = configuration
        guard WebPAnimEncoderAdd(encoder, input.picture, timestamp, &configuration) != 0 else {
            throw input.failure()
        }
        time += delays.next(duration)
    }

    /// Returns the bytes of the file. Call this after the last frame was added.
    func finish() throws(ImageError) -> Data {
        var data = WebPData()
        WebPDataInit(&data)
        defer { WebPDataClear(&data) }
        guard WebPAnimEncoderAdd(encoder, nil, timestamp, nil) != 0,
            WebPAnimEncoderAssemble(encoder, &data) != 0
        else {
            let text = WebPAnimEncoderGetError(encoder).map { String(cString: $0) } ?? "nothing"
            throw .unwritableWebP("libwebp says '\(text)'", advice: "write another format")
        }
        return Data(bytes: data.bytes, count: data.size)
    }

    /// The time of the next frame for libwebp, in milliseconds. It may wrap around, because libwebp uses only
    /// differences between times.
    private var timestamp: Int32 { Int32(truncatingIfNeeded: time) }
}
#endif
