public import Calotype

/// A transformer that places a picture on a larger canvas.
public struct ExtendTransformer: RecipeTransformer {
    /// The ways in which the canvas around a picture is filled.
    public enum Edge: String, Sendable, CaseIterable, ContextValue {
        /// With the background color.
        case color
        /// With the pixels at the edge of the picture.
        case copy
        /// With mirrored copies of the picture.
        case mirror
        /// With the picture, enlarged to cover the canvas and blurred.
        case blur
    }

    /// The canvas.
    public var area: ExtendArea
    /// The way in which the canvas around the picture is filled.
    public var edge: Edge
    /// The place of the picture on the canvas, if the area is a size or an aspect ratio.
    public var anchor: Anchor
    /// The color around the picture for the edge `.color`.
    public var background: PixelColor
    /// The standard deviation of the blur in pixels, for the edge `.blur`.
    public var sigma: Double

    /// Creates a transformer that places images on larger canvases.
    /// - Parameters:
    ///   - area: The canvas.
    ///   - edge: The way in which the canvas around the picture is filled. Default: `.color`.
    ///   - anchor: The place of the picture on the canvas, if `area` is a size or an aspect ratio. Default: `.center`.
    ///   - background: The color around the picture for the edge `.color`. Default: transparent.
    ///   - sigma: The standard deviation of the blur in pixels, for the edge `.blur`: 0 to 1,000. Default: 20.
    public init(
        _ area: ExtendArea, edge: Edge = .color, anchor: Anchor = .center, background: PixelColor = .clear,
        sigma: Double = 20
    ) {
        self.area = area
        self.edge = edge
        self.anchor = anchor
        self.background = background
        self.sigma = sigma
    }

    public static let recipe = TransformerRecipe(
        "extend", defaults: ExtendTransformer(.margins(Margins(0))), summary: "Places the picture on a larger canvas.",
        parameters: [
            .required("area", \.area, summary: "The canvas: margins or its size, in pixels, or its shape."),
            .optional("edge", \.edge, isLabeled: false, summary: "How the canvas around the picture is filled."),
            .optional("anchor", \.anchor, summary: "The place of the picture on a canvas of a given size or shape."),
            .optional("background", \.background, summary: "The color around the picture, for the edge color."),
            .optional("sigma", \.sigma, in: 0...1000, summary: "The width of the blur, for the edge blur."),
        ])

    public func transform(_ image: Image, context: TransformContext) throws -> Image {
        try checkParameters()
        let size = canvasSize(for: image.size)
        guard size != image.size else { return image }
        try context.check(size)
        let (x, y) = place(of: image.size, on: size)
        let canvas = (size: size, x: x, y: y)
        let pixels =
            switch edge {
            case .color: try draw(image.pixels, at: canvas, over: nil, job: context.job)
            case .blur: try draw(image.pixels, at: canvas, over: blurred(image, canvas.size, context), job: context.job)
            case .copy: try repeated(image.pixels, at: canvas, { min(max($0, 0), $1 - 1) }, job: context.job)
            case .mirror: try repeated(image.pixels, at: canvas, Self.mirrored, job: context.job)
            }
        return image.replacing(pixels: pixels)
    }

    /// Returns the size of the canvas for a picture.
    private func canvasSize(for size: PixelSize) -> PixelSize {
        switch area {
        case .margins(let margins):
            return PixelSize(
                width: size.width + margins.left + margins.right, height: size.height + margins.top + margins.bottom)
        case .size(let least):
            return PixelSize(width: max(size.width, least.width), height: max(size.height, least.height))
        case .aspectRatio(let width, let height):
            let ratio = Double(width) / Double(height)
            func length(_ exact: Double, atLeast least: Int) -> Int {
                max(least, Int(exactly: exact.rounded()) ?? .max)
            }
            return PixelSize(
                width: length(Double(size.height) * ratio, atLeast: size.width),
                height: length(Double(size.width) / ratio, atLeast: size.height))
        }
    }

