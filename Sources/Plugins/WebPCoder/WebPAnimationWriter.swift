#if WEBP
import CWebP
import Calotype

/// libwebpmux's encoder of animations, which looks for the smallest change from each frame to the next.
struct WebPAnimationWriter: ~Copyable {
    private let encoder: OpaquePointer
    private let configuration: WebPConfig
    private let keepsColors = true
    /// The time at which the next frame is shown.
    private var time = Duration.zero
    private var lastTimestamp: Int32 = -1

    /// Throws `outOfMemory`.
    /// - Parameter quality: Of lossy frames, 0...1.
    init(
        size: PixelSize, loopCount: Int, _ options: WebPOptions, quality: Double
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
        configuration = options.configuration(quality: quality)
    }

    deinit { WebPAnimEncoderDelete(encoder) }

    /// The most loops that the format has room for.
    private static let mostLoops = 65_535

    /// Adds a frame. Throws `encodeFailed`, `outOfMemory`, and as the job says.
    /// - Parameter pixels: The whole picture at the frame, with 8 bits for each channel.
    mutating func add(_ pixels: PixelBuffer, duration: Duration, job: Job) throws(ImageError) {
        let input = try WebPInput(pixels, keepsColors: true, job: job)
        var configuration = configuration
        guard WebPAnimEncoderAdd(encoder, input.picture, nextTimestamp(), &configuration) != 0 else {
            throw input.failure()
        }
        time += duration
    }

    /// Returns the file, once all frames have been added.
    mutating func finish() throws(ImageError) -> Data {
        var data = WebPData()
        WebPDataInit(&data)
        defer { WebPDataClear(&data) }
        guard WebPAnimEncoderAdd(encoder, nil, nextTimestamp(), nil) != 0,
            WebPAnimEncoderAssemble(encoder, &data) != 0
        else {
            let text = WebPAnimEncoderGetError(encoder).map { String(cString: $0) } ?? "nothing"
            throw .unwritableWebP("libwebp says '\(text)'", advice: "write another format")
        }
        return Data(bytes: data.bytes, count: data.size)
    }

    /// The time in milliseconds, rounded as a whole, so that frames do not get longer together. libwebp wants each to
    /// be later than the one before.
    private mutating func nextTimestamp() -> Int32 {
        let milliseconds = Int32(clamping: Int((time / .milliseconds(1)).rounded()))
        lastTimestamp = max(milliseconds, lastTimestamp + 1)
        return lastTimestamp
    }
}
#endif
