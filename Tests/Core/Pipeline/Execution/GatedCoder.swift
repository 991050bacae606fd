import Calotype
import CalotypeTesting

/// A coder of raw pictures that blocks each decode at a separate gate, and records concurrent decodes. A picture is
/// identified by its width.
final class GatedCoder: ImageCoder {
    /// The beginning of a decode.
    struct Beginning: Equatable {
        let width: Int
        /// The decodes that were in progress.
        let others: Set<Int>
    }

    private struct State {
        var gates: [Int: BlockingGate] = [:]
        var active: Set<Int> = []
        var beginnings: [Beginning] = []
        var decoderCount = 0
    }

    let formats = [RawImageCoder.format]
    private let coder = RawImageCoder()
    private let state = Lock(State())

    /// The decodes so far, in the order of their beginning.
    var beginnings: [Beginning] { state.withLock { $0.beginnings } }
    /// The widths of those decodes.
    var widths: [Int] { beginnings.map(\.width) }

    /// The number of created decoders.
    var decoderCount: Int { state.withLock { $0.decoderCount } }

    /// Returns the gate of pictures with a width.
    func gate(_ width: Int) -> BlockingGate {
        state.withLock { state in
            let gate = state.gates[width] ?? BlockingGate()
            state.gates[width] = gate
            return gate
        }
    }

    func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
        guard let decoder = try coder.decoder(for: bytes, options: options) else { return nil }
        state.withLock { $0.decoderCount += 1 }
        return Decoder(coder: self, decoder: decoder)
    }

    private struct Decoder: ImageDecoder {
        let coder: GatedCoder
        let decoder: any ImageDecoder

        var info: ImageInfo {
            get throws { try decoder.info }
        }

        func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
            let width = try decoder.info.pixelSize.width
            coder.state.withLock { state in
                state.beginnings.append(Beginning(width: width, others: state.active))
                state.active.insert(width)
            }
            defer { coder.state.withLock { _ = $0.active.remove(width) } }
            coder.gate(width).pass()
            try decoder.decode(frame: frame, into: &sink, job: job)
        }
    }
}
