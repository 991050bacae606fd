/// A transformer that makes an image larger or smaller.
public struct ResizeTransformer: Transformer {
    /// The ways in which a picture is fitted into a size with another aspect ratio.
    public enum Mode: String, Sendable, CaseIterable {
        /// The picture keeps its aspect ratio and gets the largest size that fits into the given size.
        case fit
        /// The picture keeps its aspect ratio and covers the given size. The excess is cut off evenly on two opposite
        /// sides.
        case fill
        /// The picture gets exactly the given size, and does not keep its aspect ratio.
        case stretch
    }

    /// The size in pixels.
    public let size: PixelSize
    /// The way in which a picture with another aspect ratio is fitted into the size.
    public let mode: Mode
    /// Whether a smaller picture is enlarged.
    public let isEnlarging: Bool
    /// The filter, and whether pixels are averaged in linear light. The request's settings for thumbnails do not apply
    /// here.
    public let resampling: Resampling

    /// Creates a transformer that resizes images.
    /// - Parameters:
    ///   - size: The size in pixels. In the mode `.fit`, one side may be 0: that side does not limit the picture. In
    ///     other modes, a side of 0 is an error.
    ///   - mode: The way in which a picture with another aspect ratio is fitted into the size. Default: `.fit`.
    ///   - enlarging: Whether a smaller picture is enlarged. Default: true.
    ///   - filter: The filter that computes new pixels. Default: `.lanczos3`.
    ///   - linear: Whether pixels are averaged in linear light. Default: false.
    public init(
        size: PixelSize, mode: Mode = .fit, enlarging: Bool = true, filter: ResamplingFilter = .lanczos3,
        linear: Bool = false
    ) {
        self.size = size
        self.mode = mode
        isEnlarging = enlarging
        resampling = Resampling(filter: filter, linear: linear)
    }

    public var key: String {
        var words = ["\(size)", mode.rawValue]
        if !isEnlarging { words.append("shrink") }
        if resampling.filter != Resampling().filter { words.append(resampling.filter.rawValue) }
        if resampling.isLinear { words.append("linear") }
        return "resize(\(words.joined(separator: ",")))"
    }

    public func transform(_ image: Image, context: TransformContext) throws -> Image {
        guard size.width >= 0, size.height >= 0, mode == .fit ? size != PixelSize(0, 0) : !size.isEmpty else {
            throw ImageError(
                .transformFailed, stage: .transform, message: "cannot resize to \(size): the size is invalid",
                advice: "pass sides of at least 1; only the mode `\(Mode.fit.rawValue)` accepts 0 for one of them")
        }
        let source = image.size
        switch mode {
        case .fit:
            return try resample(image, to: source.fitting(size, enlarging: isEnlarging), context: context)
        case .stretch:
            let smaller = PixelSize(width: min(size.width, source.width), height: min(size.height, source.height))
            return try resample(image, to: isEnlarging ? size : smaller, context: context)
        case .fill:
            return try fill(image, context: context)
        }
    }

    /// Returns the image resized with the mode `.fill`. Resamples only the part that is not cut off.
    private func fill(_ image: Image, context: TransformContext) throws(ImageError) -> Image {
        let (width, height) = (Double(image.width), Double(image.height))
        let cover = max(Double(size.width) / width, Double(size.height) / height)
        let scale = isEnlarging ? cover : min(cover, 1)
        func covered(_ length: Double, atMost limit: Int) -> Int {
            min(limit, Int(exactly: max(1, (length * scale).rounded())) ?? .max)
        }
        let target = PixelSize(
            width: covered(width, atMost: size.width), height: covered(height, atMost: size.height))
        try context.check(target)
        let seen = (width: min(width, Double(target.width) / scale), height: min(height, Double(target.height) / scale))
        let left = (width - seen.width) / 2
        let top = (height - seen.height) / 2
        return try resample(
            image, to: target, region: (left..<left + seen.width, top..<top + seen.height), context: context)
    }

    private func resample(
        _ image: Image, to target: PixelSize, region: (x: Range<Double>, y: Range<Double>)? = nil,
        context: TransformContext
    ) throws(ImageError) -> Image {
        try context.check(target)
        return image.replacing(
            pixels: try image.pixels.resampled(
                to: target, region: region, resampling: resampling, job: context.job))
    }
}

extension Transformer where Self == ResizeTransformer {
    /// Returns a transformer that resizes an image to `width` by `height` pixels, in the way that `mode` defines. See
    /// ``ResizeTransformer``.
    public static func resize(
        width: Int, height: Int, mode: ResizeTransformer.Mode = .fit, enlarging: Bool = true,
        filter: ResamplingFilter = .lanczos3, linear: Bool = false
    ) -> ResizeTransformer {
        ResizeTransformer(
            size: PixelSize(width: width, height: height), mode: mode, enlarging: enlarging, filter: filter,
            linear: linear)
    }
}

extension TransformerRecipe {
    /// The recipe of ``ResizeTransformer``, for example `resize(320x240)` or `resize(320x240,fit,shrink)`.
    static let resize = TransformerRecipe(name: "resize", syntax: resizeSyntax) { arguments in
        guard let first = arguments.first, let size = PixelSize(contextText: first) else { return nil }
        var words = arguments.dropFirst()
        /// Removes the next word and returns its meaning. Returns nil and removes nothing if it has none.
        func next<Value>(_ meaning: (String) -> Value?) -> Value? {
            guard let value = words.first.flatMap(meaning) else { return nil }
            words.removeFirst()
            return value
        }
        let mode = next(ResizeTransformer.Mode.init(rawValue:)) ?? .fit
        let isShrinking = next { $0 == "shrink" ? true : nil } ?? false
        let filter = next(ResamplingFilter.init(rawValue:)) ?? Resampling().filter
        let isLinear = next { $0 == "linear" ? true : nil } ?? false
        guard words.isEmpty else { return nil }
        return ResizeTransformer(size: size, mode: mode, enlarging: !isShrinking, filter: filter, linear: isLinear)
    }

    private static var resizeSyntax: String {
        let modes = ResizeTransformer.Mode.allCases.map(\.rawValue).joined(separator: "|")
        let filters = ResamplingFilter.allCases.map(\.rawValue).joined(separator: "|")
        return "resize(WIDTHxHEIGHT[,\(modes)][,shrink][,\(filters)][,linear])"
    }
}
