/// A transformer that makes an image larger or smaller.
public struct ResizeTransformer: RecipeTransformer {
    /// The ways in which a picture is fitted into a size with another aspect ratio.
    public enum Mode: String, Sendable, CaseIterable, ContextValue {
        /// The picture keeps its aspect ratio and gets the largest size that fits into the given size.
        case fit
        /// The picture keeps its aspect ratio and covers the given size. The excess is cut off: the anchor stays as
        /// near to the middle as possible.
        case fill
        /// The picture gets exactly the given size, and does not keep its aspect ratio.
        case stretch
        /// The picture is fitted into the given size, and the background fills the rest. The anchor says where the
        /// picture is placed.
        case pad
    }

    /// The size in pixels.
    public var size: PixelSize
    /// The way in which a picture with another aspect ratio is fitted into the size.
    public var mode: Mode
    /// Whether a smaller picture is enlarged.
    public var isEnlarging: Bool
    /// The part of the picture that stays in view in the mode `.fill`, and the place of the picture in the mode `.pad`.
    public var anchor: Anchor
    /// The color around the picture in the mode `.pad`.
    public var background: PixelColor
    /// The filter, and whether pixels are averaged in linear light. The request's settings for thumbnails do not apply
    /// here, except `thumbnailQuality` for a picture that is resized while it is decoded.
    public var resampling: Resampling

    /// Creates a transformer that resizes images.
    /// - Parameters:
    ///   - size: The size in pixels. In the mode `.fit`, one side may be 0: that side does not limit the picture. In
    ///     other modes, a side of 0 is an error.
    ///   - mode: The way in which a picture with another aspect ratio is fitted into the size. Default: `.fit`.
    ///   - enlarging: Whether a smaller picture is enlarged. Default: true.
    ///   - anchor: The part of the picture that stays in view in the mode `.fill`, such as a face, and the place of the
    ///     picture in the mode `.pad`. Default: `.center`.
    ///   - background: The color around the picture in the mode `.pad`. Default: transparent.
    ///   - filter: The filter that computes new pixels. Default: `.lanczos3`.
    ///   - linear: Whether pixels are averaged in linear light. Default: false.
    public init(
        size: PixelSize, mode: Mode = .fit, enlarging: Bool = true, anchor: Anchor = .center,
        background: PixelColor = .clear, filter: ResamplingFilter = .lanczos3, linear: Bool = false
    ) {
        self.size = size
        self.mode = mode
        isEnlarging = enlarging
        self.anchor = anchor
        self.background = background
        resampling = Resampling(filter: filter, linear: linear)
    }

    public static let recipe = TransformerRecipe(
        "resize", defaults: ResizeTransformer(size: PixelSize(0, 0)), summary: "Makes an image larger or smaller.",
        parameters: [
            .required("size", \.size, summary: "The size in pixels; with fit, one side may be 0."),
            .optional("mode", \.mode, isLabeled: false, summary: "How a picture of another shape is fitted."),
            .optional("enlarging", \.isEnlarging, summary: "Whether a smaller picture is enlarged."),
            .optional("anchor", \.anchor, summary: "What stays in view with fill; the place of the picture with pad."),
            .optional("background", \.background, summary: "The color around the picture with pad."),
            .optional("filter", \.resampling.filter, summary: "The filter that computes new pixels."),
            .optional("linear", \.resampling.isLinear, summary: "Whether pixels are averaged in linear light."),
        ])

    public func transform(_ image: Image, context: TransformContext) throws -> Image {
        guard isValid else {
            throw ImageError(
                .transformFailed, stage: .transform, message: "cannot resize to \(size): the size is invalid",
                advice: "pass sides of at least 1; only the mode `\(Mode.fit.rawValue)` accepts 0 for one of them")
        }
        guard mode != .pad else { return try pad(image, context: context) }
        var region = region(of: image.size)
        if mode == .fill, anchor.isSearched {
            // The size of the part is known before its place.
            try context.check(region.size)
            let part = (width: region.columns.length, height: region.rows.length)
            region.move(to: try anchor.origin(of: part, in: context.firstFrame ?? image.pixels, job: context.job))
        }
        return try resample(image, region, context: context)
    }