    /// Returns the place of a picture on the canvas.
    private func place(of size: PixelSize, on canvas: PixelSize) -> (x: Int, y: Int) {
        if case .margins(let margins) = area { return (margins.left, margins.top) }
        return anchor.offset(of: size, in: canvas)
    }

    /// Returns the pixels on the background color, or on other pixels.
    private func draw(
        _ pixels: PixelBuffer, at canvas: (size: PixelSize, x: Int, y: Int), over backdrop: PixelBuffer?, job: Job
    ) throws(ImageError) -> PixelBuffer {
        guard let backdrop else {
            let layout = PixelLayout(
                size: canvas.size, format: pixels.format, isOpaque: pixels.isOpaque && background.alpha >= 1,
                isGray: pixels.isGray && background.isGray)
            var builder = try PixelBufferBuilder(mapping: pixels, to: layout)
            try builder.fill(background, job: job)
            try builder.draw(pixels, x: canvas.x, y: canvas.y, mode: .copy, job: job)
            return builder.finish()
        }
        var builder = try PixelBufferBuilder(copying: backdrop)
        try builder.draw(pixels, x: canvas.x, y: canvas.y, job: job)
        return builder.finish(isOpaque: backdrop.isOpaque, isGray: backdrop.isGray)
    }

    /// Returns the picture enlarged to cover the canvas, and blurred.
    private func blurred(_ image: Image, _ size: PixelSize, _ context: TransformContext) throws -> PixelBuffer {
        let cover = ResizeTransformer(size: size, mode: .fill, filter: .bilinear)
        return try BlurTransformer(sigma: sigma).transform(cover.transform(image, context: context), context: context)
            .pixels
    }

    /// Returns the pixels with copies of them around.
    /// - Parameter place: Returns the place along a line that a place beyond its ends is a copy of.
    private func repeated(
        _ pixels: PixelBuffer, at canvas: (size: PixelSize, x: Int, y: Int),
        _ place: (_ place: Int, _ length: Int) -> Int, job: Job
    ) throws(ImageError) -> PixelBuffer {
        var layout = pixels.layout
        layout.size = canvas.size
        var builder = try PixelBufferBuilder(mapping: pixels, to: layout)
        let byteCount = pixels.format.bytesPerPixel
        let columns = (0..<canvas.size.width).map { place($0 - canvas.x, pixels.width) * byteCount }
        let inside = canvas.x..<canvas.x + pixels.width
        for y in 0..<canvas.size.height {
            try job.check()
            pixels.withRow(place(y - canvas.y, pixels.height)) { (source: RawSpan) -> Void in
                source.withUnsafeBytes { source in
                    builder.withRow(y) { (target: inout MutableRawSpan) -> Void in
                        target.withUnsafeMutableBytes { target in
                            let (from, to) = (source.baseAddress!, target.baseAddress!)
                            (to + inside.lowerBound * byteCount).copyMemory(from: from, byteCount: source.count)
                            for range in [0..<inside.lowerBound, inside.upperBound..<columns.count] {
                                for column in range {
                                    (to + column * byteCount).copyMemory(
                                        from: from + columns[column], byteCount: byteCount)
                                }
                            }
                        }
                    }
                }
            }
        }
        return builder.finish()
    }

    /// Returns the place along a line of which a place beyond its ends is a mirror image. The pixels at the ends are
    /// repeated.
    private static func mirrored(_ place: Int, _ length: Int) -> Int {
        let within = ((place % (2 * length)) + 2 * length) % (2 * length)
        return within < length ? within : 2 * length - 1 - within
    }
}

extension Transformer where Self == ExtendTransformer {
    /// Returns a transformer that places an image on a larger canvas. See ``ExtendTransformer``.
    public static func extend(
        _ area: ExtendArea, edge: ExtendTransformer.Edge = .color, anchor: Anchor = .center,
        background: PixelColor = .clear, sigma: Double = 20
    ) -> ExtendTransformer {
        ExtendTransformer(area, edge: edge, anchor: anchor, background: background, sigma: sigma)
    }
}
