import CalotypeStandard

extension ImageManager {
    /// The manager of a command: all plugins, and the cache that was chosen.
    ///
    /// Requests wait until what they made is stored, since the process ends after the last one.
    convenience init(cache: CacheChoice, warnings: WarningPrinter) {
        var context: ImageContext = [.waitStoreCache, .eventListener(warnings)]
        switch cache {
        case .off:
            context.set(.off(ContextKey.imageCache))
        case .directory(let directory):
            let disk = DiskCache(at: directory, onIssue: { warnings.warn(of: $0) })
            context.set(.imageCache(TieredCache(data: disk)))
        }
        self.init(plugins: [.standard], context: context)
    }

    /// Waits until the cache is within its limits again: a process that ends at once would leave it to grow.
    func finishTrimming() async {
        guard let cache = (context[.imageCache] ?? nil) as? TieredCache, let disk = cache.data as? DiskCache else {
            return
        }
        // Not waiting is no reason to fail.
        try? await Lane.files.run { disk.waitForTrimming() }
    }

    /// The formats that an installed coder writes, each once.
    var writableFormats: [ImageFormat] {
        let coders = registry.coders.elements
        var formats: [ImageFormat] = []
        for format in coders.flatMap(\.formats) where !formats.contains(format) {
            if coders.contains(where: { $0.encoder(for: format) != nil }) { formats.append(format) }
        }
        return formats
    }
}
