import Calotype
import CalotypeTesting

/// A coder of raw pictures that counts what it is asked for.
final class TallyingCoder: ImageCoder {
    struct Tally: Equatable {
        /// Decoders that were asked for.
        var begun = 0
        /// Those of them that there are none for.
        var refused = 0
        /// Pictures that were decoded to their end.
        var decoded = 0
        /// Pictures that were written.
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
