// The data written to a cache: the bytes as received, or an encoded image.
extension Pipeline {
    /// A pending write: bytes, or an image to be encoded.
    struct Write: Sendable {
        let cache: any ImageCache
        let key: VariantKey
        let image: Image?
        let bytes: ImageBytes?
        let head: LoadHead?
        /// The time at which the entry must expire at the latest, in seconds since 1970; nil for never.
        let expiration: Double?
        /// The replacement of the load that brought the data; nil for data from a cache.
        let replacement: Replacement?
    }

    /// Returns the entry to write; nil if the image cannot be encoded.
    func serialized(
        _ write: Write, _ work: RequestWork
    ) async throws -> CacheEntry? {
        if let bytes = write.bytes {
            if bytes.isReadWhenAsked {
                _ = try await lanes.reading.run(for: work.demand, job: Job()) { _ in try bytes.whole() }
            }
            // Bytes that stay as they are need no thread, and lookups find them meanwhile.
            if work.request.context[.cacheSerializer] == nil { return try serialize(write, work.request) }
        }
        return try await lanes.encoding.run(for: work.demand, job: Job()) { _ in try self.serialize(write, work.request)
        }
    }

    /// Returns the entry to write. Reports an event and returns nil if the image cannot be encoded.
    private func serialize(_ write: Write, _ request: ResolvedRequest) throws -> CacheEntry? {
        // An original that cannot be read completely is not stored.
        let original = try write.bytes?.whole()
        let serializer = request.context[.cacheSerializer]
        var picture = write.image
        // The claims are checked before any decision depends on them. Bytes that stay as they are need no look at the
        // pixels.
        if serializer != nil || original == nil {
            let checked = try picture?.checkingClaims(stage: .store, job: Job()) { noteIssue($0, of: request) }
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
                    message: "the cache serializer threw an error",
                    advice: "check the context value `cacheSerializer`")
            }
        }
        if data == nil, let picture {
            switch try encodeByDefault(picture, request) {
            case .success(let bytes): data = bytes
            case .failure(let reason): noteIssue(reason, of: request)
            }
        }
        guard let data else { return nil }
        // The attributes of the head already contain the version of an original's bytes, and the request fields by
        // which the server chose it.
        let image = write.bytes == nil ? write.image : write.image?.made(of: nil, chosenBy: nil)
        var attributes = image?.storedAttributes ?? [:]
        attributes.merge(write.head?.attributes ?? [:]) { _, new in new }
        return entry(data, attributes: attributes, within: write.expiration, request)
    }

    /// The settings for encoding a variant. They do not depend on the request, because requests with the same key share
    /// the pixels. All metadata is written: the image contains only the metadata that the request wanted.
    private static let variantEncoding = ResolvedContext([.compressionQuality(0.9), .metadataPolicy(.all)])

    /// Encodes a variant by the default rule. Returns a failure if no coder can write the image, or if its highlights
    /// would be lost.
    ///
    /// An opaque still with 8 bits per channel that comes from a lossy format becomes a JPEG file of quality 0.9 if
    /// possible. Every other still is encoded without loss, and so is an animation if possible. A file that cannot hold
    /// the image's color profile is rejected, because the colors would change when the file is read.
    /// - Parameter image: An image without unchecked claims (``PixelBuffer/hasUncheckedClaims``). The format depends on
    ///   whether it is opaque.
    private func encodeByDefault(_ image: Image, _ request: ResolvedRequest) throws -> Result<Data, ImageError> {
        // If the request asks for high dynamic range, all its pictures must have the same pixels, bright or not.
        let keepsLight = request.context[.highDynamicRange] && image.pixels.format == .rgbaFloat
        guard !keepsLight, !image.pixels.hasLightBeyondWhite else {
            return .failure(
                ImageError(
                    .encodeFailed, stage: .encode,
                    message: "the image is not stored on disk: no format can store its highlights above white",
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
            // Pixels kept in the orientation of the source must not be turned when they are read again.
            guard let encoder = coders.encoder(for: format, context: request.context),
                encoder.writesAnimations || !image.isAnimated,
                encoder.storesOrientation || image.attributes.orientation == .up
            else { continue }
            let span = begin(.encode, of: request, component: format.name)
            do throws(ImageError) {
                let job = image.isAnimated ? Job().decoding(request.context, time: time) : Job()
                let issues = Lock<[ImageError]>([])
                let data = try encode(
                    image, as: format, by: encoder, context: Self.variantEncoding, favorsSpeed: true, job: job,
                    onIssue: { issue in issues.withLock { $0.append(issue) } })
                if let issue = issues.withLock({ $0.first }) { throw issue }
                span.end(byteCount: data.count)
                return .success(data)
            } catch {
                span.fail(error)
                // For example, the metadata exceeds the limits of the format. Another format may hold it.
                guard error.code == .encodeFailed, format != candidates.last else { throw error }
            }
        }
        let what = image.isAnimated ? "an animation" : "it"
        var need = image.isAnimated ? "animations" : "a lossless format"
        if image.attributes.orientation != .up { need += " with orientations" }
        return .failure(
            ImageError(
                .unknownFormat, stage: .encode, message: "the image is not stored on disk: no coder can write \(what)",
                advice: "install a plugin that writes \(need), or pass the bytes to `store`"))
    }

    /// Returns an image from client code after checking its layout. A layout that falsely states that the pixels are
    /// opaque or gray is corrected.
    func checkingClaims(of image: Image, _ request: ResolvedRequest) async throws -> Image {
        guard image.pixels.hasUncheckedClaims else { return image.checkingClaimsOfFrames() }
        let demand = Demand(request.context[.priority])
        let checked = try await lanes.encoding.run(for: demand, job: Job()) { job in
            try image.checkingClaims(stage: .store, job: job) { self.noteIssue($0, of: request) }
        }
        // The pixels come first: they are the first frame.
        return checked.checkingClaimsOfFrames()
    }

    /// Returns the entry to store for an image from client code. Call ``checkingClaims(of:_:)`` first.
    /// - Parameter data: The bytes of the entry; nil to encode the image.
    func entry(of image: Image, data: Data?, _ request: ResolvedRequest) throws -> CacheEntry {
        guard let data else {
            return entry(
                try encodeByDefault(image, request).get(), attributes: image.storedAttributes, request)
        }
        return entry(data, attributes: image.storedAttributes, request)
    }

    /// Returns an entry with the time to live and the tags of the request.
    private func entry(
        _ data: Data, attributes: [String: String], within expiration: Double? = nil, _ request: ResolvedRequest
    ) -> CacheEntry {
        let lifetime = lifetime(within: expiration, request)
        return CacheEntry(
            data: data, expiration: lifetime.map { time.wallTime() + $0.seconds }, attributes: attributes,
            tags: request.context[.cacheTags].names)
    }
}
