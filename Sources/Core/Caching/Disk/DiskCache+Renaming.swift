#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

// Moving to a folder that has another secret, under which everything has another name.
extension DiskCache {
    /// The outcome for a file.
    private enum Renaming {
        case entry(DiskEntryName, pieces: [Data], markers: [(tag: String, name: String)])
        /// Only somebody else can read it.
        case foreign
        /// The key is unknown, or the file is damaged.
        case lost
    }

    /// Moves the entries of a source to another folder, each under its name there.
    func renameFiles(
        in folder: String, from own: FolderSecret?, to target: String, under secret: FolderSecret
    ) throws(FileSystemError) {
        for item in try files.itemsIfPresent(in: folder) where item.attributes.kind == .file {
            let path = "\(folder)/\(item.name)"
            if DiskEntryName.isTemporary(item.name), isLeftBehind(item.attributes, at: time.wallTime()) {
                try files.removeFileIfPresent(path)
            }
            guard DiskEntryName.isDigest(item.name) else { continue }
            let content: Data
            do throws(FileSystemError) {
                let name = String(path.dropFirst(root.count + 1))
                content = try files.contents(of: name, in: KeptFolder(root), byteLimit: .max).data
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
        try files.removeFolderIfEmpty(folder)
    }

    private func renaming(of content: Data, from own: FolderSecret?, under secret: FolderSecret) -> Renaming {
        let parsed: DiskEntryFormat.Parsed
        do {
            parsed = try DiskEntryFormat.parse(content, transform: transform)
        } catch DiskEntryFormat.Defect.version, DiskEntryFormat.Defect.transform {
            return .foreign
        } catch {
            return .lost
        }
        // Whether what the file says of its key is all of it is told by its digest.
        guard let own, let key = parsed.key, DiskEntryName(key, under: own).digest == parsed.digest else {
            return .lost
        }
        let name = key.diskName(under: secret)
        let pieces = try? DiskEntryFormat.pieces(
            of: parsed.entry, for: key, under: secret, creation: parsed.creation, transform: transform)
        guard let pieces else { return .foreign }
        let markers = parsed.entry.tags.map { tag in
            (tag: DiskEntryName.tag(secret.digest(ofTag: tag)), name: "\(name.folder.suffix(32))\(name.file)")
        }
        return .entry(name, pieces: pieces, markers: markers)
    }

    /// Writes an entry to another folder, unless it is there.
    private func write(
        _ pieces: [Data], as name: DiskEntryName, _ attributes: FileAttributes,
        _ markers: [(tag: String, name: String)], to target: String
    ) throws(FileSystemError) {
        let files = self.files.confined(below: target)
        let path = "\(target)/\(name.path)"
        try clearPath(to: name.folder, below: target)
        if try files.isPresent(path) { return }
        // First, so that no entry with a tag is there that a removal would not find.
        for marker in markers {
            let tagFolder = "\(DiskEntryName.shardName(name.shard))/\(DiskEntryName.tags)/\(marker.tag)"
            try clearPath(to: tagFolder, below: target)
            let folder = "\(target)/\(tagFolder)"
            try files.createFolders(folder)
            try writeWhole([], to: "\(folder)/\(marker.name)", at: time.wallTime(), isReadOnly: false, files)
        }
        let folder = Self.parent(of: path)
        try files.createFolders(folder)
        let copy = "\(folder)/\(DiskEntryName.temporary())"
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
