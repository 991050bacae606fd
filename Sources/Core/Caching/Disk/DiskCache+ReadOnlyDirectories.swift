extension DiskCache {
    /// Returns the valid entry for a key in a read-only directory; nil if there is none. Reports a damaged entry.
    func readOnlyEntry(
        for key: VariantKey, in directory: ReadOnlyDirectory, at now: Double
    ) throws(ImageError) -> CacheEntry? {
        guard let (kept, name, diskName) = try place(of: key, in: directory),
            let file = try contents(of: name, in: kept)
        else { return nil }
        guard let diskName else { return CacheEntry(data: file) }
        do {
            let parsed = try DiskEntryFormat.parse(file, as: diskName, transform: transform)
            return parsed.dates.areOver(at: now) ? nil : parsed.entry
        } catch DiskEntryFormat.Defect.version, DiskEntryFormat.Defect.transform {
            return nil
        } catch {
            onIssue(damage(at: "\(kept.path)/\(name)", because: "\(error)", consequence: "skipped"))
            return nil
        }
    }

    /// Returns the attributes of a key's file in a read-only directory; nil if it does not exist or has expired.
    func readOnlyFile(
        for key: VariantKey, in directory: ReadOnlyDirectory, at now: Double
    ) throws(ImageError) -> FileAttributes? {
        guard let (kept, name, diskName) = try place(of: key, in: directory) else { return nil }
        let path = "\(kept.path)/\(name)"
        do throws(FileSystemError) {
            // The owner of a read-only directory is trusted, since the program chose the directory.
            if let diskName,
                try files.obstacle(onPath: diskName.directory, below: kept.path, trustsOtherUsers: true) != nil
            {
                return nil
            }
            let file = try files.attributes(of: path)
            guard file.kind == .file else { return nil }
            guard diskName != nil else { return file }
            // The dates are read whether or not the file is read-only: in a copy of the directory, all files may be
            // read-only, or none.
            return try dates(of: path)?.areOver(at: now) == true ? nil : file
        } catch {
            if error.isAbsence { return nil }
            throw failure(error, stage: .query, message: "a read-only entry could not be found")
        }
    }

    /// Returns the content of a file in a read-only directory. Returns nil if there is no such file.
    private func contents(of name: String, in directory: KeptDirectory) throws(ImageError) -> Data? {
        do throws(FileSystemError) {
            return try files.contents(of: name, in: directory, byteLimit: .max).data
        } catch {
            if error.isAbsence { return nil }
            throw failure(error, stage: .query, message: "a read-only entry could not be read")
        }
    }

    /// Returns the location of a key's file in a read-only directory; nil if the directory cannot have such a file.
    ///
    /// `name` is the path of the file relative to the returned directory. `diskName` is nil for a plain file, which is
    /// not in the format of an entry.
    private func place(
        of key: VariantKey, in directory: ReadOnlyDirectory
    ) throws(ImageError) -> (directory: KeptDirectory, name: String, diskName: DiskEntryName?)? {
        switch directory.content {
        case .entries(let kept):
            let isTimeToCheck = kept.refresh(at: time.now())
            if isTimeToCheck || kept.secret == nil { try checkReadOnlyDirectory(kept) }
            do throws(FileSystemError) {
                // The owner of a read-only directory is trusted, since the program chose the directory.
                return try kept.readSecret(files, trustsOtherUsers: true).map { secret in
                    let name = key.diskName(under: secret)
                    return (kept, name.path, name)
                }
            } catch {
                throw failure(error, stage: .query, message: "the secret of a read-only directory could not be read")
            }
        case .files(let path):
            // The system would read a path with a zero byte only up to that byte.
            guard let path = path(key), path.hasPrefix("/"), !path.utf8.contains(0),
                let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
            else { return nil }
            let directory = slash == path.startIndex ? "/" : String(path[..<slash])
            return (KeptDirectory(directory), String(path[path.utf8.index(after: slash)...]), nil)
        }
    }
}
