#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

// Moves entries to a directory with another secret, where every name is different.
extension DiskCache {
    /// The treatment of an entry whose source is moved to a cache directory with another secret.
    private enum Renaming {
        /// The entry is written again, under its new name and with new markers of its tags.
        case entry(DiskEntryName, pieces: [Data], markers: [(tag: String, name: String)])
        /// The entry remains: its transform or version of the format is different, or it cannot be encoded again.
        case foreign
        /// The entry is removed, because its file is damaged, or does not contain the complete key.
        case lost
    }

    /// Moves the entries of a source to a directory with another secret, under new names. Removes abandoned temporary
    /// files, and entries that are damaged or do not contain their complete key. Entries that only other caches can
    /// read remain.
    /// - Parameters:
    ///   - own: The secret of this cache's directory; nil if there is none.
    ///   - secret: The secret of the target directory.
    func renameFiles(
        in directory: String, from own: DirectorySecret?, to target: String, under secret: DirectorySecret
    ) throws(FileSystemError) {
        for item in try files.itemsIfPresent(in: directory) where item.attributes.kind == .file {
            let path = "\(directory)/\(item.name)"
            if DiskEntryName.isTemporary(item.name), isLeftBehind(item.attributes, at: time.wallTime()) {
                try files.removeFileIfPresent(path)
            }
            guard DiskEntryName.isDigest(item.name) else { continue }
            let content: Data
            do throws(FileSystemError) {
                let name = String(path.dropFirst(root.count + 1))
                content = try files.contents(of: name, in: KeptDirectory(root), byteLimit: .max).data
            } catch {
                if error.code == ENOENT { continue }
                throw error
            }
            switch renaming(of: content, from: own, under: secret) {
            case .foreign:
                continue
            case .lost:
                break
            case .entry(let name, let pieces, let markers):
                try write(pieces, as: name, item.attributes, markers, to: target)
            }
            try files.removeFileIfPresent(path)
        }
        try files.removeDirectoryIfEmpty(directory)
    }

    /// Returns the treatment of an entry, given the content of its file.
    private func renaming(of content: Data, from own: DirectorySecret?, under secret: DirectorySecret) -> Renaming {
        let parsed: DiskEntryFormat.Parsed
        do {
            parsed = try DiskEntryFormat.parse(content, transform: transform)
        } catch DiskEntryFormat.Defect.version, DiskEntryFormat.Defect.transform {
            return .foreign
        } catch {
            return .lost
        }
        // The digest shows whether the key in the file is complete.
        guard let own, let key = parsed.key, DiskEntryName(key, under: own).digest == parsed.digest else {
            return .lost
        }
        let name = key.diskName(under: secret)
        let pieces = try? DiskEntryFormat.pieces(
            of: parsed.entry, for: key, under: secret, creation: parsed.creation, transform: transform)
        guard let pieces else { return .foreign }
        let markers = parsed.entry.tags.map { tag in
            (tag: DiskEntryName.tag(secret.digest(ofTag: tag)), name: "\(name.directory.suffix(32))\(name.file)")
        }
        return .entry(name, pieces: pieces, markers: markers)
    }

    /// Writes an entry and the markers of its tags to another directory, unless the entry is already there.
    /// - Parameters:
    ///   - attributes: The attributes of the entry's file in this cache's directory.
    ///   - markers: For each marker, the name of the tag's directory and the name of the marker in it.
    private func write(
        _ pieces: [Data], as name: DiskEntryName, _ attributes: FileAttributes,
        _ markers: [(tag: String, name: String)], to target: String
    ) throws(FileSystemError) {
        let files = self.files.confined(below: target)
        let path = "\(target)/\(name.path)"
        try clearPath(to: name.directory, below: target)
        if try files.isPresent(path) { return }
        // Before the entry, so that a removal by tag misses no entry.
        for marker in markers {
            let tagDirectory = "\(DiskEntryName.shardName(name.shard))/\(DiskEntryName.tags)/\(marker.tag)"
            try clearPath(to: tagDirectory, below: target)
            let directory = "\(target)/\(tagDirectory)"
            try files.createDirectories(directory)
            try writeWhole([], to: "\(directory)/\(marker.name)", at: time.wallTime(), isReadOnly: false, files)
        }
        let directory = Self.parent(of: path)
        try files.createDirectories(directory)
        let copy = "\(directory)/\(DiskEntryName.temporary())"
        try writeWhole(pieces, to: copy, at: attributes.modificationTime, isReadOnly: attributes.isReadOnly, files)
        try place(copy, at: path, files)
    }

    private func writeWhole(
        _ pieces: [Data], to path: String, at stamp: Double, isReadOnly: Bool, _ files: any FileSystem
    ) throws(FileSystemError) {
        try files.writeFile(
            pieces, to: path, through: "\(Self.parent(of: path))/\(DiskEntryName.temporary())", modificationTime: stamp,
            isReadOnly: isReadOnly, isDurable: configuration.durability == .full)
    }
}
