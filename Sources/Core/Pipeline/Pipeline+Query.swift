/// What is being read: a variant, from a cache, decoded by a coder.
struct ReadKey: Hashable, Sendable {
    let cache: ObjectIdentifier
    let variant: VariantKey
}

extension Pipeline {
    /// The variant as memory has it.
    func remembered(_ resolution: Resolution) -> Image? {
        guard resolution.queriesMemory, let image = resolution.cache?.image(for: resolution.variant) else { return nil }
        return image.scaled(by: resolution.scale)
    }

    /// The variant as the data tier has it; nil on a miss. A cache that fails has missed.
    ///
    /// Where the variant is the original itself, the stage of originals asks, so that the bytes are shared with it.
    func queried(_ resolution: Resolution, interest: Interest) async throws -> Product? {
        let context = resolution.context
        guard let cache = resolution.cache, !resolution.variant.isOriginal, !context[.fromLoaderOnly],
            context[.queryCacheType].contains(.disk)
        else { return nil }
        let key = ReadKey(cache: ObjectIdentifier(cache), variant: resolution.variant)
        return try await reads.value(for: key, interest: interest) { interest in
            guard let read = try await self.read(resolution.variant, from: cache, resolution, interest: interest)
            else { return nil }
            return try await self.decodedVariant(read.entry, step: read.step, resolution, interest: interest)
        }
    }

    /// An entry of a cache, read on the lane for it; nil on a miss, also when the cache fails.
    func read(
        _ key: VariantKey, from cache: any ImageCache, _ resolution: Resolution, interest: Interest
    ) async throws -> (entry: CacheEntry, step: ImageMetrics.Step)? {
        let outcome: Result<(CacheEntry, Duration)?, any Error> = try await lanes.reading.run(
            for: interest, job: Job()
        ) { [time] _ in
            let start = time.now()
            return Result { try cache.entry(for: key).map { ($0, start) } }
        }
        switch outcome {
        case .success(let found):
            guard let (entry, start) = found else { return nil }
            guard entry.data.count <= resolution.context[.maxInputBytes] else { return nil }
            let step = note(
                .query, of: resolution, component: describeType(of: cache), since: start, byteCount: entry.data.count)
            return (entry, step)
        case .failure(let error):
            note(cacheError(error, stage: .query, cache), of: resolution)
            return nil
        }
    }

    /// A variant's bytes as an image. What cannot be decoded is removed and has missed: it will be made again.
    private func decodedVariant(
        _ entry: CacheEntry, step: ImageMetrics.Step, _ resolution: Resolution, interest: Interest
    ) async throws -> Product? {
        do {
            // The pixels were cut to size and turned when they were stored; their depth and profile are to be kept.
            let context = ResolvedContext(layers: [
                (.manager, [.nativeDepth, .keepsProfile]),
                (.request, ImageContext(resolution.context.storedVariantSettings)),
            ])
            let decoded = try await decode(
                ImageBytes(entry.data), context: context, resolution, interest: interest)
            let image = decoded.image.restoring(entry.attributes)
            return Product(
                image: image, original: nil, source: .disk, steps: [step, decoded.step], claims: Claims())
        } catch let error as ImageError where error.code == .badData || error.code == .unknownFormat {
            note(error, of: resolution)
            if let cache = resolution.cache { await remove(resolution.variant, from: cache, resolution) }
            return nil
        }
    }

    /// Whether a request that failed is worth trying again without the cache: when what did not decode came from there.
    func healed(after error: ImageError, _ resolution: Resolution) async -> Bool {
        guard error.code == .badData || error.code == .unknownFormat, !resolution.context[.fromCacheOnly],
            OriginalKey(resolution, ignoringCache: false).tiers.contains(.disk), let cache = resolution.originalCache,
            (try? cache.contains(resolution.variant.original, in: .disk)) == .disk
        else { return false }
        note(error, of: resolution)
        await remove(resolution.variant.original, from: cache, resolution)
        return true
    }

    private func remove(_ key: VariantKey, from cache: any ImageCache, _ resolution: Resolution) async {
        do {
            try await lanes.writing.run { try cache.remove(key, from: .disk) }
        } catch {
            note(cacheError(error, stage: .store, cache), of: resolution)
        }
    }

    func cacheError(_ error: any Error, stage: ImageError.Stage, _ cache: any ImageCache) -> ImageError {
        .wrapping(
            error, as: .cacheFailed, stage: stage, component: describeType(of: cache), message: "the cache failed")
    }
}

extension ResolvedContext {
    /// What of a request still matters for a variant that is read back: its coder and the limits.
    fileprivate var storedVariantSettings: [ContextSetting] {
        let keys: Set = [
            ContextKey.imageCoder.declaration, ContextKey.maxPixels.declaration, ContextKey.maxSidePixels.declaration,
            ContextKey.maxProfileBytes.declaration,
        ]
        return entries.filter { keys.contains($0.key) }.map(\.value.setting)
    }
}

/// The name of a component's type.
func describeType(of component: Any) -> String { String(describing: type(of: component)) }
