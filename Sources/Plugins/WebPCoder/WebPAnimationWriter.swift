#if WEBP
import CWebP
import Calotype

/// libwebpmux's encoder of animations, which looks for the smallest change from each frame to the next.
struct WebPAnimationWriter: ~Copyable {
    private let encoder: OpaquePointer
    private let configuration: WebPConfig
    /// The durations of frames in milliseconds. libwebp wants each frame to be later than the one before, by less
    /// than 24 bits hold.
    private var delays = FrameDelays(unit: .milliseconds(1), bounds: 1...0xFF_FFFF)
    /// The time at which the next frame is shown, in milliseconds.
    private var time = 0

    /// Throws `outOfMemory`.
    /// - Parameters:
    ///   - frameCount: The number of frames that follow.
    ///   - quality: Of lossy frames, 0...1.
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
        // It is meant for the file, and libwebp takes it for a frame.
        if configuration.target_size > 0 {
            configuration.target_size = max(1, configuration.target_size / Int32(clamping: frameCount))
        }
        self.configuration = configuration
    }

    deinit { WebPAnimEncoderDelete(encoder) }

    /// The most loops that the format has room for.
    private static let mostLoops = 65_535

    /// Adds a frame. Throws `encodeFailed`, `outOfMemory`, and as the job says.
    /// - Parameter pixels: The whole picture at the frame, with 8 bits for each channel.
    mutating func add(_ pixels: PixelBuffer, duration: Duration, job: Job) throws(ImageError) {
        let input = try WebPInput(pixels, keepsColors: true, job: job)
        var configuration = configuration
        guard WebPAnimEncoderAdd(encoder, input.picture, timestamp, &configuration) != 0 else {
            throw input.failure()
        }
        time += delays.next(duration)
    }

    /// Returns the file, once all frames have been added.
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

    /// The time as libwebp has it, which goes by differences: it may wrap around.
    private var timestamp: Int32 { Int32(truncatingIfNeeded: time) }
}
#endif
