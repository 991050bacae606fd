/// The division of a request's transformers into those that are done while the picture is decoded, and the others.
///
/// A thumbnail of a file takes less work than decoding the file and making the result smaller. This makes transformers
/// such as `resize` as fast as thumbnails. The division depends only on the request, so that a key has one result.
struct Fusion: Sendable {
    /// The transformers that are done while the picture is decoded. At most one of them resamples.
    private(set) var decoded: [any RegionTransformer] = []
    /// The transformers that are applied to the decoded picture. Some do the work of several.
    let rest: [any Transformer]

    /// Divides the transformers of a context.
    init(_ context: ResolvedContext) {
        var rest = context[.transformers][...]
        // Transformers apply to the thumbnail. Animations that must not change are known only while decoding.
        if context[.thumbnailPixelSize] == nil, context[.scaleDownLimitBytes] <= 0, context[.transformsAnimations] {
            decoded = Self.takeDecoded(from: &rest)
        }
        self.rest = rest.withJoins
    }

    /// Takes the transformers that are done while the picture is decoded.
    private static func takeDecoded(from rest: inout ArraySlice<any Transformer>) -> [any RegionTransformer] {
        var decoded: [any RegionTransformer] = []
        while let step = rest.first as? any RegionTransformer, let part = step.regionPart {
            guard part.regionResampling == nil || decoded.resampling == nil else { break }
            decoded.append(part)
            // The rest of the transformer, such as a border, is done afterwards.
            guard part.key.isSame(as: step.key) else { break }
            rest.removeFirst()
        }
        return decoded
    }

    /// The filter of the transformer that resamples; nil if there is none.
    var resampling: Resampling? { decoded.resampling }
}

extension [any RegionTransformer] {
    /// The filter of the transformer that resamples; nil if there is none.
    fileprivate var resampling: Resampling? { lazy.compactMap(\.regionResampling).first }

    /// Returns the region that these transformers keep of an upright picture. Throws the errors of the transformers,
    /// and `limitExceeded` if a result is larger than the limits permit.
    func region(of picture: PixelSize, limits: DecodeLimits) throws(ImageError) -> ResampledRegion {
        var region = ResampledRegion(PixelRegion(size: picture))
        for step in self {
            do {
                let kept = try step.region(of: region.size)
                try limits.check(kept.size, stage: .transform)
                region = region.keeping(kept)
            } catch {
                throw .transformFailed(by: step, error)
            }
        }
        return region
    }
}
