extension Pipeline {
    /// Returns the key of the smallest picture in memory that is large enough for a request. Returns nil if there is
    /// none, if memory has the requested size, or if the request does not accept larger pictures.
    ///
    /// The picture must be used as it is. Reducing it would resample it a second time, and again for each request.
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

    /// Returns a picture in memory that differs from the requested one only in its size and its resampling. Prefers the
    /// smallest that is large enough, and then the largest. Returns nil if there is none.
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

/// A rule that decides whether a larger size of a picture can be used instead of a requested thumbnail.
private struct LargerSizes {
    /// The canonical text of the picture's settings, without its size.
    private let rest: String
    /// The variant of the picture that has the same settings but is not limited in size.
    let whole: String
    private let options: DecodeOptions

    private static let sizeName = "\(ContextKey.thumbnailPixelSize.name)="

    /// The names of the settings that change only the size of a picture and its resampling.
    private static let sizeNames = Set(
        ContextDeclaration.builtIn
            .filter { !$0.effects.isDisjoint(with: [.size, .resampling, .quality]) }.map { $0.name[...] })

    /// Creates the rule for a request with the given context.
    init(_ context: ResolvedContext) {
        let idle = ResolvedRequest.idleEffects(in: context)
        rest = context.identity(of: .pixels, ignoring: idle, except: [ContextKey.thumbnailPixelSize.declaration]).full
        let unbounded = context.adding(.request, [.off(.thumbnailPixelSize)])
        whole = unbounded.identity(of: .pixels, ignoring: ResolvedRequest.idleEffects(in: unbounded)).full
        options = DecodeOptions(context)
    }

    /// Returns a variant without its size and its resampling: the part that all sizes of a picture have in common.
    static func unsized(_ variant: String) -> String {
        let steps = variant.split(separator: "|", omittingEmptySubsequences: false)
        let values = steps[0].split(separator: ";").filter { !sizeNames.contains($0.prefix { $0 != "=" }) }
        return ([values.joined(separator: ";")] + steps.dropFirst().map { String($0) }).joined(separator: "|")
    }

    /// Returns whether a variant differs from the requested one only in its size.
    func includes(_ variant: String) -> Bool {
        guard !variant.isSame(as: whole) else { return true }
        let values = variant.split(separator: ";")
        guard let index = values.firstIndex(where: { $0.hasPrefix(Self.sizeName) }),
            PixelSize(contextText: String(values[index].dropFirst(Self.sizeName.count))) != nil
        else { return false }
        return (values[..<index] + values[(index + 1)...]).joined(separator: ";").isSame(as: rest)
    }

    /// Returns whether an image is large enough for the request; false if the size of the original is not known.
    /// - Parameter isWhole: Whether the image has the size of the original.
    func suffices(_ image: Image, isWhole: Bool) -> Bool {
        let size = image.attributes.orientation.displaySize(of: image.size)
        guard let full = image.attributes.originalSize ?? (isWhole ? size : nil) else { return false }
        let target = options.targetSize(
            ofUpright: full, bytesPerPixel: image.pixels.format.bytesPerPixel,
            frameCount: image.frames?.frameCount ?? 1)
        return size.width >= target.width && size.height >= target.height
    }
}
