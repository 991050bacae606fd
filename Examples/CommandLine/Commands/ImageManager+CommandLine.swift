import CalotypeStandard

extension ImageManager {
    /// Creates the manager of a command, with all standard plugins and the chosen cache.
    ///
    /// Requests wait until their results are stored, because the process ends after the last request.
    convenience init(cache: CacheChoice, warnings: WarningPrinter) {
        var context: ImageContext = [.waitStoreCache, .eventListener(warnings)]
        switch cache {
        case .off:
            context.set(.off(ContextKey.imageCache))
        case .directory(let directory):
            let disk = DiskCache(at: directory, onIssue: { warnings.warn(of: $0) })
            context.set(.imageCache(TieredCache(disk: disk)))
        }
        self.init(plugins: [.standard], context: context)
    }

    /// Waits until the disk cache is trimmed to its limits. Without this call, the process could end before trimming,
    /// and the cache would keep growing.
    func finishTrimming() async {
        guard let cache = (context[.imageCache] ?? nil) as? TieredCache, let disk = cache.disk as? DiskCache else {
            return
        }
        // A failed wait is not a failure of the command.
        try? await Lane.files.run { disk.waitForTrimming() }
    }

    /// The formats that an installed coder can write, without duplicates.
    var writableFormats: [ImageFormat] {
        let coders = registry.coders.elements
        var formats: [ImageFormat] = []
        for format in coders.flatMap(\.formats) where !formats.contains(format) {
            if coders.contains(where: { $0.encoder(for: format) != nil }) { formats.append(format) }
        }
        return formats
    }
}
