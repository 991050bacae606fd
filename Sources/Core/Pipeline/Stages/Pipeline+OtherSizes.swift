extension Pipeline {
    /// The key of a picture in memory that is larger than the request wants it, where that says that this will do; the
    /// smallest of them. Nil also where memory has the very size.
    ///
    /// As it is: cut to size it would have been resampled twice, which is no picture for the request's key, and so
    /// would be cut anew for each request. Judged by looks that count as no use: most of the pictures stay unused.
    func larger(_ request: ResolvedRequest, in cache: any ImageCache) -> VariantKey? {
        guard request.takesLarger else { return nil }
        let wanted = request.variant
        let keys = cache.variants(of: wanted.source)
        guard !keys.contains(wanted) else { return nil }
        let sizes = LargerSizes(request.context)
        var smallest: (key: VariantKey, area: Int)?
        for key in keys where key.policy.isSame(as: wanted.policy) && sizes.includes(key.variant) {
            guard let image = cache.peek(at: key), sizes.suffices(image, isWhole: key.variant.isSame(as: sizes.whole)),
                mayAnswer(request, chosenBy: image.storage.attributes.vary)
            else { continue }
            if smallest.map({ image.size.area < $0.area }) ?? true { smallest = (key, image.size.area) }
        }
        return smallest?.key
    }

    /// A picture in memory that differs from the request's in its size alone, and in how that is made: the smallest
    /// that is large enough, else the largest. Nil also where the request does not ask memory.
    ///
    /// Looks count as no use here too.
    func otherSize(_ request: ResolvedRequest) -> Image? {
        guard request.queriesMemory, let cache = request.cache else { return nil }
        let wanted = request.variant
        let picture = LargerSizes.unsized(wanted.variant)
        let sizes = LargerSizes(request.context)
        var sufficing: Image?
        var largest: Image?
        for key in cache.variants(of: wanted.source)
        where key.policy.isSame(as: wanted.policy) && LargerSizes.unsized(key.variant).isSame(as: picture) {
            guard let image = cache.peek(at: key),
                mayAnswer(request, chosenBy: image.storage.attributes.vary)
            else { continue }
            if sizes.suffices(image, isWhole: key.variant.isSame(as: sizes.whole)) {
                if sufficing.map({ image.size.area < $0.size.area }) ?? true { sufficing = image }
            } else if largest.map({ image.size.area > $0.size.area }) ?? true {
                largest = image
            }
        }
        return sufficing ?? largest
    }
}

/// The pictures that can replace a thumbnail.
private struct LargerSizes {
    /// The settings of the picture, apart from its size.
    private let rest: String
    /// The variant of the whole picture to which the same is done.
    let whole: String
    private let options: DecodeOptions

    private static let sizeName = "\(ContextKey.thumbnailPixelSize.name)="

    /// The names of settings that make a picture smaller and do not change it otherwise.
    private static let sizeNames = Set(
        ContextDeclaration.builtIn.filter { !$0.effects.isDisjoint(with: [.size, .resampling]) }.map { $0.name[...] })

    /// - Parameter context: The values of a request for a thumbnail, without transformers.
    init(_ context: ResolvedContext) {
        rest = context.identity(of: .pixels, except: [ContextKey.thumbnailPixelSize.declaration]).full
        let unbounded = context.adding(.request, [.off(.thumbnailPixelSize)])
        whole = unbounded.identity(of: .pixels, ignoring: ResolvedRequest.idleEffects(in: unbounded)).full
        options = DecodeOptions(context)
    }

    /// A variant without its size and how it is made: what all sizes of a picture have in common.
    static func unsized(_ variant: String) -> String {
        let steps = variant.split(separator: "|", omittingEmptySubsequences: false)
        let values = steps[0].split(separator: ";").filter { !sizeNames.contains($0.prefix { $0 != "=" }) }
        return ([values.joined(separator: ";")] + steps.dropFirst().map { String($0) }).joined(separator: "|")
    }

    /// Whether a variant differs in no more than its size.
    func includes(_ variant: String) -> Bool {
        guard !variant.isSame(as: whole) else { return true }
        let values = variant.split(separator: ";")
        guard let index = values.firstIndex(where: { $0.hasPrefix(Self.sizeName) }),
            PixelSize(contextText: String(values[index].dropFirst(Self.sizeName.count))) != nil
        else { return false }
        return (values[..<index] + values[(index + 1)...]).joined(separator: ";").isSame(as: rest)
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
