/// Makes an image larger or smaller.
public struct ResizeTransformer: Transformer {
    /// How a picture of another shape is brought into the size.
    public enum Mode: String, Sendable, CaseIterable {
        /// All of it inside the size, which it touches with two sides.
        case fit
        /// The size all covered, what is too much cut off evenly at both ends.
        case fill
        /// Exactly the size, its shape given up.
        case stretch
    }

    /// The size in pixels.
    public let size: PixelSize
    /// How a picture of another shape is brought into it.
    public let mode: Mode
    /// Whether a smaller picture is enlarged.
    public let isEnlarging: Bool

    /// A transformer to a size.
    /// - Parameters:
    ///   - size: The size in pixels. A side of 0 does not limit, where the mode is `.fit`; it is an error in others.
    ///   - mode: How a picture of another shape is brought into it. Default: `.fit`.
    ///   - enlarging: Whether a smaller picture is enlarged. Default: yes.
    public init(size: PixelSize, mode: Mode = .fit, enlarging: Bool = true) {
        self.size = size
        self.mode = mode
        isEnlarging = enlarging
    }

    public var key: String {
        "resize(\(size),\(mode.rawValue)\(isEnlarging ? "" : ",shrink"))"
    }

    public func transform(_ image: Image, context: TransformContext) throws -> Image {
        guard size.width >= 0, size.height >= 0, mode == .fit ? size != PixelSize(0, 0) : !size.isEmpty else {
            throw ImageError(
                .transformFailed, stage: .transform, message: "cannot resize to \(size)",
                advice: "give both sides; only \(Mode.fit.rawValue) takes one of them as 0")
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

    /// Resamples just the part that will be seen.
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
        return image.replacing(pixels: try image.pixels.resampled(to: target, region: region, job: context.job))
    }
}

extension Transformer where Self == ResizeTransformer {
    /// Makes an image `width` times `height` pixels large. See ``ResizeTransformer``.
    public static func resize(
        width: Int, height: Int, mode: ResizeTransformer.Mode = .fit, enlarging: Bool = true
    ) -> ResizeTransformer {
        ResizeTransformer(size: PixelSize(width: width, height: height), mode: mode, enlarging: enlarging)
    }
}

extension TransformerRecipe {
    /// `resize(320x240)`, `resize(320x240,fill)`, `resize(320x240,fit,shrink)`.
    static let resize = TransformerRecipe(
        name: "resize", syntax: "resize(WIDTHxHEIGHT[,fit|fill|stretch][,shrink])"
    ) { arguments in
        guard let first = arguments.first, let size = PixelSize(contextText: first) else { return nil }
        var words = arguments.dropFirst()
        let isShrinking = words.last == "shrink"
        if isShrinking { words.removeLast() }
        guard words.count <= 1 else { return nil }
        guard let word = words.first else { return ResizeTransformer(size: size, enlarging: !isShrinking) }
        guard let mode = ResizeTransformer.Mode(rawValue: word) else { return nil }
        return ResizeTransformer(size: size, mode: mode, enlarging: !isShrinking)
    }
}
