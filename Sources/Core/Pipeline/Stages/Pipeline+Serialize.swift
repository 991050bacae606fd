// What is written to a cache: the bytes as they came, or an image encoded.
extension Pipeline {
    /// Something to be written: bytes that are there, or an image to be encoded.
    struct Write: Sendable {
        let cache: any ImageCache
        let key: VariantKey
        let image: Image?
        let bytes: ImageBytes?
        let head: LoadHead?
        /// The expiration of what it was made of.
        let expiration: Double?
        /// The replacement that was loaded with it; nil if a cache had it.
        let replacement: Replacement?
    }

    /// Returns the entry to write, made on the lane for encoding unless the bytes stay as they are.
    func serialized(
        _ write: Write, _ work: RequestWork
    ) async throws -> CacheEntry? {
        if let bytes = write.bytes {
            if bytes.isReadWhenAsked {
                _ = try await lanes.reading.run(for: work.demand, job: Job()) { _ in try bytes.whole() }
            }
            // Bytes that stay as they are need no thread, and are available to look-ups meanwhile.
            if work.request.context[.cacheSerializer] == nil { return try serialize(write, work.request) }
        }
        return try await lanes.encoding.run(for: work.demand, job: Job()) { _ in try self.serialize(write, work.request)
        }
    }

    /// The entry to write: that of the serializer, or else that of the default rule. Nil if no coder can encode it,
    /// which is reported by an event.
    private func serialize(_ write: Write, _ request: ResolvedRequest) throws -> CacheEntry? {
        // What could not be read as a whole is not stored.
        let original = try write.bytes?.whole()
        let serializer = request.context[.cacheSerializer]
        var picture = write.image
        // Before anybody decides by it. Bytes that stay as they are need no look at the pixels.
        if serializer != nil || original == nil {
            let checked = try picture?.checkingClaims(stage: .store, job: Job()) { note($0, of: request) }
            picture = checked?.checkingClaimsOfFrames()
        }
        var data = original
        if let serializer {
            do {
                let serialization = Serialization(
                    image: picture, original: original, key: write.key, context: request.context)
                data = try serializer.data(for: serialization) ?? data
            } catch {
                throw ImageError.wrapping(
                    error, as: .encodeFailed, stage: .encode, component: typeName(of: serializer),
                    message: "the cache serializer threw an error")
            }
        }
        if data == nil, let picture {
            switch try encodeByDefault(picture, request) {
            case .success(let bytes): data = bytes
            case .failure(let reason): note(reason, of: request)
            }
        }
        guard let data else { return nil }
        // Whose version the bytes are of an original, and for whom they were chosen, is in what the loader said.
        let image = write.bytes == nil ? write.image : write.image?.made(of: nil, chosenBy: nil)
        var attributes = image?.storedAttributes ?? [:]
        attributes.merge(write.head?.attributes ?? [:]) { _, new in new }
        return entry(data, attributes: attributes, within: write.expiration, request)
    }

    /// The settings by which a variant is encoded. They are no values of the request, or two requests with one key
    /// would find each other's pixels. The image has the metadata that the request wanted.
    private static let variantEncoding = ResolvedContext([.compressionQuality(0.9), .metadataPolicy(.all)])

    /// A variant's bytes by the default rule: without loss when it has alpha or more than 8 bits, or came from a format
    /// without loss; else as JPEG of quality 0.9; in whatever lossless format there is when JPEG is not. An animation
    /// as a whole or not at all, without loss if that can be. A file that lacks the image's profile is none: colours
    /// would be others when it is read. A failure, and no error, is why no coder can write the image.
    /// - Parameter image: The image, whose claims have been checked: they decide on the format.
    private func encodeByDefault(_ image: Image, _ request: ResolvedRequest) throws -> Result<Data, ImageError> {
        // Once it was asked for, all pictures of it are to have the same pixels, bright or not.
        let keepsLight = request.context[.highDynamicRange] && image.pixels.format == .rgbaFloat
        guard !keepsLight, !image.pixels.hasLightBeyondWhite else {
            return .failure(
                ImageError(
                    .encodeFailed, stage: .encode,
                    message: "the image is not stored on disk: no format holds its highlights above white",
                    advice: "store the original (`storeCacheType`), or leave out `highDynamicRange`"))
        }
        let needsLossless =
            !image.pixels.isOpaque || image.pixels.format != .rgba8 || image.attributes.format?.isLossless != false
        let formats = coders.formats
        let lossless: [ImageFormat] = [.png] + formats.filter(\.isLossless)
        let candidates: [ImageFormat] =
            if image.isAnimated {
                lossless + formats
            } else if needsLossless {
                lossless
            } else {
                [.jpeg] + lossless
            }
        for format in candidates {
            // Pixels that are kept as the source has them are not to be turned when they come back.
            guard let encoder = coders.encoder(for: format, context: request.context),
                encoder.writesAnimations || !image.isAnimated,
                encoder.storesOrientation || image.attributes.orientation == .up
            else { continue }
            let span = begin(.encode, of: request, component: format.name)
            do throws(ImageError) {
                let job = image.isAnimated ? Job().decoding(request.context, time: time) : Job()
                let issues = Lock<[ImageError]>([])
                let data = try encode(
                    image, as: format, by: encoder, context: Self.variantEncoding, job: job,
                    onIssue: { issue in issues.withLock { $0.append(issue) } })
                if let issue = issues.withLock({ $0.first }) { throw issue }
                span.end(byteCount: data.count)
                return .success(data)
            } catch {
                span.stop(error)
                // Such as more metadata than the format has room for. Another may hold it.
                guard error.code == .encodeFailed, format != candidates.last else { throw error }
            }
        }
        let what = image.isAnimated ? "an animation" : "it"
        var need = image.isAnimated ? "animations" : "a lossless format"
        if image.attributes.orientation != .up { need += " with orientations" }
        return .failure(
            ImageError(
                .unknownFormat, stage: .encode, message: "the image is not stored on disk: no coder can write \(what)",
                advice: "install a plugin that writes \(need), or give `store` the bytes"))
    }

    /// Returns an image that was not made by a request without the false claims about its pixels.
    func checkingClaims(of image: Image, _ request: ResolvedRequest) async throws -> Image {
        guard image.pixels.hasUncheckedClaims else { return image.checkingClaimsOfFrames() }
        let demand = Demand(request.context[.priority])
        let checked = try await lanes.encoding.run(for: demand, job: Job()) { job in
            try image.checkingClaims(stage: .store, job: job) { self.note($0, of: request) }
        }
        // The pixels first: they are the first of the frames.
        return checked.checkingClaimsOfFrames()
    }

    /// The entry of an image that was not made by a request, and whose claims have been checked.
    func entry(of image: Image, data: Data?, _ request: ResolvedRequest) throws -> CacheEntry {
        guard let data else {
            return entry(
                try encodeByDefault(image, request).get(), attributes: image.storedAttributes, request)
        }
        return entry(data, attributes: image.storedAttributes, request)
    }

    /// An entry that lives as long, and has the tags, as the request says.
    private func entry(
        _ data: Data, attributes: [String: String], within expiration: Double? = nil, _ request: ResolvedRequest
    ) -> CacheEntry {
        let lifetime = lifetime(within: expiration, request)
        return CacheEntry(
            data: data, expiration: lifetime.map { time.wallTime() + $0.seconds }, attributes: attributes,
            tags: request.context[.cacheTags].names)
    }
}
