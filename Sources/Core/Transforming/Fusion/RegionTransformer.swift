/// A transformer that can work while the picture is decoded, because it only keeps a region and resamples it.
package protocol RegionTransformer: Transformer {
    /// The first part of the transformation, which keeps a region and resamples it; nil if there is none. If it has the
    /// key of this transformer, it is the whole transformation.
    ///
    /// The region must depend on the size of the picture only, and not on its pixels. The part can precede the whole
    /// transformation without changing its result.
    var regionPart: Self? { get }

    /// The filter of the first part; nil if it only copies pixels.
    var regionResampling: Resampling? { get }

    /// Returns the region that is kept of a picture, and the size of the result. Throws `transformFailed` if the region
    /// has no pixels.
    func region(of size: PixelSize) throws(ImageError) -> ResampledRegion
}
