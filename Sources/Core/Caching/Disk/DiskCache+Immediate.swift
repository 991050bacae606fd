extension DiskCache {
    /// Returns the entry for a key, or its absence, if the cache can tell without waiting. Otherwise, returns
    /// `.unknown`. With ``LocalFileSystem``, the cache can tell only on Linux. The system must have the file of the
    /// entry in memory, for example because the file was recently stored or read, and the file must not exceed 64 KiB.
    ///
    /// The entry is verified as in any other read. The answer is also `.unknown` in the following cases. Call
    /// ``entry(for:)`` then.
    /// - The entry has expired or is not valid, or its use must be recorded. ``entry(for:)`` may then change the
    ///   directory.
    /// - The cache has a transform, which may take long.
    /// - The entry is absent, and there are read-only directories, which may have it.
    /// - The file belongs to another user, and ``Configuration/trustsOtherUsers`` is not set. The owner must then be
    ///   checked.
    /// - The cache must open the directory again by its path, as in the first read after each store or removal through
    ///   this cache.
    /// - The cache must check where the path leads, because the last check is at least a second old.
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

    /// Returns the entry in the content of a file; nil if it is not valid, or if ``entry(for:)`` must read it.
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
