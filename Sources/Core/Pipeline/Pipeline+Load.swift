/// Which original is wanted, and where it may come from.
struct OriginalKey: Hashable, Sendable {
    let transfer: TransferID
    let key: VariantKey
    /// The cache that may be asked; nil for none.
    let cache: ObjectIdentifier?
    let tiers: CacheTiers
    let isLoadingAllowed: Bool
    /// How many changes of its source had ended: what was begun before the last of them is not shared.
    let changeCount: Int

    init(_ resolution: Resolution, after changes: CacheChanges) {
        let context = resolution.context
        let tiers: CacheTiers
        if context[.fromLoaderOnly] {
            tiers = []
        } else if resolution.variant.isOriginal {
            // Memory was asked before. What is left is the same as for a variant, so that both share the reading.
            tiers = context[.queryCacheType].intersection(.disk)
        } else {
            let type = context[.originalQueryCacheType]
            tiers = resolution.decodesPlainly ? type : type.intersection(.disk)
        }
        let cache = tiers.isDisjoint(with: resolution.cacheOfOriginal?.tiers ?? []) ? nil : resolution.cacheOfOriginal
        self.init(
            transfer: resolution.transfer, key: resolution.variant.original,
            cache: cache.map { ObjectIdentifier($0) }, tiers: tiers, isLoadingAllowed: !context[.fromCacheOnly],
            changeCount: changes.count(of: resolution.variant.source))
    }

    private init(
        transfer: TransferID, key: VariantKey, cache: ObjectIdentifier?, tiers: CacheTiers, isLoadingAllowed: Bool,
        changeCount: Int
    ) {
        self.transfer = transfer
        self.key = key
        self.cache = cache
        self.tiers = tiers
        self.isLoadingAllowed = isLoadingAllowed
        self.changeCount = changeCount
    }

    /// The same original, without asking a cache for it.
    var withoutCache: OriginalKey {
        OriginalKey(
            transfer: transfer, key: key, cache: nil, tiers: [], isLoadingAllowed: isLoadingAllowed,
            changeCount: changeCount)
    }
}

extension Pipeline {
    /// The original: from memory, from the data tier, or loaded.
    func original(
        _ key: OriginalKey, _ resolution: Resolution, interest: Interest,
        onReport: (@Sendable (WorkReport) -> Void)? = nil
    ) async throws -> Original {
        try await originals.value(for: key, interest: interest, onReport: onReport) { interest in
            if key.cache != nil, let cache = resolution.cacheOfOriginal {
                if key.tiers.contains(.memory), let original = self.remembered(key.key, in: cache, resolution) {
                    return original
                }
                if key.tiers.intersection(cache.tiers).contains(.disk),
                    let read = try await self.read(key.key, from: cache, resolution, interest: interest)
                {
                    return Original(
                        .bytes(ImageBytes(read.entry.data)), of: resolution.url, source: .disk, steps: [read.step],
                        expiration: read.entry.expiration, share: read.share)
                }
            }
            guard key.isLoadingAllowed else {
                throw ImageError(
                    .notCached, stage: .query, message: "is in no cache, and loading is not allowed",
                    advice: "turn off `fromCacheOnly` to load it")
            }
            return try await self.transfers.value(for: key.transfer, interest: interest) { interest in
                if let original = self.originalsInUse.original(by: key.transfer), original.bytes?.failure == nil {
                    return original
                }
                let original = try await self.load(resolution, interest: interest)
                self.originalsInUse.note(original, by: key.transfer)
                return original
            }
        }
    }

    /// The original as memory has it, and until when.
    private func remembered(_ key: VariantKey, in cache: any ImageCache, _ resolution: Resolution) -> Original? {
        // Asked first: an image that goes in between is no image, rather than one without an end.
        let expiration = cache.remainingTime(for: key).map { time.wallTime() + $0.seconds }
        guard let image = cache.image(for: key) else { return nil }
        return Original(.image(image), of: resolution.url, source: .memory, expiration: expiration)
    }

    private func load(_ resolution: Resolution, interest: Interest) async throws -> Original {
        var request = LoadRequest(url: resolution.url, context: resolution.context)
        request.interest = interest
        let loader = try self.loader(for: request)
        guard !loader.queuesLoads else {
            return try await load(request, by: loader, through: lanes.arriving, resolution, interest: interest)
        }
        return try await lanes.loading.run(for: interest) { [request] in
            try await self.load(request, by: loader, through: nil, resolution, interest: interest)
        }
    }

    /// - Parameter gate: That before the first byte; nil for a load that has come through one.
    private func load(
        _ request: LoadRequest, by loader: any ImageLoader, through gate: AsyncGate?, _ resolution: Resolution,
        interest: Interest
    ) async throws -> Original {
        let start = time.now()
        let transfer = Transfer(pipeline: self, resolution: resolution, interest: interest, gate: gate)
        defer { transfer.end() }
        do {
            let outcome = try await loader.load(request, into: transfer)
            try Task.checkCancellation()
            return try loaded(outcome, from: loader, transfer, resolution, interest: interest, since: start)
        } catch is CancellationError where !Task.isCancelled {
            throw ImageError(
                .loadFailed, stage: .load, component: loader.name, message: "the loader gave up", advice: "try again")
        } catch {
            let error = ImageError.wrapping(
                error, as: .loadFailed, stage: .load, component: loader.name, message: "could not be loaded")
            resolution.listener?.received(
                PipelineEvent(
                    stage: .load, component: loader.name, subject: resolution.variant.description,
                    duration: time.now() - start, byteCount: transfer.bytes.byteCount, transfer: transfer.metrics,
                    outcome: .stopped(error)))
            throw error
        }
    }

    private func loaded(
        _ outcome: LoadOutcome, from loader: any ImageLoader, _ transfer: Transfer, _ resolution: Resolution,
        interest: Interest, since start: Duration
    ) throws -> Original {
        let content: Original.Content
        switch outcome {
        case .complete:
            transfer.close()
            guard transfer.bytes.byteCount > 0 else {
                throw ImageError(.badData, stage: .load, message: "is empty", advice: "check the source")
            }
            content = .bytes(transfer.bytes)
        case .image(let image):
            content = .image(image)
        case .notModified:
            throw ImageError(
                .loadFailed, stage: .load, message: "the loader says 'not modified' though nothing was asked",
                advice: "report it to the loader's author")
        }
        let step = note(
            .load, of: resolution, component: loader.name, since: start, byteCount: transfer.bytes.byteCount,
            transfer: transfer.metrics)
        return Original(
            content, of: resolution.url, source: .loader, head: transfer.head, steps: [step],
            share: undecoded.share(content.memoryByteCount, for: interest.priority))
    }

    /// The loader that takes a request. Throws `noLoader` with the list of those who passed.
    func loader(for request: LoadRequest) throws(ImageError) -> any ImageLoader {
        if let loader = request.context[.imageLoader] { return loader }
        var refusals = RefusalList()
        for loader in registry.loaders.elements {
            if loader.canLoad(request) { return loader }
            refusals.add(loader.name, "does not take it")
        }
        let scheme = request.url.scheme.map { "the scheme '\($0)'" } ?? "a URL without a scheme"
        throw ImageError(
            .noLoader, stage: .load, message: "no loader takes \(scheme); \(refusals.summary)",
            advice: "install a plugin that loads it")
    }
}