    /// Whether the size has pixels, and only the mode `.fit` leaves out a side.
    private var isValid: Bool {
        size.width >= 0 && size.height >= 0 && (mode == .fit ? size != PixelSize(0, 0) : !size.isEmpty)
    }

    /// Returns the image resized with the mode `.pad`.
    private func pad(_ image: Image, context: TransformContext) throws(ImageError) -> Image {
        try context.check(size)
        let fitted = try resample(image, region(of: image.size), context: context)
        guard fitted.size != size else { return fitted }
        let (x, y) = anchor.offset(of: fitted.size, in: size)
        let layout = PixelLayout(
            size: size, format: fitted.pixels.format, isOpaque: background.alpha >= 1 && fitted.pixels.isOpaque,
            isGray: fitted.pixels.isGray && background.isGray)
        var canvas = try PixelBufferBuilder(layout, isZeroed: false)
        try canvas.fill(background, job: context.job)
        try canvas.draw(fitted.pixels, x: x, y: y, mode: .copy, job: context.job)
        return image.replacing(pixels: canvas.finish())
    }

    private func resample(
        _ image: Image, _ region: ResampledRegion, context: TransformContext
    ) throws(ImageError) -> Image {
        try context.check(region.size)
        return image.replacing(
            pixels: try image.pixels.resampled(region, resampling, job: context.job))
    }
}

extension ResizeTransformer: RegionTransformer {
    /// The whole transformation, unless the anchor is looked for in the pixels. In the mode `.pad`, the part fits the
    /// picture into the size without the background.
    package var regionPart: ResizeTransformer? {
        guard isValid, mode != .fill || !anchor.isSearched else { return nil }
        var part = self
        if mode == .pad { part.mode = .fit }
        return part
    }

    package var regionResampling: Resampling? { resampling }

    package func region(of picture: PixelSize) -> ResampledRegion {
        switch mode {
        case .fit, .pad:
            return ResampledRegion(of: picture, resampledTo: picture.fitting(size, enlarging: isEnlarging))
        case .stretch:
            let smaller = PixelSize(width: min(size.width, picture.width), height: min(size.height, picture.height))
            return ResampledRegion(of: picture, resampledTo: isEnlarging ? size : smaller)
        case .fill:
            return filledRegion(of: picture)
        }
    }

    /// Returns the region that the mode `.fill` does not cut off.
    private func filledRegion(of picture: PixelSize) -> ResampledRegion {
        let (width, height) = (Double(picture.width), Double(picture.height))
        let cover = max(Double(size.width) / width, Double(size.height) / height)
        let scale = isEnlarging ? cover : min(cover, 1)
        func covered(_ length: Double, atMost limit: Int) -> Int {
            min(limit, Int(exactly: max(1, (length * scale).rounded())) ?? .max)
        }
        let target = PixelSize(
            width: covered(width, atMost: size.width), height: covered(height, atMost: size.height))
        let seen = (width: min(width, Double(target.width) / scale), height: min(height, Double(target.height) / scale))
        var region = ResampledRegion(
            of: picture, columns: 0..<seen.width, rows: 0..<seen.height, resampledTo: target)
        region.move(to: anchor.origin(of: seen, in: (width, height)))
        return region
    }
}

extension Transformer where Self == ResizeTransformer {
    /// Returns a transformer that resizes an image to `width` by `height` pixels, in the way that `mode` defines. See
    /// ``ResizeTransformer``.
    public static func resize(
        width: Int, height: Int, mode: ResizeTransformer.Mode = .fit, enlarging: Bool = true, anchor: Anchor = .center,
        background: PixelColor = .clear, filter: ResamplingFilter = .lanczos3, linear: Bool = false
    ) -> ResizeTransformer {
        ResizeTransformer(
            size: PixelSize(width: width, height: height), mode: mode, enlarging: enlarging, anchor: anchor,
            background: background, filter: filter, linear: linear)
    }
}
