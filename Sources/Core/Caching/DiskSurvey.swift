/// What a walk over the folder of a disk cache found.
struct DiskSurvey {
    /// The file of an entry, as far as it is known without opening it.
    struct Entry {
        let folder: String
        let name: String
        let attributes: FileAttributes

        var path: String { "\(folder)/\(name)" }
    }

    /// The files of entries.
    private(set) var entries: [Entry] = []
    /// Files that somebody is writing, or once was.
    private(set) var temporaries: [Entry] = []
    /// Folders of sources with nothing in them.
    private(set) var emptyFolders: [String] = []
    /// The bytes of all entries; whoever removes some takes them off.
    var byteCount = 0
    /// The first failure. One folder that cannot be listed does not end the walk: the limit is to hold for the others.
    private(set) var failure: FileSystemError?

    /// Nothing yet.
    init() {}

    /// Walks over the folder of a layout.
    init(of root: String, _ files: any FileSystem) {
        for folder in sourceFolders(in: root, files) {
            let found = items(in: folder, files)
            if found.isEmpty { emptyFolders.append(folder) }
            for item in found where item.attributes.kind != .folder {
                let entry = Entry(folder: folder, name: item.name, attributes: item.attributes)
                if DiskEntryName.isDigest(item.name) {
                    entries.append(entry)
                    byteCount += item.attributes.byteCount
                } else if DiskEntryName.isTemporary(item.name) {
                    temporaries.append(entry)
                }
            }
        }
    }

    /// The folders of all sources. What is not named as the cache names it is passed over.
    mutating func sourceFolders(in root: String, _ files: any FileSystem) -> [String] {
        var folders: [String] = []
        for shard in items(in: root, files) where DiskEntryName.isShard(shard.name) && shard.attributes.kind == .folder
        {
            let path = "\(root)/\(shard.name)"
            for source in items(in: path, files)
            where DiskEntryName.isDigest(source.name) && source.attributes.kind == .folder {
                folders.append("\(path)/\(source.name)")
            }
        }
        return folders
    }

    /// Keeps a failure, unless there was one before.
    mutating func note(_ error: FileSystemError) {
        failure = failure ?? error
    }

    private mutating func items(
        in folder: String, _ files: any FileSystem
    ) -> [(name: String, attributes: FileAttributes)] {
        do throws(FileSystemError) {
            return try files.itemsIfPresent(in: folder)
        } catch {
            note(error)
            return []
        }
    }
}
