import Calotype

/// A coder that forwards to another one, and reports a damaged color profile for each picture.
struct DamagedProfileCoder: ImageCoder {
    /// The other coder.
    let coder: any ImageCoder

    var formats: [ImageFormat] { coder.formats }
    var isPureComputation: Bool { coder.isPureComputation }

    func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
        guard let decoder = try coder.decoder(for: bytes, options: options) else { return nil }
        return Decoder(decoder: decoder)
    }

    private struct Decoder: ImageDecoder {
        let decoder: any ImageDecoder

        var info: ImageInfo {
            get throws {
                var info = try decoder.info
                info.isProfileDamaged = true
                return info
            }
        }

        func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
            try decoder.decode(frame: frame, into: &sink, job: job)
        }
    }
}
