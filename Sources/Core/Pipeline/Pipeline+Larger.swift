extension Pipeline {
    /// A picture in memory that is as large as the request wants it, or larger, where it says that this will do; the
    /// smallest of them.
    ///
    /// As it is: cut to size it would have been resampled twice, which is no picture for the request's key, and so
    /// would be cut anew for each request.
    func larger(_ resolution: Resolution, in cache: any ImageCache) -> Image? {
        let (context, wanted) = (resolution.context, resolution.variant)
        guard context[.allowLargerCached], context[.thumbnailPixelSize] != nil, context[.preservesAspectRatio],
            resolution.transformers.isEmpty
        else { return nil }
        let sizes = LargerSizes(context)
        let candidates = cache.variants(of: wanted.source).compactMap { key -> (key: VariantKey, area: Int)? in
            guard key != wanted, key.policy == wanted.policy, let area = sizes.area(of: key.variant) else { return nil }
            return (key, area)
        }
        for candidate in candidates.sorted(by: { $0.area < $1.area }) {
            guard let image = cache.image(for: candidate.key) else { continue }
            if sizes.suffices(image, isWhole: candidate.key.variant == sizes.whole) { return image }
        }
        return nil
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

    /// The most pixels that a variant can have, `Int.max` where a side is not bounded; nil for a variant that differs
    /// in more than its size.
    func area(of variant: String) -> Int? {
        guard variant != whole else { return .max }
        let values = variant.split(separator: ";")
        guard let index = values.firstIndex(where: { $0.hasPrefix(Self.sizeName) }),
            let size = PixelSize(contextText: String(values[index].dropFirst(Self.sizeName.count))),
            (values[..<index] + values[(index + 1)...]).joined(separator: ";") == rest
        else { return nil }
        return size.isEmpty ? .max : size.area
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
