/// A transformer with the images that it needs.
struct PreparedTransformer: Transformer {
    let base: any ComposingTransformer
    private let others: [Image]
    /// The key of the transformer, with the URLs of the images as they are shown, and digests of their contents.
    let key: String

    /// Creates a transformer whose images are loaded.
    /// - Parameter job: Checked for each row of an image whose digest is not known yet.
    init(_ base: any ComposingTransformer, with others: [Image], job: Job) throws(ImageError) {
        self.base = base
        self.others = others
        var digests: [String] = []
        for other in others { digests.append(try other.contentDigest(job: job)) }
        key = "\(base.shownKey)@\(digests.joined(separator: "+"))"
    }

    func transform(_ image: Image, context: TransformContext) throws -> Image {
        try base.transform(image, with: others, context: context)
    }
}

extension Image {
    /// Returns a digest of the pixels, which all copies of the image remember.
    fileprivate func contentDigest(job: Job) throws(ImageError) -> String {
        if let known = storage.contentDigest.withLock({ $0 }) { return known }
        var digests: [UInt8] = Array("\(size) \(pixels.format) \(attributes.orientation)".utf8)
        for y in 0..<pixels.height {
            try job.check()
            pixels.withRow(y) { (row: RawSpan) -> Void in
                row.withUnsafeBytes { digests += SHA256.digest(of: $0) }
            }
        }
        let digest = SHA256.hex(SHA256.digest(of: digests).prefix(16))
        storage.contentDigest.withLock { $0 = digest }
        return digest
    }
}
