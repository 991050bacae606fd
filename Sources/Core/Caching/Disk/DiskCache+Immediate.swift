extension DiskCache {
    /// The entry for a key, or that there is none, where that can be said without waiting: on Linux, of an entry of up
    /// to 64 KiB that was lately stored or read, so that the system has it in memory.
    ///
    /// It is verified as ever. All that takes a change is left to ``entry(for:)``: an entry that has expired or is
    /// damaged, and a use that is to be noted; and so is what was written with a transform, which may take long, and
    /// what read-only directories may have. So is what is asked first after a store or a removal through this cache,
    /// and once a second: the directory is then looked for by its path.
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

    /// The entry in a file; nil unless it is valid and there is nothing to be seen to.
    private func immediateEntry(
        in data: Data, _ attributes: FileAttributes, as name: DiskEntryName, at now: Double
    ) -> CacheEntry? {
        // Whose directory the file of another user is in takes a look.
        guard configuration.trustsOtherUsers || attributes.isOwn else { return nil }
        guard !isTooOld(attributes, at: now), !isUseToBeNoted(of: attributes, at: now),
            let parsed = try? DiskEntryFormat.parse(data, as: name), !parsed.dates.areOver(at: now)
        else { return nil }
        return parsed.entry
    }
}
