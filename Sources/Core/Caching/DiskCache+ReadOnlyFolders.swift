extension DiskCache {
    /// The entry that a read-only folder has.
    func readOnlyEntry(
        for key: VariantKey, in folder: ReadOnlyFolder, at now: Double
    ) throws(ImageError) -> CacheEntry? {
        guard let (kept, name) = Self.place(of: key, in: folder), let file = try contents(of: name, in: kept) else {
            return nil
        }
        guard case .entries = folder.content else { return CacheEntry(data: file) }
        do {
            let parsed = try DiskEntryFormat.parse(file, for: key, transform: transform)
            return parsed.dates.areOver(at: now) ? nil : parsed.entry
        } catch DiskEntryFormat.Defect.version, DiskEntryFormat.Defect.transform {
            return nil
        } catch {
            onIssue(damage(at: "\(kept.path)/\(name)", because: "\(error)", consequence: "passed over"))
            return nil
        }
    }

    /// The file that a read-only folder has for a key, if it has not expired.
    func readOnlyFile(
        for key: VariantKey, in folder: ReadOnlyFolder, at now: Double
    ) throws(ImageError) -> FileAttributes? {
        guard let (kept, name) = Self.place(of: key, in: folder) else { return nil }
        let path = "\(kept.path)/\(name)"
        do throws(FileSystemError) {
            guard try files.obstacle(onPath: name, below: kept.path) == nil else { return nil }
            let file = try files.attributes(of: path)
            guard file.kind == .file else { return nil }
            guard case .entries = folder.content else { return file }
            // Always looked for: whoever copied the folder may have made all its files read-only, or none.
            return try dates(of: path)?.areOver(at: now) == true ? nil : file
        } catch {
            if error.isAbsence { return nil }
            throw failure(error, stage: .query, message: "a read-only entry could not be found")
        }
    }

    private func contents(of name: String, in folder: KeptFolder) throws(ImageError) -> Data? {
        folder.refresh(at: time.now())
        do throws(FileSystemError) {
            return try files.contents(of: name, in: folder, byteLimit: .max).data
        } catch {
            if error.isAbsence { return nil }
            throw failure(error, stage: .query, message: "a read-only entry could not be read")
        }
    }

    private static func place(of key: VariantKey, in folder: ReadOnlyFolder) -> (folder: KeptFolder, name: String)? {
        switch folder.content {
        case .entries(let kept):
            return (kept, key.diskName.path)
        case .files(let path):
            // The system would take a path with a zero byte for the one that ends there.
            guard let path = path(key), path.hasPrefix("/"), !path.utf8.contains(0),
                let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
            else { return nil }
            let folder = slash == path.startIndex ? "/" : String(path[..<slash])
            return (KeptFolder(folder), String(path[path.utf8.index(after: slash)...]))
        }
    }
}
