import Calotype
import CalotypeTesting

/// A coder of raw pictures that counts its calls.
final class TallyingCoder: ImageCoder {
    struct Tally: Equatable {
        /// The requested decoders.
        var begun = 0
        /// The requests for a decoder that were declined.
        var refused = 0
        /// The completely decoded pictures.
        var decoded = 0
        /// The encoded pictures.
        var encoded = 0
    }

    let formats = [RawImageCoder.format]
    private let coder = RawImageCoder()
    private let state = Lock(Tally())

    var tally: Tally {
        var tally = state.withLock { $0 }
        tally.encoded = coder.encodeCount
        return tally
    }

    func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
        state.withLock { $0.begun += 1 }
        do {
            guard let decoder = try coder.decoder(for: bytes, options: options) else { return nil }
            return Decoder(coder: self, decoder: decoder)
        } catch {
            state.withLock { $0.refused += 1 }
            throw error
        }
    }

    func encoder(for format: ImageFormat) -> (any ImageEncoder)? { coder.encoder(for: format) }

    private struct Decoder: ImageDecoder {
        let coder: TallyingCoder
        let decoder: any ImageDecoder

        var info: ImageInfo {
            get throws { try decoder.info }
        }

        func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
            try decoder.decode(frame: frame, into: &sink, job: job)
            coder.state.withLock { $0.decoded += 1 }
        }
    }
}
