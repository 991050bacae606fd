extension DiskCache {
    /// The entry that the first of the read-only folders has.
    func readOnlyEntry(for key: VariantKey, at now: Double) throws -> CacheEntry? {
        for folder in readOnlyFolders {
            guard let (kept, name) = Self.place(of: key, in: folder) else { continue }
            guard let file = try contents(of: name, in: kept) else { continue }
            guard case .entries = folder.content else { return CacheEntry(data: file) }
            do {
                let entry = try DiskEntryFormat.parse(file, for: key, transform: transform).entry
                if let expiration = entry.expiration, expiration <= now { continue }
                return entry
            } catch DiskEntryFormat.Defect.version, DiskEntryFormat.Defect.transform {
                continue
            } catch {
                onIssue(damage(at: "\(kept.path)/\(name)", because: "\(error)", consequence: "passed over"))
            }
        }
        return nil
    }

    /// Whether one of the read-only folders has a file for a key that has not expired.
    func readOnlyContains(_ key: VariantKey, at now: Double) throws(FileSystemError) -> Bool {
        for folder in readOnlyFolders {
            guard let (kept, name) = Self.place(of: key, in: folder) else { continue }
            do throws(FileSystemError) {
                let path = "\(kept.path)/\(name)"
                guard try files.attributes(of: path).kind == .file else { continue }
                guard case .entries = folder.content else { return true }
                // Always looked for: whoever copied the folder may have made all its files read-only, or none.
                let tail = try files.tail(of: path, byteCount: DiskEntryFormat.footerByteCount)
                if DiskEntryFormat.expiration(inTail: tail).map({ $0 <= now }) != true { return true }
            } catch {
                if !error.isAbsence { throw error }
            }
        }
        return false
    }

    private func contents(of name: String, in folder: KeptFolder) throws -> Data? {
        do throws(FileSystemError) {
            return try files.contents(of: name, in: folder, byteLimit: .max)
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
