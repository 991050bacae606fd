extension Pipeline {
    /// The key of a picture in memory that is larger than the request wants it, where that says that this will do; the
    /// smallest of them. Nil also where memory has the very size.
    ///
    /// As it is: cut to size it would have been resampled twice, which is no picture for the request's key, and so
    /// would be cut anew for each request. Judged by looks that count as no use: most of the pictures stay unused.
    func larger(_ resolution: Resolution, in cache: any ImageCache) -> VariantKey? {
        guard resolution.takesLarger else { return nil }
        let wanted = resolution.variant
        let keys = cache.variants(of: wanted.source)
        guard !keys.contains(wanted) else { return nil }
        let sizes = LargerSizes(resolution.context)
        var smallest: (key: VariantKey, area: Int)?
        for key in keys where key.policy == wanted.policy && sizes.includes(key.variant) {
            guard let image = cache.peek(at: key), sizes.suffices(image, isWhole: key.variant == sizes.whole) else {
                continue
            }
            if smallest.map({ image.size.area < $0.area }) ?? true { smallest = (key, image.size.area) }
        }
        return smallest?.key
    }
}

/// Which pictures may stand in for a thumbnail.
private struct LargerSizes {
    /// What is done to the picture, its size aside.
    private let rest: String
    /// The variant of the whole picture to which the same is done.
    let whole: String
    private let options: DecodeOptions

    private static let sizeName = "\(ContextKey.thumbnailPixelSize.name)="

    /// - Parameter context: The values of a request for a thumbnail, without transformers.
    init(_ context: ResolvedContext) {
        rest = context.identity(of: .pixels, except: [ContextKey.thumbnailPixelSize.declaration])
        let unbounded = context.adding(.request, [.off(.thumbnailPixelSize)])
        whole = unbounded.identity(of: .pixels, except: Resolution.unused(in: unbounded))
        options = DecodeOptions(context)
    }

    /// Whether a variant differs in no more than its size.
    func includes(_ variant: String) -> Bool {
        guard variant != whole else { return true }
        let values = variant.split(separator: ";")
        guard let index = values.firstIndex(where: { $0.hasPrefix(Self.sizeName) }),
            PixelSize(contextText: String(values[index].dropFirst(Self.sizeName.count))) != nil
        else { return false }
        return (values[..<index] + values[(index + 1)...]).joined(separator: ";") == rest
    }

    /// Whether an image has at least the pixels that the request would be given: never fewer, as those of a thumbnail
    /// would be of which nobody knows how large the picture was.
    func suffices(_ image: Image, isWhole: Bool) -> Bool {
        let size = image.attributes.orientation.displaySize(of: image.size)
        guard let full = image.attributes.originalSize ?? (isWhole ? size : nil) else { return false }
        let target = options.targetSize(
            ofUpright: full, bytesPerPixel: image.pixels.format.bytesPerPixel,
            frameCount: image.frames?.frameCount ?? 1)
        return size.width >= target.width && size.height >= target.height
    }
}
