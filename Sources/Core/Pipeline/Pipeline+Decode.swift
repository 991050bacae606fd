/// Which original is decoded, and how.
struct DecodeKey: Hashable, Sendable {
    let original: OriginalKey
    /// The canonical text of the values that change what is decoded.
    let decoding: String

    init(_ resolution: Resolution, ignoringCache: Bool) {
        original = OriginalKey(resolution, ignoringCache: ignoringCache)
        decoding = resolution.decoding
    }
}

extension Pipeline {
    /// The original as an image, at the size that is asked for.
    func decoded(_ key: DecodeKey, _ resolution: Resolution, interest: Interest) async throws -> Product {
        try await decodes.value(for: key, interest: interest) { interest in
            let original = try await self.original(key.original, resolution, interest: interest)
            let decoded =
                switch original.content {
                case .bytes(let bytes):
                    try await self.decode(bytes, context: resolution.context, resolution, interest: interest)
                case .image(let image):
                    try await self.cut(image, resolution, interest: interest)
                }
            self.storeOriginal(original, image: decoded.image, resolution)
            return Product(
                image: decoded.image, original: original, source: original.source,
                steps: original.steps + [decoded.step], claims: Claims())
        }
    }

    /// Decodes bytes on the lane for it.
    func decode(
        _ bytes: ImageBytes, context: ResolvedContext, _ resolution: Resolution, interest: Interest
    ) async throws -> (image: Image, step: ImageMetrics.Step) {
        let (image, coder, start) = try await lanes.decoding.run(for: interest, job: Job()) { job in
            let start = self.time.now()
            let (image, coder) = try self.decode(bytes, context: context, job: job) { self.note($0, of: resolution) }
            return (image, coder, start)
        }
        return (image, note(.decode, of: resolution, component: coder, since: start, byteCount: image.byteCount))
    }

    /// Cuts an image that a loader or a cache had ready to the size that is asked for.
    private func cut(
        _ image: Image, _ resolution: Resolution, interest: Interest
    ) async throws -> (image: Image, step: ImageMetrics.Step) {
        let options = DecodeOptions(resolution.context)
        let (made, start) = try await lanes.decoding.run(for: interest, job: Job()) { [time] job in
            let start = time.now()
            try DecodeLimits(resolution.context).check(image.size)
            return (try image.cut(to: options, job: job), start)
        }
        return (made, note(.decode, of: resolution, since: start, byteCount: made.byteCount))
    }

    /// Decodes with the first coder that can. Throws what the last one threw, with the list of who was asked.
    ///
    /// Blocks; runs on whatever thread calls it.
    /// - Parameter onIssue: Told of what is wrong with the file but does not keep it from being decoded.
    func decode(
        _ bytes: ImageBytes, context: ResolvedContext, job: Job, onIssue: (ImageError) -> Void = { _ in }
    ) throws -> (image: Image, coder: String) {
        let options = DecodeOptions(context)
        return try firstCoder(for: bytes, options: options) { decoder, coder in
            try job.check()
            let info = try decoder.info
            try DecodeLimits(context).check(info.pixelSize)
            let frame = context[.frame]
            guard (0..<info.frameCount).contains(frame) else {
                throw ImageError(
                    .noSuchFrame, stage: .decode, component: coder.name,
                    message: "there is no frame \(frame), the image has \(info.frameCount)",
                    advice: "frames are counted from 0")
            }
            let (converter, profile) = colors(of: info, options: options, onIssue: onIssue)
            var rows = RowPipeline(info: info, options: options, converter: converter, job: job)
            try decoder.decode(frame: frame, into: &rows, job: job)
            let keepsOrientation = context[.keepsOrientation]
            let attributes = Image.Attributes(
                format: info.format, originalSize: info.size, profile: profile,
                orientation: keepsOrientation ? info.orientation : .up)
            return (Image(pixels: try rows.finish(), attributes: attributes), coder.name)
        }
    }

    /// What a file says of itself, by the first coder that knows it. Blocks.
    func info(of bytes: ImageBytes, context: ResolvedContext) throws -> ImageInfo {
        try firstCoder(for: bytes, options: DecodeOptions(context)) { decoder, _ in try decoder.info }
    }

    /// What brings the colours of a file to sRGB, and the profile that the image then has.
    ///
    /// Without a converter that knows the profile, colours and profile stay as they are; a damaged one counts as sRGB.
    private func colors(
        of info: ImageInfo, options: DecodeOptions, onIssue: (ImageError) -> Void
    ) -> (converter: (any RowConverter)?, profile: ColorProfile) {
        guard info.profile != .sRGB, !options.context[.keepsProfile] else { return (nil, info.profile) }
        let format: PixelFormat = options.nativeDepth && info.bitDepth > 8 ? .rgba16 : .rgba8
        for converter in registry.colorConverters.elements {
            do {
                if let rows = try converter.rowConverter(from: info.profile, to: .sRGB, format: format) {
                    return (rows, .sRGB)
                }
            } catch {
                onIssue(
                    .wrapping(
                        error, as: .badData, stage: .decode, component: converter.name,
                        message: "the embedded colour profile is damaged, sRGB is taken instead"))
                return (nil, .sRGB)
            }
        }
        return (nil, info.profile)
    }

    /// What `body` makes with a decoder, asking the coders in turn: one that does not know the bytes is passed over,
    /// one that fails lets the next one try. A refusal by a limit, cancelling and the like end it.
    private func firstCoder<Result>(
        for bytes: ImageBytes, options: DecodeOptions,
        _ body: (any ImageDecoder, any ImageCoder) throws -> Result
    ) throws -> Result {
        let coders = options.context[.imageCoder].map { [$0] } ?? registry.coders.elements
        var refusals = RefusalList()
        var failure: ImageError?
        for coder in coders {
            do {
                guard let decoder = try coder.decoder(for: bytes, options: options) else {
                    refusals.add(coder.name, "does not know it")
                    continue
                }
                return try body(decoder, coder)
            } catch {
                let error = ImageError.wrapping(
                    error, as: .badData, stage: .decode, component: coder.name, message: "could not be decoded")
                let passesOn: Set<ImageError.Code> = [.badData, .unknownFormat]
                guard passesOn.contains(error.code) else { throw error }
                refusals.add(coder.name, "failed: \(error)")
                failure = failure ?? error
            }
        }
        throw failure ?? unknownFormat(bytes, refusals)
    }

    private func unknownFormat(_ bytes: ImageBytes, _ refusals: RefusalList) -> ImageError {
        let head = bytes.data.prefix(64)
        let installed = registry.decodableFormats.map(\.name).joined(separator: ", ")
        let advice = "installed are \(installed.isEmpty ? "no formats" : installed)"
        if let format = ImageFormat.sniff(head.bytes) {
            return ImageError(
                .unknownFormat, stage: .decode, message: "is \(format.name), which no coder took; \(refusals.summary)",
                advice: "\(advice); install a plugin for it")
        }
        let digits = head.prefix(16).map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }
        return ImageError(
            .unknownFormat, stage: .decode,
            message: "begins with \(digits.joined(separator: " ")), which is no known format; \(refusals.summary)",
            advice: advice)
    }
}

extension Image {
    /// The image at the size that the options ask for.
    fileprivate func cut(to options: DecodeOptions, job: Job) throws(ImageError) -> Image {
        guard let box = options.thumbnailPixelSize else { return self }
        let target = size.thumbnail(in: box, preservingAspectRatio: options.preservesAspectRatio)
        guard target != size else { return self }
        return replacing(pixels: try pixels.resampled(to: target, job: job))
    }
}
