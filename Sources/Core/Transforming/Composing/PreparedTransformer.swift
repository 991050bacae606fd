/// A transformer with the images that it needs.
struct PreparedTransformer: Transformer {
    let base: any ComposingTransformer
    private let others: [Image]
    /// The key of the transformer, and the versions of the images.
    let key: String

    /// Creates a transformer whose images are loaded.
    init(_ base: any ComposingTransformer, with others: [Image]) {
        self.base = base
        self.others = others
        key = "\(base.key)@\(others.map(Self.version).joined(separator: "+"))"
    }

    func transform(_ image: Image, context: TransformContext) throws -> Image {
        try base.transform(image, with: others, context: context)
    }

    /// Returns the version of an image: that of its source, or else a digest of its pixels.
    private static func version(of image: Image) -> String {
        if let version = image.attributes.version { return version }
        var digests: [UInt8] = []
        for y in 0..<image.height {
            image.pixels.withRow(y) { (row: RawSpan) -> Void in
                row.withUnsafeBytes { digests += SHA256.digest(of: $0) }
            }
        }
        return "\(image.size)-\(SHA256.hex(SHA256.digest(of: digests).prefix(16)))"
    }
}
