import Calotype

/// A coder under test, with one of its samples.
struct CoderSubject: Sendable {
    let coder: any ImageCoder
    let sample: CoderSample

    /// The number of bytes at the beginning of a file that identify its format.
    static let headByteCount = 64

    /// Returns a decoder for `data`, by default for the sample. Throws a breach if the coder declines the bytes.
    func decoder(of data: Data? = nil, _ context: ImageContext = []) throws -> any ImageDecoder {
        let bytes = ImageBytes(data ?? sample.data)
        guard let decoder = try coder.decoder(for: bytes, options: Self.options(context)) else {
            throw Breach(
                expected: "a decoder", but: "`decoder(for:)` returned nil, as for a foreign file",
                advice: "decide by the signature alone, and throw where the rest is wrong")
        }
        return decoder
    }

    /// Returns a frame of the sample as the coder delivers it, without orientation or conversion.
    func picture(_ frame: Int = 0, _ context: ImageContext = []) throws -> PixelBuffer {
        try decoder(of: nil, context).probe(frame: frame).picture()
    }

    /// Returns a manager that has only this coder and caches no images.
    func makeManager() -> ImageManager {
        ImageManager(
            plugins: [Plugin(name: coder.name) { [coder] in $0.coders.add(coder) }], context: [.off(.imageCache)])
    }

    static func options(_ context: ImageContext) -> DecodeOptions { DecodeOptions(ResolvedContext(context)) }
}
