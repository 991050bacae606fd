extension DiskCache {
    /// Returns the entry for a key, or its absence, if that is possible without waiting: on Linux, for an entry of up
    /// to 64 KiB that the system has in memory, because it was recently stored or read.
    ///
    /// The entry is verified as always. The answer is `.unknown` in cases that need ``entry(for:)``:
    /// - The entry has expired or is damaged, or its use must be recorded: this changes the directory.
    /// - The cache has a transform, which may take long.
    /// - The entry is absent, and there are read-only directories, which may have it.
    /// - The directory must be found by its path again: at the first read after a store or a removal through this
    ///   cache, and once a second.
    public func immediateEntry(for key: VariantKey) -> ImmediateEntry {
        guard transform == nil else { return .unknown }
        let start = time.now()
        guard let secret = entries.upToDateSecret(at: start) else { return .unknown }
        let name = key.diskName(under: secret)
        switch files.immediateContents(of: name.path, in: entries, byteLimit: configuration.byteLimit) {
        case .file(let data, let attributes):
            guard let entry = immediateEntry(in: data, attributes, as: name, at: time.wallTime()) else {
                return .unknown
            }
            countRead(entry, since: start)
            return .entry(entry)
        case .absent:
            guard readOnlyDirectories.isEmpty else { return .unknown }
            countRead(nil, since: start)
            return .absent
        case .unknown:
            return .unknown
        }
    }

    /// Returns the entry in a file. Returns nil if it is not valid or needs a change.
    private func immediateEntry(
        in data: Data, _ attributes: FileAttributes, as name: DiskEntryName, at now: Double
    ) -> CacheEntry? {
        // The owner of the directory must be looked up for a file of another user.
        guard configuration.trustsOtherUsers || attributes.isOwn else { return nil }
        guard !isTooOld(attributes, at: now), !isUseToBeNoted(of: attributes, at: now),
            let parsed = try? DiskEntryFormat.parse(data, as: name), !parsed.dates.areOver(at: now)
        else { return nil }
        return parsed.entry
    }
}
