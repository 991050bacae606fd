/// Which variant is read from a cache, and how long decoding it may take.
struct ReadKey: Hashable, Sendable {
    let entry: StoreKey
    let transfer: TransferID
}

extension Pipeline {
    /// The variant as memory has it, or a larger size of it where that will do.
    func remembered(_ resolution: Resolution) -> Image? {
        guard resolution.queriesMemory, let cache = resolution.cache,
            let image = cache.image(for: resolution.variant) ?? larger(resolution, in: cache)
        else { return nil }
        return image.scaled(by: resolution.scale)
    }

    /// The variant, where memory has come to have it since it was asked: a look that is no miss in its statistics.
    func rememberedMeanwhile(_ resolution: Resolution) -> Image? {
        guard resolution.queriesMemory, let cache = resolution.cache,
            (try? cache.contains(resolution.variant, in: .memory)) == .memory
        else { return nil }
        return remembered(resolution)
    }

    /// The variant as the data tier has it; nil on a miss. A cache that fails has missed.
    ///
    /// Where the variant is the original itself, the stage of originals asks, so that the bytes are shared with it.
    func queried(_ resolution: Resolution, interest: Interest) async throws -> Product? {
        let context = resolution.context
        guard let cache = resolution.cache, !resolution.variant.isOriginal, !context[.fromLoaderOnly],
            context[.queryCacheType].contains(.disk)
        else { return nil }
        let key = ReadKey(entry: StoreKey(resolution.variant, in: cache), transfer: resolution.transfer)
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
        let storeKey = StoreKey(key, in: cache)
        if let data = pendingStores.data(for: storeKey) {
            return (
                CacheEntry(data: data),
                note(.query, of: resolution, component: typeName(of: cache), since: time.now(), byteCount: data.count)
            )
        }
        await pendingStores.wait(for: storeKey)
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
                .query, of: resolution, component: typeName(of: cache), since: start, byteCount: entry.data.count)
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
            // The pixels were made as the request wants them before they were stored: nothing is to be done to them
            // again.
            let context = ResolvedContext(layers: [
                (.manager, [.nativeDepth, .keepsProfile, .keepsOrientation]),
                (.request, ImageContext(resolution.context.storedVariantSettings)),
            ])
            let decoded = try await decode(
                ImageBytes(entry.data), context: context, resolution, interest: interest)
            let image = decoded.image.restoring(entry.attributes)
            return Product(
                image: image, decoded: image, original: nil, source: .disk, steps: [step, decoded.step],
                expiration: entry.expiration)
        } catch let error as ImageError where Self.missCodes.contains(error.code) {
            note(error, of: resolution)
            // What another request can read, with another coder or other limits, is left for it.
            if error.code == .badData, let cache = resolution.cache {
                await remove(resolution.variant, from: cache, resolution)
            }
            return nil
        }
    }

    /// What makes a variant on disk as good as absent.
    private static let missCodes: Set<ImageError.Code> = [.badData, .unknownFormat, .limitExceeded]

    func remove(_ key: VariantKey, from cache: any ImageCache, _ resolution: Resolution) async {
        do {
            try await lanes.writing.run { try cache.remove(key, from: .disk) }
        } catch {
            note(cacheError(error, stage: .store, cache), of: resolution)
        }
    }

    func cacheError(_ error: any Error, stage: ImageError.Stage, _ cache: any ImageCache) -> ImageError {
        .wrapping(
            error, as: .cacheFailed, stage: stage, component: typeName(of: cache), message: "the cache failed")
    }
}

extension ResolvedContext {
    /// What of a request still matters for a variant that is read back: its coder and the limits.
    fileprivate var storedVariantSettings: [ContextSetting] {
        let keys: Set = [
            ContextKey.imageCoder.declaration, ContextKey.maxPixels.declaration, ContextKey.maxSidePixels.declaration,
            ContextKey.maxProfileBytes.declaration, ContextKey.keepsMetadata.declaration,
            ContextKey.maxMetadataBytes.declaration, ContextKey.maxFrames.declaration,
            ContextKey.maxTotalPixels.declaration, ContextKey.preloadsFrames.declaration,
            ContextKey.decodeTimeout.declaration,
        ]
        return entries.filter { keys.contains($0.key) }.map(\.value.setting)
    }
}
