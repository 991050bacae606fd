extension ImageManager {
    /// Returns the best format for sending an image to a client, given the media types that the client accepts. Returns
    /// nil if no installed coder writes any of them.
    ///
    /// Formats that preserve the image come first: those with animations for an animation, and those with alpha for an
    /// image that is not opaque. Among formats that preserve it equally well, the client's weights decide, and then the
    /// usual file size, in this order: AVIF, WebP, HEIC, JPEG, PNG, GIF, others; for an animation AVIF, WebP, GIF, PNG,
    /// others. The result is not cached.
    /// - Parameters:
    ///   - mediaTypes: Media types such as `image/webp`, or values of the header field `Accept`, including weights and
    ///     wildcards. `image/*` and `*/*` mean only JPEG, PNG and GIF, since browsers send these wildcards without
    ///     supporting all other formats. An empty list means `*/*`, like a missing field.
    ///   - context: Values that win over those of the manager's context. Default: none. With `encodeFirstFrameOnly`,
    ///     every image counts as a still.
    public func format(
        for image: Image, accepting mediaTypes: [String], context: ImageContext = []
    ) -> ImageFormat? {
        formats(for: image, accepting: mediaTypes, context: context).first
    }

    /// Encodes an image in the format that ``format(for:accepting:context:)`` returns. If the image cannot be written
    /// in that format, for example because it is too large, tries the next accepted format.
    ///
    /// Throws as ``encode(_:as:context:)`` does, and `unknownFormat` if no installed coder writes an accepted format.
    /// - Returns: The bytes, and their format.
    public func encode(
        _ image: Image, accepting mediaTypes: [String], context: ImageContext = []
    ) async throws(ImageError) -> (data: Data, format: ImageFormat) {
        let formats = formats(for: image, accepting: mediaTypes, context: context)
        for format in formats {
            do throws(ImageError) {
                return (try await encode(image, as: format, context: context), format)
            } catch {
                guard error.code == .encodeFailed, format != formats.last else { throw error }
            }
        }
        let resolved = resolved(context)
        var writable: [String] = []
        for format in registry.formats where pipeline.coders.encoder(for: format, context: resolved) != nil {
            if !writable.contains(format.name) { writable.append(format.name) }
        }
        let others = writable.isEmpty ? "none" : writable.joined(separator: ", ")
        throw ImageError(
            .unknownFormat, stage: .encode,
            message: "no installed coder writes an accepted media type; the writable formats are \(others)",
            advice: "accept the media type of a writable format, or install a plugin that writes an accepted one")
    }

    /// Returns the formats that are accepted and can be written, the best one first.
    private func formats(for image: Image, accepting mediaTypes: [String], context: ImageContext) -> [ImageFormat] {
        let accepted = AcceptedTypes(mediaTypes)
        let resolved = resolved(context)
        let isAnimated = image.selectingFrames(as: resolved).isAnimated && !resolved[.encodeFirstFrameOnly]
        let order = isAnimated ? Self.animatedFormatsBySize : Self.formatsBySize
        /// The rank of a format: its disadvantages, the most severe one first. The lowest rank is the best.
        typealias Rank = (misfit: Int, unwanted: Double, size: Int)
        var ranked: [(format: ImageFormat, rank: Rank)] = []
        for format in registry.formats {
            let weight = accepted.weight(of: format, isAnimated: isAnimated)
            // Several coders may write the same format.
            guard weight > 0, !ranked.contains(where: { $0.format == format }),
                let encoder = pipeline.coders.encoder(for: format, context: resolved)
            else { continue }
            let losesFrames = isAnimated && !encoder.writesAnimations
            // GIF has one bit of alpha, which is better than none.
            let lostAlpha = image.pixels.isOpaque ? 0 : format == .jpeg ? 2 : format == .gif ? 1 : 0
            let size = order.firstIndex(of: format) ?? order.count
            ranked.append((format, ((losesFrames ? 3 : 0) + lostAlpha, -weight, size)))
        }
        return ranked.sorted { $0.rank < $1.rank }.map(\.format)
    }

    /// The formats of stills, the one with the smallest files first.
    private static let formatsBySize: [ImageFormat] = [.avif, .webp, .heic, .jpeg, .png, .gif]
    /// The formats of animations, the one with the smallest files first. PNG is last, since many readers show an
    /// animated PNG as a still.
    private static let animatedFormatsBySize: [ImageFormat] = [.avif, .webp, .gif, .png]
}
