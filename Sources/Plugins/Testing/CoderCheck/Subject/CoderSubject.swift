import Calotype

/// A coder with one of the files that it is tried on.
struct CoderSubject: Sendable {
    let coder: any ImageCoder
    let sample: CoderSample

    /// The number of first bytes that tell a format.
    static let headByteCount = 64

    /// A decoder for bytes, those of the sample unless others are given, which the coder is to know.
    func decoder(of data: Data? = nil, _ context: ImageContext = []) throws -> any ImageDecoder {
        let bytes = ImageBytes(data ?? sample.data)
        guard let decoder = try coder.decoder(for: bytes, options: Self.options(context)) else {
            throw Breach(
                expected: "a decoder", but: "`decoder(for:)` gave nil, as for a foreign file",
                advice: "judge by the signature alone, and throw where the rest is wrong")
        }
        return decoder
    }

    /// A frame of the sample as the coder gives it, not turned and not converted.
    func picture(_ frame: Int = 0, _ context: ImageContext = []) throws -> PixelBuffer {
        try decoder(of: nil, context).probe(frame: frame).picture()
    }

    /// A manager with this coder and no other.
    func makeManager() -> ImageManager {
        ImageManager(
            plugins: [Plugin(name: coder.name) { [coder] in $0.coders.add(coder) }], context: [.off(.imageCache)])
    }

    static func options(_ context: ImageContext) -> DecodeOptions { DecodeOptions(ResolvedContext(context)) }
}
