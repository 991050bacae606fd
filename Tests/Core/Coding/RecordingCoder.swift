import Calotype

/// A coder that writes a configurable number of zero bytes, and records its calls. It can read with another coder.
final class RecordingCoder: ImageCoder {
    /// A lossy format, and one without loss.
    static let lossy = ImageFormat(name: "lossy", mimeTypes: [], fileExtensions: [], signatures: [])
    static let lossless = ImageFormat(
        name: "lossless", mimeTypes: [], fileExtensions: [], signatures: [], isLossless: true)

    /// A call of an encoder.
    struct Call: Sendable {
        let format: ImageFormat
        let image: Image
        let options: EncodeOptions
        /// The quality in whole percent.
        var percent: Int { Int((options.quality * 100).rounded()) }
    }

    let formats: [ImageFormat]
    private let reader: (any ImageCoder)?
    private let writesAnimations: Bool
    private let storesOrientation: Bool
    private let body: @Sendable (Call, Job) throws -> Int
    private let recorded = Lock<[Call]>([])

    /// - Parameters:
    /// - formats: The formats that it writes, the preferred one first.
    /// - reader: The coder that reads; nil for none.
    /// - writesAnimations: Whether its encoders write animations.
    /// - storesOrientation: Whether its encoders store the orientation.
    /// - body: Returns the number of bytes to write. Default: 100 for each percent of quality, plus one.
    init(
        _ formats: [ImageFormat] = [RecordingCoder.lossy], reader: (any ImageCoder)? = nil,
        writesAnimations: Bool = false, storesOrientation: Bool = false,
        body: @escaping @Sendable (Call, Job) throws -> Int = { call, _ in call.percent * 100 + 1 }
    ) {
        self.formats = formats
        self.reader = reader
        self.writesAnimations = writesAnimations
        self.storesOrientation = storesOrientation
        self.body = body
    }

    /// The calls so far.
    var calls: [Call] { recorded.withLock { $0 } }

    func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
        try reader?.decoder(for: bytes, options: options)
    }

    func encoder(for format: ImageFormat) -> (any ImageEncoder)? {
        formats.contains(format) ? Encoder(coder: self, format: format) : nil
    }

    private struct Encoder: ImageEncoder {
        let coder: RecordingCoder
        let format: ImageFormat

        var writesAnimations: Bool { coder.writesAnimations }
        var storesOrientation: Bool { coder.storesOrientation }

        func encode(_ image: Image, options: EncodeOptions, job: Job) throws -> Data {
            let call = Call(format: format, image: image, options: options)
            coder.recorded.withLock { $0.append(call) }
            return Data(count: try coder.body(call, job))
        }
    }
}
