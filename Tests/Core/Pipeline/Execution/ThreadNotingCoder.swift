import Calotype
import CalotypeTesting

/// A coder that forwards to another one, with configurable properties, and records the threads of its calls.
final class ThreadNotingCoder: ImageCoder {
    private struct State {
        var decoderThreads: [ThreadNote] = []
        var decodeThreads: [ThreadNote] = []
        var windowCount = 0
    }

    let formats: [ImageFormat]
    let isPureComputation: Bool
    let readsInPieces: Bool
    private let coder: any ImageCoder
    private let workingByteCount: Int
    private let window: CallWindow?
    private let state = Lock(State())

    /// - Parameters:
    /// - coder: The other coder.
    /// - formats: The declared formats; nil for those of the other coder.
    /// - isPureComputation: Whether it only computes; nil for the value of the other coder.
    /// - readsInPieces: Whether it reads in pieces.
    /// - workingByteCount: The working memory that its decoders declare.
    /// - window: The call window to check.
    init(
        _ coder: any ImageCoder, formats: [ImageFormat]? = nil, isPureComputation: Bool? = nil,
        readsInPieces: Bool = false, workingByteCount: Int = 0, window: CallWindow? = nil
    ) {
        self.coder = coder
        self.formats = formats ?? coder.formats
        self.isPureComputation = isPureComputation ?? coder.isPureComputation
        self.readsInPieces = readsInPieces
        self.workingByteCount = workingByteCount
        self.window = window
    }

    /// The threads on which decoders were requested, in order.
    var decoderThreads: [ThreadNote] { state.withLock { $0.decoderThreads } }
    /// The threads on which pictures were decoded, in order.
    var decodeThreads: [ThreadNote] { state.withLock { $0.decodeThreads } }
    /// The number of decodes within the window.
    var windowCount: Int { state.withLock { $0.windowCount } }

    func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
        let thread = ThreadNote.current
        state.withLock { $0.decoderThreads.append(thread) }
        guard let decoder = try coder.decoder(for: bytes, options: options) else { return nil }
        return Decoder(coder: self, decoder: decoder)
    }

    func encoder(for format: ImageFormat) -> (any ImageEncoder)? { coder.encoder(for: format) }

    private struct Decoder: ImageDecoder {
        let coder: ThreadNotingCoder
        let decoder: any ImageDecoder

        var workingByteCount: Int { coder.workingByteCount }

        var info: ImageInfo {
            get throws { try decoder.info }
        }

        func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
            let (thread, isInWindow) = (ThreadNote.current, coder.window?.isOpenHere == true)
            coder.state.withLock { state in
                state.decodeThreads.append(thread)
                if isInWindow { state.windowCount += 1 }
            }
            try decoder.decode(frame: frame, into: &sink, job: job)
        }
    }
}
