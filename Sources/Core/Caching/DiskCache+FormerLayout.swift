extension DiskCache {
    /// Removes the folder of the former layout, which nobody reads any more: the names and files in it tell keys with
    /// their secrets. Returns why it could not be removed.
    ///
    /// A link in its place stays, and so does a folder with anything in it that is not named as the cache names it.
    func removeFormerLayout() -> FileSystemError? {
        let path = "\(Self.parent(of: root))/\(DiskEntryName.formerLayout)"
        guard (try? files.attributes(of: path).kind) == .folder, let items = try? files.items(in: path) else {
            return nil
        }
        let marks = [DiskEntryName.secret, DiskEntryName.ledger]
        guard items.contains(where: { marks.contains($0.name) }),
            items.allSatisfy({ item in
                marks.contains(item.name) || DiskEntryName.shard(named: item.name) != nil
                    || DiskEntryName.isTemporary(item.name)
            })
        else { return nil }
        do throws(FileSystemError) {
            try files.removeFolderWithItems(path)
            return nil
        } catch {
            return error.isAbsence ? nil : error
        }
    }
}
